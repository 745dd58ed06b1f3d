import { confirmed } from '../confirmed.ts'
import type { ApiContext } from '../context.ts'
import type { Implementer } from '../implementer.ts'
import { acceptQuestion } from '../record-changes.ts'

/** Answers appContract. `begin` and `acceptRecords` need an open vault, and throw vault/locked; the second also confirm/… and store/rows-changed. */
export function appArea(core: ApiContext, os: Implementer['app']) {
  return {
    status: os.status.handler(() => core.status()),
    acknowledge: os.acknowledge.handler(({ input }) => {
      core.acknowledge(input.noticeId)
      return core.status()
    }),
    begin: os.begin.handler(() => {
      core.open().store.settings.set('begun', 'yes')
      return core.status()
    }),
    acceptRecords: os.acceptRecords.handler(async ({ context, signal }) => {
      const changes = core.open().store.integrity.changes()
      if (changes.length === 0) return core.status()
      await confirmed(core, acceptQuestion(changes), { context, signal })
      core.acceptRecords()
      return core.status()
    }),
  }
}
