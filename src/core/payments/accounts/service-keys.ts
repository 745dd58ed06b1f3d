import { SottoError } from '../../../shared/errors.ts'
import type { Fetch } from '../../../shared/fetch.ts'
import { msg } from '../../../shared/localized-text.ts'
import type { ServiceKey } from '../../../shared/service-key.ts'
import type { ApiKey, ResetPeriod } from '../../gateway/service/account/api-key.ts'
import { createKey, revokeKey, updateKey } from '../../gateway/service/account/keys.ts'
import { getKey, listKeys, type KeyList } from '../../gateway/service/account/read/keys.ts'
import type { CallOptions, Service } from '../../gateway/service/http/perform.ts'
import type { Accounts } from './accounts.ts'
import { freeKeyName } from './free-key-name.ts'
import { wireDollars, wirePicoUsd } from './wire-dollars.ts'

interface KeyFields {
  readonly name: string
  /** Dollars in decimal text. */
  readonly cap: string | null
  readonly resetPeriod: ResetPeriod | null
  /** Unix ms. */
  readonly expiresAt: number | null
}

/** A key of the list, and whether Sotto's account pays with it; null if the service doesn't show that. */
export interface FoundKey {
  readonly key: ApiKey
  readonly inUse: boolean | null
}

/**
 * The service's API keys of the account that was active at creation. Selecting another account doesn't change
 * it.
 */
export interface ServiceKeys {
  list(includeRevoked: boolean, options?: CallOptions): Promise<{ keys: ServiceKey[]; unreadable: number }>
  /** Only `secret` has the key itself. */
  create(fields: KeyFields): Promise<{ key: ServiceKey; secret: string }>
  update(
    keyId: string,
    changes: { readonly [Field in keyof KeyFields]?: KeyFields[Field] | undefined },
  ): Promise<ServiceKey>
  /** Returns a key that isn't revoked. @throws {SottoError} service/not-found */
  find(keyId: string, options?: CallOptions): Promise<FoundKey>
  /** Revokes it permanently. If it's in use, no account is active afterwards. */
  revoke(found: FoundKey): Promise<ServiceKey>
  /**
   * Replaces a key. `revoked`: the old one is known to be revoked. A failure before that leaves the old key
   * unchanged, and in use if it was.
   */
  rotate(keyId: string): Promise<{ key: ServiceKey; secret: string; revoked: boolean }>
  /** Returns the key itself. */
  reveal(keyId: string): Promise<string>
}

interface Parts {
  readonly fetch: Fetch
  readonly now: () => number
  readonly accounts: Accounts
}

/**
 * Returns a function that creates the keys of the active account.
 * @throws {SottoError} by the calls: service/no-account; service/no-credit-id – the account can't list keys
 */
export function serviceKeysOf(parts: Parts): () => ServiceKeys {
  const known: KnownKeys = new Map()
  return () => createServiceKeys(parts, known)
}

/** Maps a credential to the service's ID of its key, which is requested once. */
type KnownKeys = Map<string, string>

function createServiceKeys({ fetch, now, accounts }: Parts, known: KnownKeys): ServiceKeys {
  const accountId = accounts.activeId()
  const access = accounts.access()
  const service: Service = { fetch, access: () => access, now }
  const isOurs = ({ id, apiKey }: ApiKey): boolean | null => {
    if (access.apiKey === undefined) return false
    const ours = known.get(access.apiKey)
    if (ours !== undefined) return id === ours
    return apiKey === undefined ? null : apiKey === access.apiKey
  }
  const knowsOurs = (): boolean => access.apiKey === undefined || known.has(access.apiKey)
  const view = (key: ApiKey): ServiceKey => viewOf(key, isOurs(key) === true)

  /** The secrets of the keys are requested only until the key in use is known. */
  async function listed(includeRevoked: boolean, options?: CallOptions): Promise<KeyList> {
    const showKey = !knowsOurs()
    const list = await listKeys(service, { includeRevoked, showKey }, options)
    const ours = showKey ? list.keys.find(({ apiKey }) => apiKey === access.apiKey) : undefined
    if (ours && access.apiKey !== undefined) known.set(access.apiKey, ours.id)
    return list
  }

  async function find(keyId: string, options?: CallOptions, list?: KeyList): Promise<FoundKey> {
    const { keys } = list ?? (await listed(true, options))
    const key = keys.find(({ id }) => id === keyId)
    if (!key) throw new SottoError('service/not-found')
    if (typeof key.revokedAt === 'number')
      throw new SottoError('service/not-found', { detail: msg('The key is already revoked.') })
    return { key, inUse: isOurs(key) }
  }

  async function isRevoked(keyId: string): Promise<boolean> {
    try {
      await revokeKey(service, keyId)
      return true
    } catch {
      // The service may have revoked it although its answer was lost.
      return getKey(service, keyId).then(
        ({ revokedAt }) => typeof revokedAt === 'number',
        () => false,
      )
    }
  }

  return {
    async list(includeRevoked, options) {
      const list = await listed(includeRevoked, options)
      return { keys: list.keys.map(view), unreadable: list.unreadable }
    },
    async create({ name, cap, resetPeriod, expiresAt }) {
      const { apiKey: secret, ...key } = await createKey(service, {
        name,
        spendingCap: cap === null ? null : wireDollars(cap, 'cap'),
        ...(resetPeriod !== null && { resetPeriod }),
        ...(expiresAt !== null && { expiresAt }),
      })
      return { key: viewOf(key, false), secret }
    },
    async update(keyId, { name, cap, resetPeriod, expiresAt }) {
      const spendingCap = typeof cap === 'string' ? wireDollars(cap, 'cap') : cap
      if (!knowsOurs()) await listed(false)
      return view(await updateKey(service, keyId, { name, spendingCap, resetPeriod, expiresAt }))
    },
    find: (keyId, options) => find(keyId, options),
    async revoke({ key, inUse }) {
      await revokeKey(service, key.id)
      if (inUse === true && accounts.activeId() === accountId && accounts.access().apiKey === access.apiKey)
        await accounts.disconnect()
      return { ...viewOf(key, false), revokedAt: now() }
    },
    async rotate(keyId) {
      const list = await listed(true)
      const { key: old, inUse } = await find(keyId, undefined, list)
      // Revoking it depends on this.
      if (inUse === null)
        throw new SottoError('service/response-invalid', {
          detail: msg('The response doesn’t show which key Sotto uses.'),
        })
      const name = freeKeyName(old.name, new Set(list.keys.map((each) => each.name)))
      const replacement = await createKey(service, { name, ...limitsOf(old) })
      if (inUse) await moveTo(replacement)
      const revoked = await isRevoked(old.id)
      // If a revoked key's name becomes free, the new key gets it. Some services reserve it.
      const called = revoked
        ? await updateKey(service, replacement.id, { name: old.name }).then(
            (renamed) => renamed.name,
            () => replacement.name,
          )
        : replacement.name
      const { apiKey: secret, ...key } = replacement
      return { key: { ...viewOf(key, inUse), name: called }, secret, revoked }
    },
    async reveal(keyId) {
      const { apiKey } = await getKey(service, keyId, { showKey: true })
      if (apiKey === undefined)
        throw new SottoError('service/response-invalid', {
          detail: msg('The response doesn’t include the key.'),
        })
      return apiKey
    },
  }

  /**
   * The account switches to the new key before the old one is revoked. If saving fails, the new key is
   * revoked, if possible.
   */
  async function moveTo(replacement: ApiKey & { readonly apiKey: string }): Promise<void> {
    try {
      await accounts.replaceKey(accountId ?? '', access.apiKey ?? '', replacement.apiKey)
      known.set(replacement.apiKey, replacement.id)
    } catch (thrown) {
      await revokeKey(service, replacement.id).catch(() => undefined)
      throw thrown
    }
  }
}

/**
 * Returns the limits of a key for its replacement, which may not do more.
 * @throws {SottoError} service/response-invalid – the service doesn't state them
 */
function limitsOf({ spendingCap, resetPeriod, expiresAt }: ApiKey): {
  spendingCap: number | null
  resetPeriod?: ResetPeriod
  expiresAt?: number
} {
  if (spendingCap === undefined || resetPeriod === undefined || expiresAt === undefined)
    throw new SottoError('service/response-invalid', {
      detail: msg('The response doesn’t include the key’s permissions.'),
    })
  return {
    spendingCap: spendingCap === null ? null : wirePicoUsd(spendingCap, 'cap'),
    ...(resetPeriod !== null && { resetPeriod }),
    ...(expiresAt !== null && { expiresAt }),
  }
}

/** Builds the window's view, without the key itself. Members that the answer doesn't state remain absent. */
function viewOf(
  {
    id,
    name,
    spendingCap,
    spentInPeriod,
    spentInAll,
    resetPeriod,
    resetsAt,
    expiresAt,
    createdAt,
    updatedAt,
    revokedAt,
  }: ApiKey,
  inUse: boolean,
): ServiceKey {
  return {
    id,
    name,
    ...(spendingCap !== undefined && { cap: spendingCap === null ? null : spendingCap.toString() }),
    ...(spentInPeriod !== undefined && { spentInPeriod: spentInPeriod.toString() }),
    ...(spentInAll !== undefined && { spentInAll: spentInAll.toString() }),
    ...(resetPeriod !== undefined && { resetPeriod }),
    ...(resetsAt !== undefined && { resetsAt }),
    ...(expiresAt !== undefined && { expiresAt }),
    ...(createdAt !== undefined && { createdAt }),
    ...(updatedAt !== undefined && { updatedAt }),
    ...(revokedAt !== undefined && { revokedAt }),
    inUse,
  }
}
