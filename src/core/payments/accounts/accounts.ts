import { randomUUID } from 'node:crypto'
import { isDirect } from '../../../shared/direct.ts'
import { SottoError } from '../../../shared/errors.ts'
import type { Fetch } from '../../../shared/fetch.ts'
import type { Profile } from '../../../shared/profile.ts'
import { msg } from '../../../shared/localized-text.ts'
import type { ServiceAccount } from '../../../shared/service-account.ts'
import { withoutTrailing } from '../../../shared/without-trailing.ts'
import {
  createAccount,
  credentialSchema,
  type AccountCredentials,
} from '../../gateway/service/account/create-account.ts'
import { readBalance } from '../../gateway/service/account/read/balance.ts'
import { listKeys } from '../../gateway/service/account/read/keys.ts'
import type { ServiceAccess } from '../../gateway/service/http/access.ts'
import type { CallOptions } from '../../gateway/service/http/perform.ts'
import type { Vault } from '../../storage/vault/index.ts'
import {
  accountView,
  canComplete,
  freeAccountName,
  sameAccount,
  type AccountRecord,
  type AccountRecords,
  type Credentials,
} from './account-records.ts'
import { ofOrigin, decryptBackup, sealBackup, withRestored } from './backup.ts'
import { createStoredAccounts } from './stored-accounts.ts'

/** The accounts of one profile's service: several may be saved, and at most one is active. */
export interface Accounts {
  /**
   * Returns the access with the active account's credentials, or without credentials. A returned value
   * doesn't change when another account becomes active.
   */
  access(): ServiceAccess
  activeId(): string | null
  /** Returns the access of a saved account. @throws {SottoError} account/unknown */
  accessOf(accountId: string): ServiceAccess
  list(): ServiceAccount[]
  /** @throws {SottoError} account/unknown */
  get(accountId: string): ServiceAccount
  /**
   * Saves an account and makes it active, after the service accepted its credentials. A saved account is
   * completed with its credit ID, or gets another of its keys.
   * @throws {SottoError} account/already-exists, proxy/invalid-request, request/invalid, and the service's
   * refusals
   */
  connect(credentials: Credentials & { readonly apiKey: string }, name?: string): Promise<void>
  /**
   * Creates an account at the service. When this resolves, every credential in the answer is in the vault,
   * and the account is active.
   * @throws {SottoError} store/… or vault/… – the vault can't be written, and no request was sent;
   * account/already-exists – the credentials are already saved; service/…
   */
  create(name?: string): Promise<{ account: ServiceAccount; credentials: AccountCredentials }>
  activate(accountId: string): Promise<void>
  rename(accountId: string, name: string): Promise<ServiceAccount>
  markSaved(accountId: string): Promise<ServiceAccount>
  disconnect(): Promise<void>
  forget(accountId: string): Promise<void>
  /** Returns secrets. */
  credentialsOf(accountId: string): AccountCredentials
  /**
   * Replaces the key with which the account pays.
   * @throws {SottoError} account/unknown – it no longer pays with `from`
   */
  replaceKey(accountId: string, from: string, to: string): Promise<void>
  /**
   * Returns these accounts of the service as one text, encrypted with the passphrase, and marks them as
   * saved.
   */
  backup(passphrase: string, accountIds: readonly string[]): Promise<string>
  /**
   * Restores accounts. `agree` gets their number and is awaited before anything is saved.
   * @throws {SottoError} account/backup-invalid, account/backup-passphrase, and the errors of `agree`
   */
  restore(
    text: string,
    passphrase: string,
    agree: (count: number) => Promise<void>,
  ): Promise<ServiceAccount[]>
  /** Pico-USD. */
  balance(options?: CallOptions): Promise<bigint>
}

/** Returns the addresses of a profile's service, without credentials. */
export function accessWithoutAccount(profile: Profile): ServiceAccess {
  return {
    baseUrl: withoutTrailing('/', profile.baseUrl),
    revision: profile.revision,
    ...(isDirect(profile) && { direct: true as const }),
    ...(profile.alternativeBaseUrl !== undefined && {
      alternativeBaseUrl: withoutTrailing('/', profile.alternativeBaseUrl),
    }),
  }
}

/**
 * Creates the accounts of a profile.
 * @param onSwitch called when another account becomes active, or none
 * @throws {SottoError} vault/… – the vault is locked, or its content is unreadable
 */
export async function createAccounts({
  vault,
  fetch,
  profile,
  now,
  onSwitch = () => undefined,
}: {
  vault: Vault
  fetch: Fetch
  profile: Profile
  now: () => number
  onSwitch?: () => void
}): Promise<Accounts> {
  const stored = await createStoredAccounts({ vault, profileId: profile.id, now, onSwitch })
  // The sandbox uses another port at each start, so its identity is the fixed text.
  const origin = profile.kind === 'sandbox' ? 'sandbox' : new URL(profile.baseUrl).origin
  const place = accessWithoutAccount(profile)
  const ownAccounts = ({ accounts }: AccountRecords = stored.now()): AccountRecord[] =>
    accounts.filter((account) => account.origin === origin)
  const active = (): AccountRecord | undefined => ownAccounts().find(({ id }) => id === stored.now().active)
  function find(accountId: string, records: AccountRecords = stored.now()): AccountRecord {
    const found = ownAccounts(records).find(({ id }) => id === accountId)
    if (!found) throw new SottoError('account/unknown')
    return found
  }
  const view = (account: AccountRecord): ServiceAccount =>
    accountView(account, account.id === stored.now().active)
  const accessWith = ({ apiKey, creditId }: Credentials): ServiceAccess => ({
    ...place,
    ...(apiKey !== undefined && { apiKey }),
    ...(creditId !== undefined && { creditId }),
  })
  const access = (): ServiceAccess => {
    const account = active()
    return account ? accessWith(account) : place
  }
  /** Changes one account; the others remain unchanged. */
  function changeOne(
    accountId: string,
    change: (account: AccountRecord) => Partial<AccountRecord>,
    activate = false,
  ): Promise<void> {
    return stored.change((records) => {
      const account = find(accountId, records)
      return {
        ...records,
        ...(activate && { active: accountId }),
        accounts: records.accounts.map((each) => (each === account ? { ...each, ...change(each) } : each)),
      }
    })
  }
  async function add(
    { apiKey, creditId }: Credentials,
    name: string | undefined,
    { fresh = false } = {},
  ): Promise<AccountRecord> {
    let id: string = randomUUID()
    await stored.change((records) => {
      const called = name ?? freeAccountName(ownAccounts(records).map((account) => account.name))
      const account = {
        id,
        origin,
        name: called,
        ...(apiKey !== undefined && { apiKey }),
        ...(creditId !== undefined && { creditId }),
        addedAt: now(),
        saved: false,
      }
      const twins = ownAccounts(records).filter((other) => sameAccount(other, account))
      if (
        twins.some(
          (twin) =>
            !fresh ||
            (twin.apiKey === (apiKey ?? twin.apiKey) && twin.creditId === (creditId ?? twin.creditId)),
        )
      )
        throw new SottoError('account/already-exists')
      // If the answer has a part of a saved account, it completes that account. If a credential contradicts
      // it, both accounts are saved.
      const incomplete = twins.find((twin) => canComplete(twin, account))
      if (!incomplete) return { ...records, active: id, accounts: [...records.accounts, account] }
      id = incomplete.id
      return {
        ...records,
        active: id,
        accounts: records.accounts.map((each) =>
          each === incomplete ? { ...account, ...each, saved: false } : each,
        ),
      }
    })
    return find(id)
  }

  return {
    access,
    activeId: () => active()?.id ?? null,
    accessOf: (accountId) => accessWith(find(accountId)),
    list: () => ownAccounts().map(view),
    get: (accountId) => view(find(accountId)),
    async connect({ apiKey, creditId }, name) {
      const malformed = !credentialSchema.safeParse(apiKey).success
        ? 'apiKey'
        : creditId !== undefined && !credentialSchema.safeParse(creditId).success
          ? 'creditId'
          : undefined
      if (malformed !== undefined) {
        throw new SottoError('proxy/invalid-request', {
          param: malformed,
          detail: msg(
            'API keys and credit IDs have 8 to 200 letters, digits, periods, dashes, or underscores.',
          ),
        })
      }
      const [twin, ...more] = ownAccounts().filter((account) =>
        sameAccount(account, { origin, apiKey, creditId }),
      )
      const hasNewCredential =
        twin && (twin.apiKey !== apiKey || (twin.creditId === undefined && creditId !== undefined))
      if (twin && (!hasNewCredential || more.length > 0)) throw new SottoError('account/already-exists')
      // A key that the service refuses isn't saved. The check uses only the key, because the service answers
      // for every credit ID.
      if (place.direct && creditId !== undefined)
        throw new SottoError('service/not-offered', { param: 'creditId' })
      if (!place.direct) await readBalance({ fetch, access: () => accessWith({ apiKey }) })
      const belongs =
        creditId === undefined ? undefined : await keyBelongs(fetch, accessWith({ apiKey, creditId }))
      if (belongs === false)
        throw new SottoError('request/invalid', {
          param: 'creditId',
          detail: msg('The API key and credit ID belong to different accounts.'),
        })
      if (!twin) {
        await add({ apiKey, creditId }, name)
        return
      }
      // Another key replaces the saved one only if the service shows that it belongs to the same account.
      if (twin.apiKey !== undefined && twin.apiKey !== apiKey && belongs !== true)
        throw new SottoError('account/already-exists')
      await changeOne(
        twin.id,
        () => ({
          apiKey,
          ...(creditId !== undefined && { creditId }),
          ...(name !== undefined && { name }),
          saved: false,
        }),
        true,
      )
    },
    async create(name) {
      // The credentials in the answer can't be requested again. Writing the vault first shows whether it can
      // be written.
      await stored.change((records) => ({ ...records }))
      const credentials = await createAccount({ fetch, access: () => place })
      return { account: view(await add(credentials, name, { fresh: true })), credentials }
    },
    activate: (accountId) => changeOne(accountId, () => ({}), true),
    async rename(accountId, name) {
      await changeOne(accountId, () => ({ name }))
      return view(find(accountId))
    },
    async markSaved(accountId) {
      await changeOne(accountId, () => ({ saved: true }))
      return view(find(accountId))
    },
    disconnect: () =>
      stored.change((records) => (records.active === null ? records : { ...records, active: null })),
    forget: (accountId) =>
      stored.change((records) => {
        const account = find(accountId, records)
        return {
          ...records,
          active: records.active === accountId ? null : records.active,
          accounts: records.accounts.filter((each) => each !== account),
        }
      }),
    credentialsOf(accountId) {
      const { apiKey, creditId } = find(accountId)
      return { ...(apiKey !== undefined && { apiKey }), ...(creditId !== undefined && { creditId }) }
    },
    replaceKey: (accountId, from, to) =>
      changeOne(accountId, ({ apiKey }) => {
        if (apiKey !== from) throw new SottoError('account/unknown')
        // An earlier backup doesn't contain this key.
        return { apiKey: to, saved: false }
      }),
    async backup(passphrase, accountIds) {
      const records = stored.now()
      const accounts = ownAccounts(records).filter(({ id }) => accountIds.includes(id))
      const sealed = {
        ...records,
        active: accounts.find(({ id }) => id === records.active)?.id ?? null,
        accounts,
      }
      const text = await sealBackup(sealed, passphrase)
      await stored.change((records) => ({
        ...records,
        accounts: records.accounts.map((account) =>
          sealed.accounts.some(({ id, apiKey }) => id === account.id && apiKey === account.apiKey)
            ? { ...account, saved: true }
            : account,
        ),
      }))
      return text
    },
    async restore(text, passphrase, agree) {
      const backup = await decryptBackup(text, passphrase)
      await agree(ofOrigin(backup, origin).length)
      await stored.change((records) => withRestored(records, backup, origin))
      return ownAccounts().map(view)
    },
    balance: (options) => readBalance({ fetch, access }, options),
  }
}

/**
 * Whether the account of the credit ID has the key; undefined if the service doesn't show its keys.
 * @throws {SottoError} request/invalid – an unknown credit ID
 */
async function keyBelongs(fetch: Fetch, access: ServiceAccess): Promise<boolean | undefined> {
  try {
    const { keys, unreadable } = await listKeys({ fetch, access: () => access }, { showKey: true })
    if (keys.some(({ apiKey }) => apiKey === access.apiKey)) return true
    return unreadable > 0 || keys.some(({ apiKey }) => apiKey === undefined) ? undefined : false
  } catch (thrown) {
    if (!(thrown instanceof SottoError) || thrown.code !== 'service/key-refused') throw thrown
    throw new SottoError('request/invalid', {
      param: 'creditId',
      detail: msg('The service doesn’t recognize this credit ID.'),
    })
  }
}
