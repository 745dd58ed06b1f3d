import type { ServiceEnclaveView } from '../../shared/chat-route.ts'
import type { Failure } from '../../shared/contract/sotto-contract.ts'
import { currentScope, type Scope } from '../data/service-scope.tsx'
import { readScopedState, setScopedState, useScopedPart, type ScopedState } from '../data/use-answer.ts'
import { api } from './api.ts'
import { asFailure } from './failure.ts'
import { useStatus } from './status-store.ts'

interface ServiceEnclaveState {
  /** null if the service has none; undefined until it is loaded. */
  readonly view: ServiceEnclaveView | null | undefined
  /** Why the last load failed; the view before it stays. */
  readonly failure: Failure | undefined
  /** The turn of the answer that is shown. An answer that was asked for earlier is discarded. */
  readonly turn: number
}

const serviceEnclave: ScopedState<ServiceEnclaveState> = {
  key: ['service-enclave'],
  initial: { view: undefined, failure: undefined, turn: 0 },
}

/** The service's own enclave, which passes chat on to the model's provider. */
export function useServiceEnclave<Part>(select: (state: ServiceEnclaveState) => Part): Part {
  return useScopedPart(serviceEnclave, select)
}

export function readServiceEnclave(scope = currentScope()): ServiceEnclaveState {
  return readScopedState(scope, serviceEnclave)
}

let turns = 0

export function showServiceEnclave(scope: Scope, view: ServiceEnclaveView | null, turn = ++turns): void {
  setScopedState(scope, serviceEnclave, (before) =>
    turn < before.turn ? before : { view, failure: undefined, turn },
  )
}

export async function refreshServiceEnclave(): Promise<void> {
  const scope = currentScope()
  const turn = ++turns
  try {
    showServiceEnclave(scope, await api.serviceEnclave.view(), turn)
  } catch (thrown) {
    setScopedState(scope, serviceEnclave, (before) =>
      turn < before.turn ? before : { ...before, failure: asFailure(thrown) },
    )
  }
}

// Another window or the command line can change the route, and a failed verification can make a chat visible.
useStatus.subscribe(({ status }, { status: before }) => {
  if (status && status !== before && status.vault.state === 'open' && status.service.openChat === 'relayed')
    void refreshServiceEnclave()
})
