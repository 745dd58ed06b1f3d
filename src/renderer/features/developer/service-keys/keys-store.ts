import { currentScope, type Scope } from '../../../data/service-scope.tsx'
import { refreshAnswers, setScopedState, type ScopedState } from '../../../data/use-answer.ts'
import type { ServiceKey } from '../../../../shared/service-key.ts'
import { api } from '../../../ui/api.ts'
import { confirmable } from '../../../ui/confirmation-store.ts'
import { HeldSecret } from '../../../ui/held-secret.ts'
import { refreshStatus } from '../../../ui/status-store.ts'

/** What a key may do, as the contract takes it. */
export type KeyTerms = Parameters<typeof api.serviceKeys.create>[0]
export type KeyChange = Omit<Parameters<typeof api.serviceKeys.update>[0], 'keyId'>

/** A new key with its secret, and whether the key that it replaces still works. */
export interface MadeKey {
  readonly key: ServiceKey
  readonly secret: HeldSecret
  readonly follows?: { readonly key: ServiceKey; readonly revoked: boolean }
}

export const revokedShown: ScopedState<boolean> = { key: ['keys-revoked-shown'], initial: false }

/** Shown until the person closes it. It's saved nowhere else. */
export const madeKey: ScopedState<MadeKey | null> = { key: ['made-key'], initial: null }

// Each change below throws what its call throws.

export async function createKey(terms: KeyTerms): Promise<void> {
  const scope = currentScope()
  const { key, secret } = await confirmable((signal) => api.serviceKeys.create(terms, { signal }))
  setScopedState(scope, madeKey, () => ({ key, secret: new HeldSecret(secret) }))
  await refreshKeys(scope)
}

export async function updateKey(keyId: string, change: KeyChange): Promise<void> {
  const scope = currentScope()
  await confirmable((signal) => api.serviceKeys.update({ keyId, ...change }, { signal }))
  await refreshKeys(scope)
}

export async function revokeKey({ id, inUse }: ServiceKey): Promise<void> {
  const scope = currentScope()
  await confirmable((signal) => api.serviceKeys.revoke({ keyId: id }, { signal }))
  await Promise.all([refreshKeys(scope), inUse && refreshStatus()])
}

/** The list is loaded again even if the call throws, because some steps may have been taken. */
export async function rotateKey(key: ServiceKey): Promise<void> {
  const scope = currentScope()
  try {
    const answer = await confirmable((signal) => api.serviceKeys.rotate({ keyId: key.id }, { signal }))
    const secret = new HeldSecret(answer.secret)
    const follows = { key, revoked: answer.revoked }
    setScopedState(scope, madeKey, () => ({ key: answer.key, secret, follows }))
  } finally {
    await Promise.all([refreshKeys(scope), key.inUse && refreshStatus()])
  }
}

/** @returns the secret of the key */
export async function revealKey(keyId: string): Promise<string> {
  return (await confirmable((signal) => api.serviceKeys.reveal({ keyId }, { signal }))).secret
}

export function forgetMade(scope: Scope): void {
  setScopedState(scope, madeKey, (current) => {
    current?.secret.dispose()
    return null
  })
}

function refreshKeys(scope: Scope): Promise<void> {
  return refreshAnswers(scope, ['keys'])
}
