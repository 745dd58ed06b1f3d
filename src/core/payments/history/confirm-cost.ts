import { SottoError } from '../../../shared/errors.ts'
import type { KeyBudgets } from '../index.ts'
import type { Store } from '../../storage/index.ts'
import type { Confirmation } from './receipt-relation.ts'

export interface ConfirmPlace {
  readonly store: Pick<Store, 'receipts' | 'localKeys' | 'spending'>
  readonly budgets: Pick<KeyBudgets, 'correct'>
}

/**
 * Writes a confirmed cost into its receipt and corrects the local key's budget by the difference, both in one
 * transaction. Does nothing if the saved receipt is no longer doubted, so a cost is corrected once. If the
 * disk fails, the next reading confirms it.
 */
export function confirmCost(
  { store, budgets }: ConfirmPlace,
  { receipt: { id }, record: { at, cost } }: Confirmation,
): void {
  const stored = store.receipts.get(id)
  if (stored?.costDoubted !== true) return
  const { costDoubted: _, ...receipt } = { ...stored, confirmed: { cost: cost.toString(), recordAt: at } }
  const {
    charged,
    chargedDay,
    caller: { localKeyId },
  } = receipt
  try {
    // A restored receipt may name a key of another computer, which has no budget here.
    if (
      charged === undefined ||
      chargedDay === undefined ||
      localKeyId === undefined ||
      !store.localKeys.get(localKeyId)
    ) {
      store.receipts.put(receipt)
      store.receipts.flush()
      return
    }
    const corrected = { ...receipt, charged: cost.toString() }
    budgets.correct(localKeyId, chargedDay, cost - BigInt(charged), (spent) =>
      store.spending.correct(localKeyId, chargedDay, spent, corrected),
    )
  } catch (thrown) {
    if (!(thrown instanceof SottoError) || thrown.code !== 'store/unwritable') throw thrown
  }
}
