import { create } from 'zustand'
import type { Receipt } from '../../shared/receipt.ts'
import { api } from './api.ts'
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

const fetching = new Set<string>()

/** Fetches a receipt that is not here yet. One that cannot be had is left out: its answer still says its privacy. */
export async function fetchReceipt(receiptId: string): Promise<void> {
  if (useReceipts.getState().receipts[receiptId] || fetching.has(receiptId)) return
  const still = sameService()
  fetching.add(receiptId)
  try {
    const receipt = await api.receipts.get({ receiptId })
    if (still()) keepReceipts([receipt])
  } catch {
    // Deleted, or of a service that is no longer chosen.
  } finally {
    fetching.delete(receiptId)
  }
}

export function openReceipt(receiptId: string | undefined): void {
  useReceipts.setState({ openId: receiptId })
}
