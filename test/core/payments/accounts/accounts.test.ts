import { beforeEach, describe, expect, it } from 'vitest'
import { createAccounts, serviceKeysOf, type Accounts } from '../../../../src/core/payments/accounts/index.ts'
import { listKeys } from '../../../../src/core/gateway/service/account/read/keys.ts'
import { sandboxProfile } from '../../../../src/sandbox/profile.ts'
import type { Profile } from '../../../../src/shared/profile.ts'
import { bothOf } from './both-credentials.ts'
import { FragileVault } from './fragile-vault.ts'
import { SimulatedService } from './mock-service.ts'

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/
const PASSPHRASE = 'several words of mine'
const NOW = Date.UTC(2026, 10, 22)
const profileAt = (baseUrl: string, id = 'main'): Profile => ({
  ...sandboxProfile(baseUrl),
  id,
  kind: 'service',
})

let vault: FragileVault
let service: SimulatedService
beforeEach(() => {
  vault = new FragileVault()
  service = new SimulatedService()
})
const open = (profile = profileAt('https://api.service.example')): Promise<Accounts> =>
  createAccounts({ vault, fetch: service.fetch, profile, now: () => NOW })
const refused = (code: string): unknown => expect.objectContaining({ code })
const single = (part: object = {}) =>
  vault.secrets.set(
    'account/main',
    Buffer.from(
      JSON.stringify({
        origin: 'https://api.service.example',
        apiKey: 'sk-kept-before',
        creditId: 'credit-before',
        ...part,
      }),
    ),
  )
const agree = () => Promise.resolve()

describe('the single account of an earlier version', () => {
  it('is migrated as the active one, with a stable ID', async () => {
    single()
    const accounts = await open()
    const [account, ...others] = accounts.list()
    expect(others).toEqual([])
    expect(account).toMatchObject({
      name: 'Account',
      active: true,
      keyMasked: 'sk-…fore',
      creditIdMasked: '…fore',
      saved: false,
      addedAt: NOW,
    })
    expect(account?.id).toMatch(UUID)
    expect(accounts.access()).toEqual({
      baseUrl: 'https://api.service.example',
      revision: 'B',
      apiKey: 'sk-kept-before',
      creditId: 'credit-before',
    })
    expect(vault.secrets.has('account/main')).toBe(false)
    expect((await open()).activeId()).toBe(account?.id)
  })

  it('is still available after a failure at any step of the migration', async () => {
    single()
    vault.failsAt = (call) => call === 'set'
    await expect(open()).rejects.toEqual(refused('store/unwritable'))
    vault.failsAt = (call) => call === 'delete'
    await expect(open()).rejects.toEqual(refused('store/unwritable'))
    expect(vault.secrets.has('account/main')).toBe(true)
    vault.failsAt = () => false
    expect((await open()).list()).toMatchObject([{ name: 'Account', active: true }])
    expect([...vault.secrets.keys()]).toEqual(['accounts/main'])
  })

  it('joins the other accounts if the earlier version was used in between', async () => {
    await (await open()).create('New')
    single({ creditId: undefined })
    expect((await open()).list()).toMatchObject([
      { name: 'New', active: true },
      { name: 'Account', active: false },
    ])
  })

  it('of another address is saved, and only used for that address', async () => {
    single({ origin: 'https://api.elsewhere.example' })
    const accounts = await open()
    expect([accounts.list(), accounts.activeId(), accounts.access().apiKey]).toEqual([[], null, undefined])
    expect((await open(profileAt('https://api.elsewhere.example'))).list()).toMatchObject([{ active: true }])
  })

  it('is unchanged if it can’t be read', async () => {
    vault.secrets.set('account/main', Buffer.from('{"origin":'))
    expect((await open()).list()).toEqual([])
    expect(vault.secrets.has('account/main')).toBe(true)
  })
})

describe('the data in the vault', () => {
  it.each([
    ['is damaged', '{"form":1,"accounts":', 'vault/damaged'],
    ['is of a newer Sotto', '{"form":2,"people":[]}', 'store/newer-version'],
    [
      'has a key that could end a header',
      JSON.stringify({
        form: 1,
        active: null,
        accounts: [{ id: 'x', origin: 'o', name: 'n', apiKey: 'sk-a\r\nb: 1', addedAt: 0, saved: false }],
      }),
      'vault/damaged',
    ],
  ])('that %s is neither used nor overwritten', async (_what, text, code) => {
    vault.secrets.set('accounts/main', Buffer.from(text))
    await expect(open()).rejects.toEqual(refused(code))
    expect(Buffer.from(vault.secrets.get('accounts/main') ?? []).toString()).toBe(text)
  })

  it('belongs to one profile and one address', async () => {
    await (await open()).create()
    expect((await open(profileAt('https://api.service.example', 'other'))).list()).toEqual([])
    expect((await open(profileAt('https://api.service.example:8443'))).list()).toEqual([])
    expect((await open()).list()).toHaveLength(1)
  })
})

describe('several accounts', () => {
  it('one or none is active, and all stay saved', async () => {
    const accounts = await open()
    const { account: first, credentials } = await accounts.create()
    const { account: second } = await accounts.create('Second')
    expect(new Set([first.id, second.id]).size).toBe(2)
    expect(accounts.list().map(({ name, active }) => [name, active])).toEqual([
      ['Account', false],
      ['Second', true],
    ])
    await accounts.activate(first.id)
    expect(accounts.access()).toMatchObject(credentials)
    await accounts.disconnect()
    expect([accounts.activeId(), accounts.access().apiKey, accounts.access().creditId]).toEqual([
      null,
      undefined,
      undefined,
    ])
    const again = await open()
    expect(again.list().map(({ id, active }) => [id, active])).toEqual([
      [first.id, false],
      [second.id, false],
    ])
    expect(again.accessOf(first.id)).toMatchObject(credentials)
  })

  it('are named, renamed, marked as saved and removed one by one', async () => {
    const accounts = await open()
    const ids = [await accounts.create(), await accounts.create(), await accounts.create()].map(
      ({ account }) => account.id,
    )
    expect(accounts.list().map(({ name }) => name)).toEqual(['Account', 'Account 2', 'Account 3'])
    expect(await accounts.rename(ids[0] ?? '', 'Mine')).toMatchObject({ name: 'Mine', saved: false })
    expect(await accounts.markSaved(ids[0] ?? '')).toMatchObject({ name: 'Mine', saved: true })
    await accounts.forget(ids[1] ?? '')
    expect(accounts.activeId()).toBe(ids[2])
    await accounts.forget(ids[2] ?? '')
    expect(accounts.activeId()).toBeNull()
    expect((await open()).list()).toMatchObject([{ id: ids[0], name: 'Mine', saved: true, active: false }])
  })

  it('an unknown one is refused', async () => {
    const accounts = await open()
    for (const call of [
      () => accounts.activate('none'),
      () => accounts.rename('none', 'x'),
      () => accounts.markSaved('none'),
      () => accounts.forget('none'),
      () => accounts.replaceKey('none', 'a', 'b'),
    ]) {
      await expect(call()).rejects.toEqual(refused('account/unknown'))
    }
    for (const call of [
      () => accounts.accessOf('none'),
      () => accounts.get('none'),
      () => accounts.credentialsOf('none'),
    ])
      expect(call).toThrow(refused('account/unknown'))
  })

  it('accounts that are added at once are all saved', async () => {
    const accounts = await open()
    await Promise.all([accounts.create('A'), accounts.create('B'), accounts.create('C')])
    expect(
      (await open())
        .list()
        .map(({ name }) => name)
        .sort(),
    ).toEqual(['A', 'B', 'C'])
    expect((await open()).list().filter(({ active }) => active)).toHaveLength(1)
  })
})

describe('a new account whose response has one credential', () => {
  const createdWith = (...members: readonly ('credit_id' | 'api_key')[]) => {
    service.created = (credentials) =>
      Object.fromEntries(members.map((member) => [member, credentials[member]]))
  }

  it.each([
    ['credit_id', { creditId: 'credit-0001' }, { creditIdMasked: '…0001' }, 'keyMasked'],
    ['api_key', { apiKey: 'sk-live-0001' }, { keyMasked: 'sk-…0001' }, 'creditIdMasked'],
  ] as const)(
    'is saved with its %s, and found after a restart',
    async (member, credentials, shown, missing) => {
      createdWith(member)
      const created = await (await open()).create()
      expect(created).toMatchObject({ credentials, account: { ...shown, active: true, saved: false } })
      expect(created.account).not.toHaveProperty(missing)
      const again = await open()
      expect(again.list()).toEqual([created.account])
      expect(again.credentialsOf(created.account.id)).toEqual(credentials)
      expect(again.access()).toEqual({
        baseUrl: 'https://api.service.example',
        revision: 'B',
        ...credentials,
      })
    },
  )

  it('with only its credit ID manages its keys, and is completed by one of them', async () => {
    createdWith('credit_id')
    const accounts = await open()
    const { account } = await accounts.create()
    const keys = serviceKeysOf({ fetch: service.fetch, now: () => NOW, accounts })()
    const { secret } = await keys.create({ name: 'Mine', cap: null, resetPeriod: null, expiresAt: null })
    expect((await keys.list(false)).keys.map(({ inUse }) => inUse)).toEqual([false, false])
    await accounts.connect({ apiKey: secret, creditId: 'credit-0001' })
    expect(accounts.list()).toMatchObject([{ id: account.id, active: true }])
    expect(accounts.credentialsOf(account.id)).toEqual({ apiKey: secret, creditId: 'credit-0001' })
  })

  it('is in a backup, and is restored with that credential', async () => {
    createdWith('credit_id')
    const accounts = await open()
    const { account } = await accounts.create()
    const text = await accounts.backup(PASSPHRASE, [account.id])
    vault = new FragileVault()
    const restored = await open()
    expect(await restored.restore(text, PASSPHRASE, agree)).toMatchObject([{ id: account.id, saved: true }])
    expect(restored.credentialsOf(account.id)).toEqual({ creditId: 'credit-0001' })
  })

  it('never replaces the credentials of a saved account', async () => {
    const accounts = await open()
    service.created = () => ({ credit_id: 'credit-mine' })
    const { account } = await accounts.create()
    service.created = () => ({ credit_id: 'credit-mine', api_key: 'sk-first-one' })
    expect((await accounts.create()).account.id).toBe(account.id)
    service.created = () => ({ credit_id: 'credit-mine', api_key: 'sk-second-one' })
    const { account: other } = await accounts.create()
    expect((await open()).list().map(({ id }) => accounts.credentialsOf(id))).toEqual([
      { creditId: 'credit-mine', apiKey: 'sk-first-one' },
      { creditId: 'credit-mine', apiKey: 'sk-second-one' },
    ])
    expect(accounts.activeId()).toBe(other.id)
    service.created = () => ({ credit_id: 'credit-mine' })
    await expect(accounts.create()).rejects.toEqual(refused('account/already-exists'))
  })

  it('with neither credential is refused, and nothing changes', async () => {
    createdWith()
    const accounts = await open()
    await expect(accounts.create()).rejects.toEqual(refused('service/response-invalid'))
    expect(accounts.list()).toEqual([])
  })
})

describe('a connected account', () => {
  it('is saved after the service accepted its key, with or without its credit ID', async () => {
    const accounts = await open()
    const key = service.newKey('credit-mine')
    await accounts.connect({ apiKey: key.api_key })
    expect(accounts.list()).toMatchObject([{ active: true, keyMasked: 'sk-…0001' }])
    expect(accounts.list()[0]).not.toHaveProperty('creditIdMasked')
    expect(service.asked).toMatchObject([{ path: '/credits/balance', body: '{}' }])

    const other = service.newKey('credit-other')
    await accounts.connect({ apiKey: other.api_key, creditId: 'credit-other' }, 'Other')
    expect(accounts.list()).toMatchObject([
      { active: false },
      { name: 'Other', active: true, creditIdMasked: '…ther' },
    ])
  })

  it.each([
    ['a key that the service refuses', { apiKey: 'sk-of-nobody' }, 'service/key-refused'],
    [
      'a credit id that the service does not know',
      { apiKey: 'sk-live-0001', creditId: 'credit-none' },
      'request/invalid',
    ],
    [
      'the credit id of another account',
      { apiKey: 'sk-live-0001', creditId: 'credit-other' },
      'request/invalid',
    ],
    ['a key that could end a header', { apiKey: 'sk-bad\r\nx-evil: 1' }, 'proxy/invalid-request'],
    [
      'a credit id that could end a header',
      { apiKey: 'sk-live-0001', creditId: 'credit\r\nx: 1' },
      'proxy/invalid-request',
    ],
  ])('isn’t saved with %s', async (_what, credentials, code) => {
    service.newKey('credit-mine')
    service.newKey('credit-other')
    const accounts = await open()
    await expect(accounts.connect(credentials)).rejects.toEqual(refused(code))
    expect([accounts.list(), vault.secrets.size]).toEqual([[], 0])
  })

  it('is refused if its key or its credit ID is already saved', async () => {
    const accounts = await open()
    const { apiKey, creditId } = bothOf((await accounts.create()).credentials)
    await expect(accounts.connect({ apiKey })).rejects.toEqual(refused('account/already-exists'))
    await expect(accounts.connect({ apiKey, creditId })).rejects.toEqual(refused('account/already-exists'))
    const stranger = service.newKey('credit-other')
    await expect(accounts.connect({ apiKey: stranger.api_key, creditId })).rejects.toEqual(
      refused('request/invalid'),
    )
    expect(accounts.list()).toHaveLength(1)
  })

  it('is completed by its credit ID if only its key was saved', async () => {
    const accounts = await open()
    const key = service.newKey('credit-mine')
    await accounts.connect({ apiKey: key.api_key }, 'Mine')
    const id = accounts.activeId()
    await accounts.connect({ apiKey: key.api_key, creditId: 'credit-mine' })
    expect(accounts.list()).toMatchObject([{ id, name: 'Mine', creditIdMasked: '…mine' }])
  })

  it('gets another of its keys only if the service shows that it’s one', async () => {
    const accounts = await open()
    const {
      account: { id },
      credentials,
    } = await accounts.create('Mine')
    const { creditId } = bothOf(credentials)
    const another = service.newKey(creditId, { name: 'Another' })
    service.showsKeys = false
    await expect(accounts.connect({ apiKey: another.api_key, creditId })).rejects.toEqual(
      refused('account/already-exists'),
    )
    service.showsKeys = true
    await accounts.connect({ apiKey: another.api_key, creditId })
    expect(accounts.list()).toMatchObject([{ id, name: 'Mine' }])
    expect(accounts.access().apiKey).toBe(another.api_key)
  })
})

describe('if the vault can’t be written', () => {
  it('nothing is lost or half done', async () => {
    const accounts = await open()
    const { account, credentials } = await accounts.create('First')
    const before = accounts.list()
    vault.failsAt = () => true
    const stranger = service.newKey('credit-other')
    const calls: Record<string, () => Promise<unknown>> = {
      create: () => accounts.create(),
      connect: () => accounts.connect({ apiKey: stranger.api_key }),
      rename: () => accounts.rename(account.id, 'Else'),
      markSaved: () => accounts.markSaved(account.id),
      disconnect: () => accounts.disconnect(),
      forget: () => accounts.forget(account.id),
      replaceKey: () => accounts.replaceKey(account.id, bothOf(credentials).apiKey, 'sk-other-key'),
      backup: () => accounts.backup(PASSPHRASE, [account.id]),
    }
    for (const [name, call] of Object.entries(calls)) {
      await expect(call(), name).rejects.toEqual(refused('store/unwritable'))
      expect([accounts.list(), accounts.activeId(), accounts.access().apiKey], name).toEqual([
        before,
        account.id,
        credentials.apiKey,
      ])
    }
    vault.failsAt = () => false
    expect(service.asked.filter(({ path }) => path === '/accounts/create')).toHaveLength(1)
    expect((await open()).list()).toEqual(before)
    await accounts.rename(account.id, 'Else')
    expect((await open()).list()).toMatchObject([{ name: 'Else' }])
  })

  it('a new account isn’t returned before it’s saved', async () => {
    const accounts = await open()
    const written = Promise.withResolvers<undefined>()
    // The write before the request only shows that the vault takes one.
    vault.before = async () => (service.asked.length === 0 ? undefined : written.promise)
    let resolved = false
    const creating = accounts.create().then((created) => {
      resolved = true
      return created
    })
    await expect.poll(() => service.asked.length).toBe(1)
    expect([resolved, accounts.list(), accounts.access().apiKey]).toEqual([false, [], undefined])
    written.resolve(undefined)
    const { credentials } = await creating
    expect((await open()).access()).toMatchObject(credentials)
  })
})

describe('a request in progress', () => {
  it('uses the account that it began with, also for a retry', async () => {
    const accounts = await open()
    const { account: first, credentials } = await accounts.create()
    await accounts.create('Second')
    await accounts.activate(first.id)
    const access = accounts.access()
    let tries = 0
    service.interrupt = ({ path }) => {
      if (path !== '/keys' || (tries += 1) > 1) return undefined
      void accounts.activate(accounts.list()[1]?.id ?? '')
      return { status: 503 }
    }
    const { keys } = await listKeys({ fetch: service.fetch, access: () => accounts.access() })
    expect(
      service.asked.filter(({ path }) => path === '/keys').map(({ headers }) => headers['x-credit-id']),
    ).toEqual([credentials.creditId, credentials.creditId])
    expect(keys).toHaveLength(1)
    expect(accounts.list()).toMatchObject([{ active: false }, { active: true }])
    expect(access).toMatchObject(credentials)
    expect(accounts.access().apiKey).not.toBe(credentials.apiKey)
  })
})

describe('a backup', () => {
  interface Backup {
    readonly text: string
    readonly before: ReturnType<Accounts['list']>
    readonly accounts: Accounts
  }
  /** Of two accounts, the second of which was active. Made once: to derive a key takes its time. */
  let once: Promise<Backup> | undefined
  const createBackup = (): Promise<Backup> =>
    (once ??= (async () => {
      const accounts = await open()
      await accounts.create('First')
      await accounts.connect({ apiKey: service.newKey('credit-two').api_key }, 'Second')
      const text = await accounts.backup(
        PASSPHRASE,
        accounts.list().map(({ id }) => id),
      )
      expect((await open()).list()).toEqual(accounts.list())
      return { text, before: accounts.list(), accounts }
    })())
  const elsewhere = () => {
    vault = new FragileVault()
    return open()
  }

  it('marks every account as saved, and reveals nothing about them', async () => {
    const { text, before } = await createBackup()
    expect(before).toMatchObject([{ saved: true }, { saved: true }])
    for (const hidden of ['sk-live', 'credit-', 'First', 'service.example'])
      expect(text).not.toContain(hidden)
  })

  it('restores everything on another machine, under the same IDs', async () => {
    const { text, before, accounts } = await createBackup()
    const credentials = before.map(({ id }) => accounts.credentialsOf(id))
    const restored = await elsewhere()
    expect(await restored.restore(text, PASSPHRASE, agree)).toEqual(before)
    expect(before.map(({ id }) => restored.credentialsOf(id))).toEqual(credentials)
    expect((await open()).list()).toEqual(before)
  })

  it('adds missing accounts, and changes neither the existing ones nor which one is active', async () => {
    const { text, before } = await createBackup()
    const restored = await elsewhere()
    for (const _ of [1, 2, 3]) service.newKey('credit-of-others')
    const { account } = await restored.create('Own')
    expect(
      (await restored.restore(text, PASSPHRASE, agree)).map(({ name, active }) => [name, active]),
    ).toEqual([
      ['Own', true],
      ['First', false],
      ['Second', false],
    ])
    expect(await restored.restore(text, PASSPHRASE, agree)).toHaveLength(3)
    expect(restored.activeId()).toBe(account.id)
    await restored.rename(before[0]?.id ?? '', 'Renamed')
    expect((await restored.restore(text, PASSPHRASE, agree)).map(({ name }) => name)).toEqual([
      'Own',
      'Renamed',
      'Second',
    ])
  })

  it('from before a key was replaced doesn’t count as a copy of the new key', async () => {
    const { text, before } = await createBackup()
    const restored = await elsewhere()
    await restored.restore(text, PASSPHRASE, agree)
    const id = before[0]?.id ?? ''
    const { apiKey } = bothOf(restored.credentialsOf(id))
    await restored.replaceKey(id, apiKey, 'sk-live-new-1234')
    expect((await restored.restore(text, PASSPHRASE, agree)).map(({ saved }) => saved)).toEqual([false, true])
    expect(restored.credentialsOf(id).apiKey).toBe('sk-live-new-1234')
  })

  it('doesn’t take the ID of another account', async () => {
    const { text, before } = await createBackup()
    const takenId = before[0]?.id ?? ''
    vault = new FragileVault()
    vault.secrets.set(
      'accounts/main',
      Buffer.from(
        JSON.stringify({
          form: 1,
          active: null,
          accounts: [
            {
              id: takenId,
              origin: 'https://api.service.example',
              name: 'Else',
              apiKey: 'sk-else-0000',
              addedAt: 1,
              saved: false,
            },
          ],
        }),
      ),
    )
    const restored = await open()
    const list = await restored.restore(text, PASSPHRASE, agree)
    expect(new Set(list.map(({ id }) => id)).size).toBe(3)
    expect(restored.credentialsOf(takenId).apiKey).toBe('sk-else-0000')
  })

  it.each([
    ['a wrong passphrase', (text: string) => [text, 'several words of yours'], 'account/backup-passphrase'],
    [
      'a byte that was changed',
      (text: string) => [
        text.replace(/"sealed":"(.)/, (_, first) => `"sealed":"${first === 'A' ? 'B' : 'A'}`),
        PASSPHRASE,
      ],
      'account/backup-invalid',
    ],
    ['something else', () => ['{"accounts":[]}', PASSPHRASE], 'account/backup-invalid'],
    [
      'more than a backup can be',
      (text: string) => [`${text}${' '.repeat(1024 * 1024)}`, PASSPHRASE],
      'account/backup-invalid',
    ],
  ])('is refused in the case of %s, and nothing is added', async (_what, change, code) => {
    const { text } = await createBackup()
    const restored = await elsewhere()
    const [other = '', passphrase = ''] = change(text)
    await expect(restored.restore(other, passphrase, agree)).rejects.toEqual(refused(code))
    expect([restored.list(), vault.secrets.size]).toEqual([[], 0])
  })

  it('of another service is refused', async () => {
    const { text } = await createBackup()
    const other = await open(profileAt('https://api.elsewhere.example', 'elsewhere'))
    await expect(other.restore(text, PASSPHRASE, agree)).rejects.toEqual(refused('account/backup-invalid'))
  })

  it('adds nothing before it’s confirmed, or if the vault can’t be written', async () => {
    const { text } = await createBackup()
    const restored = await elsewhere()
    const asked: number[] = []
    await expect(
      restored.restore(text, PASSPHRASE, (count) => {
        asked.push(count)
        return Promise.reject(new Error('no'))
      }),
    ).rejects.toThrow('no')
    vault.failsAt = () => true
    await expect(restored.restore(text, PASSPHRASE, agree)).rejects.toEqual(refused('store/unwritable'))
    expect([asked, restored.list(), restored.activeId()]).toEqual([[2], [], null])
  })
})
