import type { Failure } from '../../shared/contract/sotto-contract.ts'
import type { Receipt } from '../../shared/receipt.ts'
import { currentScope } from '../data/service-scope.tsx'
import { readScopedState, setScopedState, useScopedPart, type ScopedState } from '../data/use-answer.ts'
import { api } from './api.ts'
import { asFailure } from './failure.ts'
import { currentRoute, replaceRoute } from './route.ts'
import { onServiceChange } from './status-store.ts'

interface ReceiptState {
  readonly receipts: Readonly<Record<string, Receipt>>
}

const receiptState: ScopedState<ReceiptState> = {
  key: ['receipts'],
  initial: { receipts: {} },
}

export function useReceipts<Part>(select: (state: ReceiptState) => Part): Part {
  return useScopedPart(receiptState, select)
}

export function readReceipts(): ReceiptState {
  return readScopedState(currentScope(), receiptState)
}

/** @param scope of the call that answered them */
export function keepReceipts(came: readonly Receipt[], scope = currentScope()): void {
  setScopedState(scope, receiptState, ({ receipts }) => ({
    receipts: withReceipts(receipts, came),
  }))
}

/** Removes receipts that no view shows from the cache. A view that shows one again fetches it again. */
export function clearReceipts(ids: readonly string[]): void {
  const gone = new Set(ids)
  const { receiptId } = currentRoute()
  if (receiptId !== undefined) gone.delete(receiptId)
  setScopedState(currentScope(), receiptState, ({ receipts }) => ({
    receipts: withoutReceipts(receipts, gone),
  }))
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

/** Opens the receipt over the present view, or closes it. The address names it, so that it survives a reload. */
export function showReceipt(receiptId: string | undefined): void {
  const { receiptId: _, ...place } = currentRoute()
  replaceRoute({ ...place, ...(receiptId !== undefined && { receiptId }) })
}

// It belongs to the former service.
onServiceChange(() => {
  if (currentRoute().receiptId !== undefined) showReceipt(undefined)
})

/** More than any screen shows. */
export const MAX_CACHED_RECEIPTS = 300

/** Adds receipts by ID. The number in memory is limited: the oldest entries are removed. */
export function withReceipts(
  receipts: ReceiptState['receipts'],
  came: readonly Receipt[],
): ReceiptState['receipts'] {
  const now = new Set(came.map(({ id }) => id))
  const all = [...Object.values(receipts).filter(({ id }) => !now.has(id)), ...came]
  return Object.fromEntries(all.slice(-MAX_CACHED_RECEIPTS).map((receipt) => [receipt.id, receipt]))
}

/** Without those of these ids. */
function withoutReceipts(
  receipts: ReceiptState['receipts'],
  gone: ReadonlySet<string>,
): ReceiptState['receipts'] {
  return Object.fromEntries(Object.entries(receipts).filter(([id]) => !gone.has(id)))
}
