import { create } from 'zustand'
import type { Failure } from '../../shared/contract/sotto-contract.ts'
import { isDirect } from '../../shared/direct.ts'
import type { Status } from '../../shared/status.ts'
import { AnswerOrder } from './answer-order.ts'
import { api } from './api.ts'
import { asFailure } from './failure.ts'

interface StatusState {
  readonly status: Status | undefined
  /** Why the last request failed. The former status stays in view. */
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

/** Calls `changed` when the service or the account changes, because cached data belongs to the former one. */
export function onServiceChange(changed: () => void): void {
  useStatus.subscribe(({ status }, { status: before }) => {
    if (status && before && serviceOf(status) !== serviceOf(before)) changed()
  })
}

/** Number of changes of the service or the account. It is updated before any other listener runs. */
let changes = 0
onServiceChange(() => {
  changes++
})

/**
 * Returns a test whether the service and the account are still the same. Answers for a former service are discarded.
 */
export function sameService(): () => boolean {
  const asked = changes
  return () => asked === changes
}

/** An identifier of the service and the account. It changes when either changes. */
export function useService(): string | undefined {
  return useStatus(({ status }) => status && serviceOf(status))
}

/** Whether Sotto reaches the provider's enclaves without a service. */
export function useDirect(): boolean {
  return useStatus(({ status }) => status !== undefined && isDirect(status.service))
}

/** The current value of `useService`. */
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
