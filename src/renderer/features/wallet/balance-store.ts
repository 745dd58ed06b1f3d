import { create } from 'zustand'
import type { Failure } from '../../../shared/contract/sotto-contract.ts'
import { api } from '../../ui/api.ts'
import { asFailure } from '../../ui/failure.ts'
import { keepReceipts } from '../../ui/receipt-store.ts'
import { onServiceChange, refreshStatus, sameService, useStatus } from '../../ui/status-store.ts'

interface BalanceState {
  /** As the service said last; it stays while it is asked again. */
  readonly picoUsd: string | undefined
  /** Unix ms of that. */
  readonly saidAt: number | undefined
  readonly busy: boolean
  readonly failure: Failure | undefined
  /** Below it the balance is said to be low: dollars in decimal text, "0" for never; undefined until it was asked. */
  readonly below: string | undefined
}

const nothing: BalanceState = {
  picoUsd: undefined,
  saidAt: undefined,
  busy: false,
  failure: undefined,
  below: undefined,
}

export const useBalance = create<BalanceState>()(() => nothing)

/** Which answer is awaited; one that was asked for before it is let go. */
let asked = 0

onServiceChange(() => forgetBalance())

/** What was said belongs to another account. */
export function forgetBalance(): void {
  asked++
  useBalance.setState(({ below }) => ({ ...nothing, below }))
}

/** Asks the service for the active account's balance; where none is active there is nothing to ask. */
export async function refreshBalance(): Promise<void> {
  if (useStatus.getState().status?.account.connected !== true) return
  const turn = ++asked
  useBalance.setState({ busy: true, failure: undefined })
  try {
    const { picoUsd } = await api.accounts.balance()
    if (turn === asked) useBalance.setState({ picoUsd, saidAt: Date.now(), busy: false })
  } catch (thrown) {
    if (turn === asked) useBalance.setState({ failure: asFailure(thrown), busy: false })
  }
}

/** Without it the balance is not called low before it is used up. */
export async function loadLowBalance(): Promise<void> {
  const still = sameService()
  try {
    const { below } = await api.topups.lowBalance()
    if (still()) useBalance.setState({ below })
  } catch {
    if (still()) useBalance.setState({ below: undefined })
  }
}

/** @param below dollars in decimal text, "0" for never. Throws what the call throws. */
export async function setLowBalance(below: string): Promise<void> {
  const still = sameService()
  const set = await api.topups.setLowBalance({ below })
  if (still()) useBalance.setState(set)
  await refreshStatus()
}

const RECENT_RECEIPTS = 300

/** Receipts for the estimate of what a balance buys. Without them there is none. */
export async function loadRecentReceipts(): Promise<void> {
  const still = sameService()
  try {
    const receipts = await api.receipts.list({ limit: RECENT_RECEIPTS })
    if (still()) keepReceipts(receipts)
  } catch {
    // The estimate alone is missing.
  }
}
