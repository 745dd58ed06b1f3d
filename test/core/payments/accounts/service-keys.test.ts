import { beforeEach, describe, expect, it } from 'vitest'
import {
  createAccounts,
  serviceKeysOf,
  type Accounts,
  type ServiceKeys,
} from '../../../../src/core/payments/accounts/index.ts'
import { sandboxProfile } from '../../../../src/sandbox/profile.ts'
import { bothOf } from './both-credentials.ts'
import { FragileVault } from './fragile-vault.ts'
import { SimulatedService, type SimulatedKey } from './mock-service.ts'

const NOW = Date.UTC(2026, 10, 22, 6)
const LIMITS = { usage_limit_usd: 2.5, reset_period: 'weekly', expire_at: '2027-01-31T00:00:00.000Z' }

let vault: FragileVault
let service: SimulatedService
let accounts: Accounts
let keys: () => ServiceKeys
let creditId: string
/** The key that the account was created with. */
let first: SimulatedKey
beforeEach(async () => {
  vault = new FragileVault()
  service = new SimulatedService()
  accounts = await createAccounts({
    vault,
    fetch: service.fetch,
    profile: { ...sandboxProfile('https://api.service.example'), id: 'main', kind: 'service' },
    now: () => NOW,
  })
  creditId = bothOf((await accounts.create()).credentials).creditId
  first = service.keys.get(creditId)?.[0] ?? expect.fail('no key')
  keys = serviceKeysOf({ fetch: service.fetch, now: () => NOW, accounts })
})
const refused = (code: string): unknown => expect.objectContaining({ code })
const accountKeys = () => service.keys.get(creditId) ?? []
const asked = () => service.asked.filter(({ path }) => path.startsWith('/keys'))
/** Whether the account can still pay: the service accepts the key in use, now and after a restart. */
async function pays(): Promise<boolean> {
  const again = await createAccounts({
    vault,
    fetch: service.fetch,
    profile: { ...sandboxProfile('https://api.service.example'), id: 'main', kind: 'service' },
    now: () => NOW,
  })
  return [accounts.access().apiKey, again.access().apiKey].every(
    (apiKey) => apiKey !== undefined && service.works(apiKey),
  )
}

describe('the list of API keys', () => {
  it('shows which key is in use, and contains no key', async () => {
    service.newKey(creditId, { name: 'Editor', ...LIMITS })
    const { keys: listed, unreadable } = await keys().list(false)
    expect([listed, unreadable]).toEqual([
      [
        expect.objectContaining({ id: first._id, name: 'Default', inUse: true, cap: null }),
        expect.objectContaining({
          name: 'Editor',
          inUse: false,
          cap: '2500000000000',
          resetPeriod: 'weekly',
          expiresAt: Date.parse(LIMITS.expire_at),
          revokedAt: null,
        }),
      ],
      0,
    ])
    expect(JSON.stringify(listed)).not.toContain('sk-live')
  })

  it('requests the keys in full only once', async () => {
    const opened = keys()
    await opened.list(false)
    await opened.list(true)
    await keys().list(false)
    expect(asked().map(({ query }) => query)).toEqual(['?show_key=true', '?include_disabled=true', ''])
  })

  it('marks none as in use if the service doesn’t show the keys', async () => {
    service.showsKeys = false
    expect((await keys().list(false)).keys).toMatchObject([{ inUse: false }])
    expect(await keys().find(first._id)).toMatchObject({ inUse: null })
  })

  it('needs the credit ID', async () => {
    await accounts.connect({ apiKey: service.newKey('credit-other').api_key })
    await expect(keys().list(false)).rejects.toEqual(refused('service/no-credit-id'))
    await accounts.disconnect()
    await expect(keys().list(false)).rejects.toEqual(refused('service/no-account'))
  })

  it('belongs to the account that was active when it was opened', async () => {
    const opened = keys()
    await accounts.create()
    const { keys: listed } = await opened.list(false)
    expect(listed).toMatchObject([{ id: first._id }])
    expect((await keys().list(false)).keys).not.toMatchObject([{ id: first._id }])
  })
})

describe('an API key', () => {
  it('is created with the exact amounts, and its secret is returned once', async () => {
    const { key, secret } = await keys().create({
      name: 'Editor',
      cap: '0.10',
      resetPeriod: 'monthly',
      expiresAt: Date.parse(LIMITS.expire_at),
    })
    expect(JSON.parse(asked()[0]?.body ?? '')).toEqual({
      name: 'Editor',
      usage_limit_usd: 0.1,
      reset_period: 'monthly',
      expire_at: LIMITS.expire_at,
    })
    expect(asked()[0]?.body).toContain('"usage_limit_usd":0.1,')
    expect(key).toMatchObject({ name: 'Editor', cap: '100000000000', resetPeriod: 'monthly', inUse: false })
    expect(JSON.stringify(key)).not.toContain(secret)
    expect(service.works(secret)).toBe(true)
  })

  it('is changed only where a value is given, and null clears the value', async () => {
    const { _id: id } = service.newKey(creditId, { name: 'Editor', ...LIMITS })
    expect(await keys().update(id, { cap: '7.25' })).toMatchObject({
      cap: '7250000000000',
      resetPeriod: 'weekly',
      inUse: false,
    })
    expect(await keys().update(id, { cap: null, resetPeriod: null, expiresAt: null })).toMatchObject({
      cap: null,
      resetPeriod: null,
      expiresAt: null,
    })
    expect(
      asked()
        .filter(({ method }) => method === 'PATCH')
        .map(({ body }) => body),
    ).toEqual(['{"usage_limit_usd":7.25}', '{"usage_limit_usd":null,"reset_period":null,"expire_at":null}'])
    expect(await keys().update(first._id, { name: 'First' })).toMatchObject({ name: 'First', inUse: true })
    await expect(keys().update(id, {})).rejects.toEqual(refused('request/invalid'))
  })

  it.each([
    ['a cap below a cent', { cap: '0.001' }],
    ['a period without a cap', { cap: null, resetPeriod: 'daily' as const }],
    ['a name that is too long', { name: 'x'.repeat(26) }],
  ])('isn’t created with %s', async (_what, part) => {
    await expect(
      keys().create({ name: 'Editor', cap: '1', resetPeriod: null, expiresAt: null, ...part }),
    ).rejects.toEqual(refused('request/invalid'))
    expect(asked()).toEqual([])
  })

  it('with a taken name is refused by the service', async () => {
    await expect(
      keys().create({ name: 'Default', cap: null, resetPeriod: null, expiresAt: null }),
    ).rejects.toEqual(refused('service/rejected'))
  })

  it('is shown in full on request, and its ID can’t leave the path', async () => {
    expect(await keys().reveal(first._id)).toBe(first.api_key)
    service.showsKeys = false
    await expect(keys().reveal(first._id)).rejects.toEqual(refused('service/response-invalid'))
    await expect(keys().reveal('../accounts')).rejects.toEqual(refused('request/invalid'))
    await expect(keys().find('none')).rejects.toEqual(refused('service/not-found'))
  })
})

describe('revoking', () => {
  it('another key doesn’t change the account', async () => {
    const other = service.newKey(creditId, { name: 'Editor' })
    const bound = keys()
    expect(await bound.revoke(await bound.find(other._id))).toMatchObject({
      name: 'Editor',
      revokedAt: NOW,
      inUse: false,
    })
    expect([service.works(other.api_key), await pays()]).toEqual([false, true])
    await expect(keys().find(other._id)).rejects.toEqual(refused('service/not-found'))
  })

  it('the key in use leaves no account active, and all saved', async () => {
    const bound = keys()
    await bound.revoke(await bound.find(first._id))
    expect([accounts.activeId(), accounts.list().length]).toEqual([null, 1])
  })

  it('doesn’t deactivate an account that became active in between', async () => {
    const bound = keys()
    const found = await bound.find(first._id)
    const { account } = await accounts.create()
    await bound.revoke(found)
    expect(accounts.activeId()).toBe(account.id)
  })

  it('changes nothing if it fails', async () => {
    const bound = keys()
    const found = await bound.find(first._id)
    service.interrupt = ({ method }) => (method === 'DELETE' ? { status: 500 } : undefined)
    await expect(bound.revoke(found)).rejects.toEqual(refused('service/failed'))
    expect([accounts.activeId() === null, await pays()]).toEqual([false, true])
  })
})

describe('rotating', () => {
  it('the key in use creates one with the same limits, which is in use before the old one ends', async () => {
    Object.assign(first, LIMITS)
    const before: (string | undefined)[] = []
    service.interrupt = ({ method }) => {
      if (method === 'DELETE') before.push(accounts.access().apiKey)
      return undefined
    }
    const { key, secret, revoked } = await keys().rotate(first._id)
    expect(key).toMatchObject({
      name: 'Default 2',
      cap: '2500000000000',
      resetPeriod: 'weekly',
      expiresAt: Date.parse(LIMITS.expire_at),
      inUse: true,
    })
    expect([revoked, service.works(first.api_key), service.works(secret), await pays()]).toEqual([
      true,
      false,
      true,
      true,
    ])
    expect(before).toEqual([secret])
    expect(accounts.access()).toMatchObject({ apiKey: secret, creditId })
    expect(accounts.list()).toMatchObject([{ active: true, saved: false }])
    expect((await keys().list(false)).keys).toMatchObject([{ id: key.id, inUse: true }])
  })

  it('reuses the name if the service releases it', async () => {
    service.freesNames = true
    expect((await keys().rotate(first._id)).key.name).toBe('Default')
    expect(accountKeys().map(({ name, deleted_at: ended }) => [name, ended === null])).toEqual([
      ['Default', false],
      ['Default', true],
    ])
  })

  it('another key changes nothing here', async () => {
    const other = service.newKey(creditId, { name: 'Editor', ...LIMITS })
    const { key, secret, revoked } = await keys().rotate(other._id)
    expect([key.inUse, revoked, service.works(secret), service.works(other.api_key)]).toEqual([
      false,
      true,
      true,
      false,
    ])
    expect(accounts.access().apiKey).toBe(first.api_key)
  })

  it('a key whose cap is finer than a cent keeps the exact cap', async () => {
    const other = service.newKey(creditId, { name: 'Editor', usage_limit_usd: 0.123456789012 })
    await keys().rotate(other._id)
    expect(asked().find(({ method }) => method === 'POST')?.body).toContain(
      '"usage_limit_usd":0.123456789012',
    )
  })

  it('refuses a revoked or an unknown key', async () => {
    const bound = keys()
    const other = service.newKey(creditId, { name: 'Editor' })
    await bound.revoke(await bound.find(other._id))
    await expect(bound.rotate(other._id)).rejects.toEqual(refused('service/not-found'))
    await expect(bound.rotate('none')).rejects.toEqual(refused('service/not-found'))
    expect(asked().filter(({ method }) => method === 'POST')).toEqual([])
  })

  it.each([
    [
      'does not say its limits',
      () => {
        Object.assign(first, { usage_limit_usd: 'lots' })
      },
    ],
    [
      'does not show which one is in use',
      () => {
        service.showsKeys = false
      },
    ],
    [
      'says a cap that a number cannot carry',
      () => {
        Object.assign(first, { usage_limit_usd: '1234567.123456789012' })
      },
    ],
  ])('changes nothing if the service %s', async (_what, arrange) => {
    arrange()
    await expect(keys().rotate(first._id)).rejects.toMatchObject({
      code: expect.stringMatching(/response-invalid|request\/invalid/) as string,
    })
    expect([accountKeys().length, await pays()]).toEqual([1, true])
  })

  describe.each([
    ['the list', 'GET'],
    ['the new key', 'POST'],
  ])('if %s fails', (_step, method) => {
    it.each([
      [{ status: 500 }],
      ['unreachable' as const],
      ['answer-lost' as const],
      [{ status: 429 }],
      [{ status: 401 }],
    ])(
      'with %j, the old key stays in use',
      async (interruption) => {
        service.interrupt = (request) => (request.method === method ? interruption : undefined)
        await expect(keys().rotate(first._id)).rejects.toMatchObject({
          code: expect.stringMatching(/^service\//) as string,
        })
        expect([accounts.access().apiKey, await pays()]).toEqual([first.api_key, true])
      },
      20_000,
    )
  })

  it('if the vault can’t save the new key, the old one stays in use and the new one is revoked', async () => {
    vault.failsAt = () => true
    await expect(keys().rotate(first._id)).rejects.toEqual(refused('store/unwritable'))
    expect([accounts.access().apiKey, await pays()]).toEqual([first.api_key, true])
    expect(accountKeys().map(({ deleted_at: ended }) => ended === null)).toEqual([true, false])
  })

  it('if the new key can’t be revoked either, the old one still stays in use', async () => {
    vault.failsAt = () => true
    service.interrupt = ({ method }) => (method === 'DELETE' ? 'unreachable' : undefined)
    await expect(keys().rotate(first._id)).rejects.toEqual(refused('store/unwritable'))
    expect([accounts.access().apiKey, await pays()]).toEqual([first.api_key, true])
  })

  it('if the account was removed in between, the new key is revoked', async () => {
    const accountId = accounts.activeId() ?? ''
    const created = Promise.withResolvers<undefined>()
    service.interrupt = ({ method, path }) => {
      if (method === 'POST' && path === '/keys') created.resolve(undefined)
      return undefined
    }
    const rotating = keys().rotate(first._id)
    await created.promise
    await accounts.forget(accountId)
    await expect(rotating).rejects.toEqual(refused('account/unknown'))
    expect(accountKeys().map(({ deleted_at: ended }) => ended === null)).toEqual([true, false])
  })

  it.each([
    ['is refused', { status: 500 }, false],
    ['is not reached', 'unreachable' as const, false],
    ['is done, and its answer lost', 'answer-lost' as const, true],
  ])(
    'if the end of the old key %s, the new one is in use and the result reports it',
    async (_what, interruption, done) => {
      service.interrupt = ({ method }) => (method === 'DELETE' ? interruption : undefined)
      const { secret, revoked, key } = await keys().rotate(first._id)
      expect([revoked, service.works(first.api_key), accounts.access().apiKey, await pays()]).toEqual([
        done,
        !done,
        secret,
        true,
      ])
      expect(key.name).toBe('Default 2')
    },
  )

  it('if the state of the old key is unknown, it isn’t reported as revoked', async () => {
    service.interrupt = ({ method, path }) =>
      method === 'DELETE' || (method === 'GET' && path !== '/keys') ? { status: 500 } : undefined
    const { secret, revoked } = await keys().rotate(first._id)
    expect([revoked, accounts.access().apiKey, await pays()]).toEqual([false, secret, true])
  })

  it('if the new key can’t be renamed, its name doesn’t change', async () => {
    service.freesNames = true
    service.interrupt = ({ method }) => (method === 'PATCH' ? { status: 500 } : undefined)
    expect(await keys().rotate(first._id)).toMatchObject({ revoked: true, key: { name: 'Default 2' } })
  })
})
