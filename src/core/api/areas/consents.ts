import { exposedBy, exposureOf } from '../consented.ts'
import type { ApiContext } from '../context.ts'
import type { Implementer } from '../implementer.ts'

/**
 * Answers consentsContract: what the call would expose, and a consent to exactly that. Throws vault/locked, conversation/unknown,
 * conversation/message-unknown.
 */
export function consentsArea(core: ApiContext, os: Implementer['consents']) {
  return {
    preview: os.preview.handler(({ input }) => {
      const open = core.open()
      const exposed = exposedBy(open, input)
      return { ...open.consents.offer({ ...input, exposed }), exposes: exposureOf(exposed) }
    }),
  }
}
