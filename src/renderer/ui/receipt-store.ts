import { create } from 'zustand'
import type { Failure } from '../../shared/contract/sotto-contract.ts'
import type { Receipt } from '../../shared/receipt.ts'
import { api } from './api.ts'
import { asFailure } from './failure.ts'
import { withoutReceipts, withReceipts } from './kept-receipts.ts'
import { onServiceChange, sameService } from './status-store.ts'

interface ReceiptState {
  readonly receipts: Readonly<Record<string, Receipt>>
  /** The receipt that is open for reading. */
  readonly openId: string | undefined
}

export const useReceipts = create<ReceiptState>()(() => ({ receipts: {}, openId: undefined }))

onServiceChange(() => useReceipts.setState({ receipts: {}, openId: undefined }))

export function keepReceipts(came: readonly Receipt[]): void {
  useReceipts.setState(({ receipts }) => ({ receipts: withReceipts(receipts, came) }))
}

/** Lets go of receipts that nobody looks at: they are fetched again where they are shown again. */
export function letGoOfReceipts(ids: readonly string[]): void {
  const gone = new Set(ids)
  useReceipts.setState(({ receipts, openId }) => {
    if (openId !== undefined) gone.delete(openId)
    return { receipts: withoutReceipts(receipts, gone) }
  })
}

const fetching = new Map<string, Promise<Failure | undefined>>()

/** Fetches a receipt that is not here yet. One that cannot be had is left out, and why is told: its answer still says its privacy. */
export function fetchReceipt(receiptId: string): Promise<Failure | undefined> {
  if (useReceipts.getState().receipts[receiptId]) return Promise.resolve(undefined)
  const under = fetching.get(receiptId)
  if (under) return under
  const still = sameService()
  const coming = api.receipts
    .get({ receiptId })
    .then((receipt) => {
      if (still()) keepReceipts([receipt])
      return undefined
    }, asFailure)
    .finally(() => fetching.delete(receiptId))
  fetching.set(receiptId, coming)
  return coming
}

export function openReceipt(receiptId: string | undefined): void {
  useReceipts.setState({ openId: receiptId })
}
