import { create } from 'zustand'
import type { PayWay } from '../../../shared/job.ts'
import { useStatus } from '../status-store.ts'

/** What was chosen last in this window; undefined before that. */
const useChosen = create<{ readonly pay: PayWay | undefined }>()(() => ({ pay: undefined }))

export function choosePayWay(pay: PayWay): void {
  useChosen.setState({ pay })
}

/** How the next is paid: as was chosen last, where the service sells it so; without an account by itself. */
export function usePayWay(single: boolean): { readonly pay: PayWay; readonly hasAccount: boolean } {
  const hasAccount = useStatus(({ status }) => status?.account.connected === true)
  const chosen = useChosen(({ pay }) => pay)
  if (!single) return { pay: 'balance', hasAccount }
  return { pay: hasAccount ? (chosen ?? 'balance') : 'single', hasAccount }
}
