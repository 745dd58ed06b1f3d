import { askerOf } from '../confirmed.ts'
import type { ApiContext } from '../context.ts'
import type { Implementer } from '../implementer.ts'

/** Answers confirmationsContract, also while the vault is shut: to restore one is confirmed too. Throws confirm/too-soon. */
export function confirmationsArea(core: ApiContext, os: Implementer['confirmations']) {
  return {
    pending: os.pending.handler(({ context }) => core.confirm.pending(askerOf(context))),
    answer: os.answer.handler(({ input, context }) =>
      core.confirm.answer(askerOf(context), input.id, input.code),
    ),
  }
}
