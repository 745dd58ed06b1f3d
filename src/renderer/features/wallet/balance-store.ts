import type { Receipt } from '../../../shared/receipt.ts'
import { currentScope } from '../../data/service-scope.tsx'
import { useAnswer, writeAnswer, type Answer, type Question } from '../../data/use-answer.ts'
import { api } from '../../ui/api.ts'
import { showBalance } from '../../ui/balance-mark.ts'
import { currentService, refreshStatus, useStatus } from '../../ui/status-store.ts'

interface Balance {
  readonly picoUsd: string
  /** When the service reported it, Unix ms. */
  readonly at: number
}

const balanceQuestion: Question<Balance> = {
  key: ['balance'],
  ask: async (context) => {
    const service = currentService()
    const { picoUsd } = await api.accounts.balance(undefined, context)
    if (!context.signal.aborted) showBalance(picoUsd, service)
    return { picoUsd, at: Date.now() }
  },
}

/** The balance of the active account. Without an account, the service isn't asked. */
export function useBalance(options?: { readonly once: boolean }): Answer<Balance> {
  const connected = useStatus(({ status }) => status?.account.connected === true)
  return useAnswer(connected ? balanceQuestion : undefined, options)
}

/** The amount of the low-balance alert: dollars in decimal text, "0" for never. */
export const lowBalanceQuestion: Question<{ readonly below: string }> = {
  key: ['low-balance'],
  ask: (context) => api.topups.lowBalance(undefined, context),
}

/** @param below dollars in decimal text, "0" for never. Rejects if the call fails. */
export async function setLowBalance(below: string): Promise<void> {
  const scope = currentScope()
  const answer = await api.topups.setLowBalance({ below })
  writeAnswer(scope, lowBalanceQuestion, () => answer)
  await refreshStatus()
}

const RECENT_RECEIPTS = 300

/** Receipts for the estimate of what a balance buys. */
export const recentReceiptsQuestion: Question<readonly Receipt[]> = {
  key: ['recent-receipts'],
  ask: (context) => api.receipts.list({ limit: RECENT_RECEIPTS }, context),
}
