import { create } from 'zustand'
import type { Failure } from '../../../shared/contract/sotto-contract.ts'
import type { ServiceKey } from '../../../shared/service-key.ts'
import { api } from '../../ui/api.ts'
import { confirmable } from '../../ui/confirmation-store.ts'
import { asFailure } from '../../ui/failure.ts'
import { HeldSecret } from '../../ui/held-secret.ts'
import { onServiceChange, refreshStatus, sameService } from '../../ui/status-store.ts'

/** What a key may do, as the contract takes it. */
export type KeyTerms = Parameters<typeof api.serviceKeys.create>[0]
export type KeyChange = Omit<Parameters<typeof api.serviceKeys.update>[0], 'keyId'>

/** A key's text, in the one answer that held it, and whether the key that it follows still works. */
export interface MadeKey {
  readonly key: ServiceKey
  readonly secret: HeldSecret
  readonly follows?: { readonly key: ServiceKey; readonly revoked: boolean }
}

interface KeysState {
  /** In the order in which the service lists them. */
  readonly keys: readonly ServiceKey[] | undefined
  /** So many more are listed in a form that could not be read. */
  readonly unreadable: number
  readonly failure: Failure | undefined
  readonly busy: boolean
  readonly withRevoked: boolean
  /** Shown until it is said to be copied; kept nowhere else. */
  readonly made: MadeKey | undefined
}

const empty: KeysState = {
  keys: undefined,
  unreadable: 0,
  failure: undefined,
  busy: false,
  withRevoked: false,
  made: undefined,
}

export const useKeys = create<KeysState>()(() => empty)

/** Which answer is awaited; one that was asked for before it is let go. */
let asked = 0

onServiceChange(() => {
  asked++
  forgetMade()
  useKeys.setState(empty)
})

/** Asks for the keys of the active account. */
export async function loadKeys(): Promise<void> {
  const turn = ++asked
  useKeys.setState({ busy: true, failure: undefined })
  try {
    const { keys, unreadable } = await api.serviceKeys.list({
      includeRevoked: useKeys.getState().withRevoked,
    })
    if (turn === asked) useKeys.setState({ keys, unreadable, busy: false })
  } catch (thrown) {
    if (turn === asked) useKeys.setState({ failure: asFailure(thrown), busy: false })
  }
}

/** Those that were revoked are asked for only where they are wanted. */
export async function showRevoked(withRevoked: boolean): Promise<void> {
  useKeys.setState({ withRevoked })
  await loadKeys()
}

/** Throws what the call throws. */
export async function createKey(terms: KeyTerms): Promise<void> {
  const still = sameService()
  const { key, secret } = await confirmable((signal) => api.serviceKeys.create(terms, { signal }))
  if (still()) useKeys.setState({ made: { key, secret: new HeldSecret(secret) } })
  await loadKeys()
}

/** Throws what the call throws. */
export async function updateKey(keyId: string, change: KeyChange): Promise<void> {
  await confirmable((signal) => api.serviceKeys.update({ keyId, ...change }, { signal }))
  await loadKeys()
}

/** Throws what the call throws. */
export async function revokeKey({ id, inUse }: ServiceKey): Promise<void> {
  await confirmable((signal) => api.serviceKeys.revoke({ keyId: id }, { signal }))
  await Promise.all([loadKeys(), inUse && refreshStatus()])
}

/** Throws what the call throws; then too, what stands at the service is asked for again. */
export async function rotateKey(key: ServiceKey): Promise<void> {
  const still = sameService()
  try {
    const {
      key: made,
      secret,
      revoked,
    } = await confirmable((signal) => api.serviceKeys.rotate({ keyId: key.id }, { signal }))
    if (still())
      useKeys.setState({ made: { key: made, secret: new HeldSecret(secret), follows: { key, revoked } } })
  } finally {
    await Promise.all([loadKeys(), key.inUse && refreshStatus()])
  }
}

/** The key itself. Throws what the call throws. */
export async function revealKey(keyId: string): Promise<string> {
  return (await confirmable((signal) => api.serviceKeys.reveal({ keyId }, { signal }))).secret
}

/** It was copied, or need not be. */
export function forgetMade(): void {
  const { made } = useKeys.getState()
  useKeys.setState({ made: undefined })
  made?.secret.letGo()
}
