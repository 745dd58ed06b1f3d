import { create } from 'zustand'
import type { PayWay } from '../../../shared/job.ts'
import { useStatus } from '../status-store.ts'

/** The latest choice in this window; undefined before the first. */
const useChosen = create<{ readonly pay: PayWay | undefined }>()(() => ({ pay: undefined }))

export function choosePayWay(pay: PayWay): void {
  useChosen.setState({ pay })
}

/**
 * How the next job is paid: by the latest choice, if the service sells it per request. Without an account, such a job
 * is paid per request.
 */
export function usePayWay(single: boolean): { readonly pay: PayWay; readonly hasAccount: boolean } {
  const hasAccount = useStatus(({ status }) => status?.account.connected === true)
  const chosen = useChosen(({ pay }) => pay)
  if (!single) return { pay: 'balance', hasAccount }
  return { pay: hasAccount ? (chosen ?? 'balance') : 'single', hasAccount }
}
