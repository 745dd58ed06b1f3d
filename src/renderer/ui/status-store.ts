import { create } from 'zustand'
import type { Failure } from '../../shared/contract/sotto-contract.ts'
import { isDirect } from '../../shared/direct.ts'
import type { Status } from '../../shared/status.ts'
import { AnswerOrder } from './answer-order.ts'
import { api } from './api.ts'
import { asFailure } from './failure.ts'

interface StatusState {
  readonly status: Status | undefined
  /** Why the last question was not answered; the status before it stays in view. */
  readonly failure: Failure | undefined
}

export const useStatus = create<StatusState>()(() => ({ status: undefined, failure: undefined }))

const order = new AnswerOrder()

export function setStatus(status: Status, turn?: number): void {
  if (order.show(turn)) useStatus.setState({ status, failure: undefined })
}

export async function refreshStatus(): Promise<void> {
  const turn = order.ask()
  try {
    setStatus(await api.app.status(), turn)
  } catch (thrown) {
    if (!order.isLate(turn)) useStatus.setState({ failure: asFailure(thrown) })
  }
}

/** Calls `changed` when the service or the account is another: what was fetched before belongs to the former. */
export function onServiceChange(changed: () => void): void {
  useStatus.subscribe(({ status }, { status: before }) => {
    if (status && before && serviceOf(status) !== serviceOf(before)) changed()
  })
}

/** How often the service or the account changed. Counted before anything else hears of it. */
let changes = 0
onServiceChange(() => {
  changes++
})

/** Whether the service and the account are still those of this call: what was asked of former ones is let go. */
export function sameService(): () => boolean {
  const asked = changes
  return () => asked === changes
}

/** The service and the account, as one word that is another when either is. */
export function useService(): string | undefined {
  return useStatus(({ status }) => status && serviceOf(status))
}

/** Whether the provider's enclaves are reached without a service. */
export function useDirect(): boolean {
  return useStatus(({ status }) => status !== undefined && isDirect(status.service))
}

/** As `useService`, of now. */
export function currentService(): string | undefined {
  const { status } = useStatus.getState()
  return status && serviceOf(status)
}

function serviceOf({ service, account, vault }: Status): string {
  return [
    service.profileId,
    service.baseUrl,
    String(account.connected),
    account.creditIdMasked ?? '',
    vault.state,
  ].join('\n')
}
