import { create } from 'zustand'
import type { Failure } from '../../shared/contract/sotto-contract.ts'
import type { Status } from '../../shared/status.ts'
import { api } from './api.ts'
import { asFailure } from './failure.ts'

interface StatusState {
  readonly status: Status | undefined
  /** Why the last question was not answered; the status before it stays in view. */
  readonly failure: Failure | undefined
}

export const useStatus = create<StatusState>()(() => ({ status: undefined, failure: undefined }))

/** Questions in the order in which they were asked, and the last of which the answer is shown: one asked before it is answered too late. */
let asked = 0
let shown = 0

export function setStatus(status: Status): void {
  shown = ++asked
  useStatus.setState({ status, failure: undefined })
}

export async function refreshStatus(): Promise<void> {
  const turn = ++asked
  try {
    const status = await api.app.status()
    if (turn < shown) return
    shown = turn
    useStatus.setState({ status, failure: undefined })
  } catch (thrown) {
    if (turn > shown) useStatus.setState({ failure: asFailure(thrown) })
  }
}

/** Calls `changed` when the service or the account is another: what was fetched before belongs to the former. */
export function onServiceChange(changed: () => void): void {
  useStatus.subscribe(({ status }, { status: before }) => {
    if (status && before && serviceOf(status) !== serviceOf(before)) changed()
  })
}

/** The service and the account, as one word that is another when either is. */
export function useService(): string | undefined {
  return useStatus(({ status }) => status && serviceOf(status))
}

function serviceOf({ service, account, vault }: Status): string {
  return [service.profileId, service.baseUrl, String(account.connected), account.creditIdMasked ?? '', vault.state].join('\n')
}
