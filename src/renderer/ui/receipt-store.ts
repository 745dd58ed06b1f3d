import type { Failure } from '../../shared/contract/sotto-contract.ts'
import type { Receipt } from '../../shared/receipt.ts'
import { currentScope } from '../data/service-scope.tsx'
import { readScopedState, setScopedState, useScopedPart, type ScopedState } from '../data/use-answer.ts'
import { api } from './api.ts'
import { asFailure } from './failure.ts'
import { withoutReceipts, withReceipts } from './receipt-cache.ts'

interface ReceiptState {
  readonly receipts: Readonly<Record<string, Receipt>>
  /** The receipt in the dialog; null if it's closed. */
  readonly shownId: string | null
}

const receiptState: ScopedState<ReceiptState> = {
  key: ['receipts'],
  initial: { receipts: {}, shownId: null },
}

export function useReceipts<Part>(select: (state: ReceiptState) => Part): Part {
  return useScopedPart(receiptState, select)
}

export function readReceipts(): ReceiptState {
  return readScopedState(currentScope(), receiptState)
}

/** @param scope of the call that answered them */
export function keepReceipts(came: readonly Receipt[], scope = currentScope()): void {
  setScopedState(scope, receiptState, (before) => ({
    ...before,
    receipts: withReceipts(before.receipts, came),
  }))
}

/** Removes receipts that no view shows from the cache. A view that shows one again fetches it again. */
export function clearReceipts(ids: readonly string[]): void {
  const gone = new Set(ids)
  setScopedState(currentScope(), receiptState, ({ receipts, shownId }) => {
    if (shownId !== null) gone.delete(shownId)
    return { shownId, receipts: withoutReceipts(receipts, gone) }
  })
}

/** Fetches a receipt that isn't cached. Answers why it can't be fetched; the reply still shows its privacy. */
export async function fetchReceipt(receiptId: string): Promise<Failure | undefined> {
  const scope = currentScope()
  if (readReceipts().receipts[receiptId]) return undefined
  try {
    const receipt = await scope.client.query({
      queryKey: [scope.service, 'receipt', receiptId],
      queryFn: () => api.receipts.get({ receiptId }),
      gcTime: 0,
    })
    keepReceipts([receipt], scope)
    return undefined
  } catch (thrown) {
    return asFailure(thrown)
  }
}

export function showReceipt(receiptId: string | undefined): void {
  setScopedState(currentScope(), receiptState, (before) => ({ ...before, shownId: receiptId ?? null }))
}
