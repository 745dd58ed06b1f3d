import type { LocalApiEvent } from '../../../shared/contract/local-api.ts'
import type { KeyLimitsText } from '../../../shared/key-limits.ts'
import type { LocalKeyView } from '../../../shared/local-key.ts'
import type { Model } from '../../../shared/model.ts'
import { currentScope, type Scope } from '../../data/service-scope.tsx'
import {
  refreshAnswers,
  setScopedState,
  useAnswer,
  type Answer,
  type ScopedState,
} from '../../data/use-answer.ts'
import { watch, type WatchState } from '../../data/watch.ts'
import { api } from '../../ui/api.ts'
import { confirmable } from '../../ui/confirmation-store.ts'
import { useStatus } from '../../ui/status-store.ts'
import { takeRequests } from './requests/request-store.ts'

interface LocalAccess {
  readonly access: Awaited<ReturnType<typeof api.localApi.get>>
  /** Undefined if they can't be loaded. */
  readonly models: readonly Model[] | undefined
}

/**
 * The address, the first key and the models. They are loaded again if the address changes.
 * @param again loads them again when the component mounts
 */
export function useLocalAccess(again = false): Answer<LocalAccess> {
  const baseUrl = useStatus(({ status }) => status?.proxy.baseUrl)
  return useAnswer<LocalAccess>(
    {
      key: ['local-access', baseUrl],
      ask: async (context) => {
        const [access, models] = await Promise.all([
          api.localApi.get(undefined, context),
          api.models.list(undefined, context).catch(() => undefined),
        ])
        return { access, models }
      },
    },
    { keepPrevious: true, once: !again },
  )
}

/** In order of creation; null until they are loaded. */
export const localKeys: ScopedState<readonly LocalKeyView[] | null> = { key: ['local-keys'], initial: null }

/** Whether keys and requests are followed. Otherwise they are shown as of the last event. */
export const localWatch: ScopedState<WatchState> = {
  key: ['local-watch'],
  initial: { following: false, failure: undefined },
}

/** Secrets of new keys, by key, until the person confirms that they are saved. They are saved nowhere else. */
export const newSecrets: ScopedState<Readonly<Record<string, string>>> = { key: ['new-secrets'], initial: {} }

/** The key in the settings of a tool, by tool. */
export const keyOfTool: ScopedState<Readonly<Record<string, string>>> = { key: ['key-of-tool'], initial: {} }

/** Follows keys and requests until `signal` aborts. */
export function follow(scope: Scope, signal: AbortSignal): Promise<void> {
  return watch<LocalApiEvent>(
    {
      open: (left) => api.localApi.watch(undefined, { signal: left }),
      onEvent: (event, first) => {
        setScopedState(scope, localKeys, (known) => (first ? event.keys : withKeys(known ?? [], event.keys)))
        takeRequests(scope, event, first)
      },
      onState: (state) => setScopedState(scope, localWatch, () => state),
    },
    signal,
  )
}

function withKeys(known: readonly LocalKeyView[], changed: readonly LocalKeyView[]): LocalKeyView[] {
  const byId = new Map([...known, ...changed].map((key) => [key.id, key]))
  return [...byId.values()]
}

// Each function below throws what its call throws.

/** Creates a key. Its secret is cached until the person confirms that it's saved, or until the service changes. */
export async function createKey(name: string, limits: KeyLimitsText): Promise<LocalKeyView> {
  const scope = currentScope()
  const { key, secret } = await confirmable((signal) => api.localApi.create({ name, limits }, { signal }))
  putKey(scope, key)
  setScopedState(scope, newSecrets, (secrets) => ({ ...secrets, [key.id]: secret }))
  return key
}

export async function updateKey(
  keyId: string,
  change: { name: string; limits: KeyLimitsText },
): Promise<void> {
  const scope = currentScope()
  putKey(scope, await confirmable((signal) => api.localApi.update({ keyId, ...change }, { signal })))
}

/**
 * Adds to a key's budget for a time; "0" ends that.
 * @param picoUsd decimal text
 * @param until Unix ms; undefined for the end of the budget's period
 */
export async function increaseBudget(keyId: string, picoUsd: string, until?: number): Promise<void> {
  const scope = currentScope()
  putKey(scope, await confirmable((signal) => api.localApi.increase({ keyId, picoUsd, until }, { signal })))
}

export async function revokeKey(keyId: string): Promise<void> {
  const scope = currentScope()
  putKey(scope, await confirmable((signal) => api.localApi.revoke({ keyId }, { signal })))
  forgetSecret(keyId, scope)
}

/** Gives the first key another secret. */
export async function rotateFirstKey(): Promise<void> {
  const scope = currentScope()
  const { key } = await confirmable((signal) => api.localApi.rotate(undefined, { signal }))
  putKey(scope, key)
  await refreshAnswers(scope, ['local-access'])
}

export function forgetSecret(keyId: string, scope = currentScope()): void {
  setScopedState(scope, newSecrets, (secrets) =>
    Object.fromEntries(Object.entries(secrets).filter(([id]) => id !== keyId)),
  )
}

export function fillIn(toolId: string, keyId: string): void {
  setScopedState(currentScope(), keyOfTool, (keys) => ({ ...keys, [toolId]: keyId }))
}

function putKey(scope: Scope, key: LocalKeyView): void {
  setScopedState(scope, localKeys, (keys) => withKeys(keys ?? [], [key]))
}
