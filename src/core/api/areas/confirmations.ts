import type { ApiContext } from '../context.ts'
import type { Implementer } from '../implementer.ts'

/** Answers confirmationsContract, also while the vault is shut: to restore one is confirmed too. */
export function confirmationsArea(core: ApiContext, os: Implementer['confirmations']) {
  return {
    pending: os.pending.handler(() => core.confirm.pending()),
    answer: os.answer.handler(({ input }) => ({ accepted: core.confirm.answer(input.id, input.code) })),
  }
}
