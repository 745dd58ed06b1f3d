import { create } from 'zustand'
import type { ServiceEnclaveView } from '../../shared/chat-route.ts'
import type { Failure } from '../../shared/contract/sotto-contract.ts'
import { AnswerOrder } from './answer-order.ts'
import { api } from './api.ts'
import { asFailure } from './failure.ts'
import { onServiceChange, useStatus } from './status-store.ts'

interface ServiceEnclaveState {
  /** null if the service has none; undefined while it wasn't loaded. */
  readonly view: ServiceEnclaveView | null | undefined
  /** Why the last load failed; the view before it stays. */
  readonly failure: Failure | undefined
}

/** The service's own enclave, which passes chat on to the model's provider. */
export const useServiceEnclave = create<ServiceEnclaveState>()(() => ({
  view: undefined,
  failure: undefined,
}))

const order = new AnswerOrder()

export function showServiceEnclave(view: ServiceEnclaveView | null, turn?: number): void {
  if (order.show(turn)) useServiceEnclave.setState({ view, failure: undefined })
}

export async function refreshServiceEnclave(): Promise<void> {
  const turn = order.ask()
  try {
    showServiceEnclave(await api.serviceEnclave.view(), turn)
  } catch (thrown) {
    if (!order.isLate(turn)) useServiceEnclave.setState({ failure: asFailure(thrown) })
  }
}

onServiceChange(() => {
  order.show()
  useServiceEnclave.setState({ view: undefined, failure: undefined })
})

// Another window or the command line can change the route, and a failed verification can make a chat visible.
useStatus.subscribe(({ status }, { status: before }) => {
  if (status && status !== before && status.vault.state === 'open' && status.service.openChat === 'relayed')
    void refreshServiceEnclave()
})
