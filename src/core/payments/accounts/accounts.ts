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
  masked,
  sameAccount,
  type AccountRecord,
  type AccountRecords,
  type Credentials,
} from './account-records.ts'
import { ofOrigin, openBackup, sealBackup, withRestored } from './backup.ts'
import { createStoredAccounts } from './stored-accounts.ts'

/** The accounts of one profile's service: several are kept, and one is active or none. */
export interface Accounts {
  /** Of the active account; of nobody where there is none. What it gives stays what it was, whichever is active later. */
  access(): ServiceAccess
  activeId(): string | null
  /** Of one that is kept. Throws account/unknown. */
  accessOf(accountId: string): ServiceAccess
  creditIdMasked(): string | undefined
  list(): ServiceAccount[]
  /** Throws account/unknown. */
  get(accountId: string): ServiceAccount
  /**
   * Keeps it and makes it active, once the service took its credentials. An account that is kept is completed by its credit id,
   * or takes another of its keys. Throws account/already-exists, proxy/invalid-request, request/invalid, and the service's refusals.
   */
  connect(credentials: Credentials & { readonly apiKey: string }, name?: string): Promise<void>
  /**
   * Creates an account at the service. Whatever credential the answer holds is in the vault when this resolves, and the account is active.
   *
   * @throws {SottoError} store/… or vault/… – the vault can't be written, and the service wasn't asked; account/already-exists – the credentials are saved already; service/…
   */
  create(name?: string): Promise<{ account: ServiceAccount; credentials: AccountCredentials }>
  activate(accountId: string): Promise<void>
  rename(accountId: string, name: string): Promise<ServiceAccount>
  markSaved(accountId: string): Promise<ServiceAccount>
  disconnect(): Promise<void>
  forget(accountId: string): Promise<void>
  /** Secrets. */
  credentialsOf(accountId: string): AccountCredentials
  /** The account pays by another of its keys from now on. Throws account/unknown where it does not pay by `from` any more. */
  replaceKey(accountId: string, from: string, to: string): Promise<void>
  /** These accounts of the service, as one text that the passphrase opens; they count as saved then. */
  backup(passphrase: string, accountIds: readonly string[]): Promise<string>
  /** `agree` is waited for before anything is kept, with how many accounts there are. Throws account/backup-invalid, account/backup-passphrase, and what `agree` throws. */
  restore(
    text: string,
    passphrase: string,
    agree: (count: number) => Promise<void>,
  ): Promise<ServiceAccount[]>
  /** Pico-USD. */
  balance(options?: CallOptions): Promise<bigint>
}

/**
 * @param onSwitch called when another account becomes active, or none
 * @throws {SottoError} vault/… – the vault isn't open, or its content isn't understood
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
  const kept = await createStoredAccounts({ vault, profileId: profile.id, now, onSwitch })
  // The sandbox opens another port at each start: what it is known by is that it is the sandbox.
  const origin = profile.kind === 'sandbox' ? 'sandbox' : new URL(profile.baseUrl).origin
  const place: ServiceAccess = {
    baseUrl: withoutTrailing('/', profile.baseUrl),
    revision: profile.revision,
    ...(isDirect(profile) && { direct: true as const }),
    ...(profile.alternativeBaseUrl !== undefined && {
      alternativeBaseUrl: withoutTrailing('/', profile.alternativeBaseUrl),
    }),
  }
  const own = ({ accounts }: AccountRecords = kept.now()): AccountRecord[] =>
    accounts.filter((account) => account.origin === origin)
  const active = (): AccountRecord | undefined => own().find(({ id }) => id === kept.now().active)
  function find(accountId: string, records: AccountRecords = kept.now()): AccountRecord {
    const found = own(records).find(({ id }) => id === accountId)
    if (!found) throw new SottoError('account/unknown')
    return found
  }
  const view = (account: AccountRecord): ServiceAccount =>
    accountView(account, account.id === kept.now().active)
  const accessWith = ({ apiKey, creditId }: Credentials): ServiceAccess => ({
    ...place,
    ...(apiKey !== undefined && { apiKey }),
    ...(creditId !== undefined && { creditId }),
  })
  const access = (): ServiceAccess => {
    const account = active()
    return account ? accessWith(account) : place
  }
  /** Changes one account; the others stay as they are. */
  function changeOne(
    accountId: string,
    change: (account: AccountRecord) => Partial<AccountRecord>,
    activate = false,
  ): Promise<void> {
    return kept.change((records) => {
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
    await kept.change((records) => {
      const called = name ?? freeAccountName(own(records).map((account) => account.name))
      const account = {
        id,
        origin,
        name: called,
        ...(apiKey !== undefined && { apiKey }),
        ...(creditId !== undefined && { creditId }),
        addedAt: now(),
        saved: false,
      }
      const twins = own(records).filter((other) => sameAccount(other, account))
      if (
        twins.some(
          (twin) =>
            !fresh ||
            (twin.apiKey === (apiKey ?? twin.apiKey) && twin.creditId === (creditId ?? twin.creditId)),
        )
      )
        throw new SottoError('account/already-exists')
      // A service that answers with a part of an account that is kept completes it. A credential that contradicts one stays beside it.
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
    creditIdMasked: () => {
      const creditId = active()?.creditId
      return creditId === undefined ? undefined : masked(creditId)
    },
    list: () => own().map(view),
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
      const [twin, ...more] = own().filter((account) => sameAccount(account, { origin, apiKey, creditId }))
      const news = twin && (twin.apiKey !== apiKey || (twin.creditId === undefined && creditId !== undefined))
      if (twin && (!news || more.length > 0)) throw new SottoError('account/already-exists')
      // A key that the service refuses is not kept. It is asked by the key alone: to a credit id anybody is answered.
      // Without a service nothing tells whether a key is good before the first message.
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
      // Another key takes the place of the one that is kept only where the service shows that it is of the same account.
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
      // The answer's credentials can't be asked for again, so a vault that takes nothing is noticed before the service is asked.
      await kept.change((records) => ({ ...records }))
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
      kept.change((records) => (records.active === null ? records : { ...records, active: null })),
    forget: (accountId) =>
      kept.change((records) => {
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
        // A copy that was saved before does not hold this key.
        return { apiKey: to, saved: false }
      }),
    async backup(passphrase, accountIds) {
      const records = kept.now()
      const accounts = own(records).filter(({ id }) => accountIds.includes(id))
      const sealed = {
        ...records,
        active: accounts.find(({ id }) => id === records.active)?.id ?? null,
        accounts,
      }
      const text = await sealBackup(sealed, passphrase)
      await kept.change((records) => ({
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
      const backup = await openBackup(text, passphrase)
      await agree(ofOrigin(backup, origin).length)
      await kept.change((records) => withRestored(records, backup, origin))
      return own().map(view)
    },
    balance: (options) => readBalance({ fetch, access }, options),
  }
}

/** Whether the account of the credit id has the key; undefined where the service does not show its keys. Throws request/invalid for a credit id that it does not know. */
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
