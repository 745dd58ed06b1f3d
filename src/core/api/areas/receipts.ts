import { SottoError } from '../../../shared/errors.ts'
import type { ApiContext } from '../context.ts'
import type { Implementer } from '../implementer.ts'

/** Answers receiptsContract. Throws vault/locked, receipt/unknown. */
export function receiptsArea(core: ApiContext, os: Implementer['receipts']) {
  return {
    list: os.list.handler(({ input }) => core.open().store.receipts.list(input.limit)),
    get: os.get.handler(({ input }) => {
      const receipt = core.open().store.receipts.get(input.receiptId)
      if (!receipt) throw new SottoError('receipt/unknown')
      return receipt
    }),
  }
}
