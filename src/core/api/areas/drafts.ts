import { listDrafts, saveDraft } from '../attachments/attached.ts'
import type { ApiContext } from '../context.ts'
import type { Implementer } from '../implementer.ts'

/** Answers draftsContract. Throws vault/locked, attachment/unknown, store/damaged. */
export function draftsArea(core: ApiContext, os: Implementer['drafts']) {
  return {
    all: os.all.handler(() => listDrafts(core.open().conversations)),
    save: os.save.handler(async ({ input }) => {
      await saveDraft(core.open().conversations, input)
      return {}
    }),
  }
}
