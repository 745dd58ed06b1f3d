import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { clientOf, failureOf, type ContractClient } from '../../../../src/cli/client.ts'
import { unlockVault } from '../../../../src/core/core.ts'
import type { Fetch } from '../../../../src/shared/fetch.ts'
import { formsOf } from '../../../canary.ts'
import { PLAINTEXT_MODEL, PRIVATE_MODEL, startWorld, type World, type WorldOptions } from '../../../world.ts'
import { bothOf } from './both-credentials.ts'
import { bodyOf } from '../payer-world.ts'

const PASSPHRASE = 'several words of mine'

async function refused(work: Promise<unknown>): Promise<string | undefined> {
  return work.then(
    () => undefined,
    (thrown: unknown) => failureOf(thrown)?.code ?? 'another failure',
  )
}

/** A world with a service that is not a sandbox, and the confirmations requested outside the window. */
async function startService(
  options: WorldOptions = {},
): Promise<{ world: World; client: ContractClient; asked: string[]; msg: { yes: boolean } }> {
  const asked: string[] = []
  const msg = { yes: true }
  const world = await startWorld({
    profile: (profile) => ({ ...profile, kind: 'service' }),
    confirm: (question) => {
      asked.push(question)
      return msg.yes
    },
    ...options,
  })
  return { world, client: clientOf(world.core), asked, msg }
}

/** Starts the core repeatedly over one vault and folder. */
async function restarted(
  vault: Awaited<ReturnType<typeof unlockVault>>,
  work: (client: ContractClient) => Promise<void>,
): Promise<void> {
  await using world = await startWorld({ vault: () => Promise.resolve(vault) })
  await work(clientOf(world.core))
}

describe('the sandbox', () => {
  it('creates an account only if none is saved', async () => {
    const vault = await unlockVault({ mode: 'memory', folder: '' })
    let first = ''
    await restarted(vault, async (client) => {
      const [account] = await client.accounts.list()
      first = account?.id ?? ''
      expect(await client.accounts.disconnect()).toMatchObject({ account: { connected: false } })
    })
    await restarted(vault, async (client) => {
      expect(await client.accounts.list()).toMatchObject([{ id: first, active: false }])
      expect(await client.accounts.activate({ accountId: first })).toMatchObject({
        account: { connected: true },
      })
      // The account has simulated money, so no confirmation is requested.
      expect(await client.accounts.forget({ accountId: first })).toMatchObject({
        account: { connected: false },
      })
    })
    await restarted(vault, async (client) => {
      const list = await client.accounts.list()
      expect(list).toMatchObject([{ name: 'Account', active: true }])
      expect(list[0]?.id).not.toBe(first)
    })
  })

  it('continues to use the single account that an older version saved', async () => {
    const vault = await unlockVault({ mode: 'memory', folder: '' })
    await vault.set(
      'account/sandbox',
      Buffer.from(
        JSON.stringify({ origin: 'sandbox', apiKey: 'sk-kept-before', creditId: 'credit-kept-before' }),
      ),
    )
    await restarted(vault, async (client) => {
      expect(await client.app.status()).toMatchObject({
        account: { connected: true, creditIdMasked: '…fore', name: 'Account' },
      })
      expect(await client.accounts.list()).toMatchObject([{ active: true, keyMasked: 'sk-…fore' }])
    })
    expect(await vault.get('account/sandbox')).toBeNull()
  })
})

/** A service whose answers to account creation contain only the credit ID. */
function withoutApiKey(fetch: Fetch): Fetch {
  return async (url, init) => {
    const response = await fetch(url, init)
    if (!url.endsWith('/accounts/create')) return response
    const { api_key: _, ...rest } = JSON.parse(
      Buffer.concat(await Array.fromAsync(response.body ?? [])).toString(),
    ) as Record<string, unknown>
    return { ...response, body: bodyOf(JSON.stringify(rest)) }
  }
}

it('an account without its API key is saved, can’t pay, and is completed with one of its keys', async () => {
  const { world, client } = await startService({ fetch: withoutApiKey })
  await using _ = world
  const { account, credentials } = await client.accounts.create()
  expect(Object.keys(credentials)).toEqual(['creditId'])
  expect(await client.accounts.list()).toEqual([account])
  expect(await client.accounts.reveal({ accountId: account.id })).toEqual(credentials)
  expect(await client.accounts.balance()).toHaveProperty('picoUsd')

  const codeOf = async (response: Response): Promise<[number, string]> => [
    response.status,
    ((await response.json()) as { error: { code: string } }).error.code,
  ]
  const messages = [{ role: 'user', content: 'hello' }]
  const { secret } = await client.localApi.create({ name: 'Tool', limits: { grants: ['pay-per-request'] } })
  for (const model of [PLAINTEXT_MODEL, PRIVATE_MODEL])
    expect(await codeOf(await world.post({ model, messages }))).toEqual([401, 'service/no-api-key'])
  // The request isn't paid per request in place of the account's balance either.
  expect(
    await codeOf(
      await world.post(
        { query: 'otters' },
        { authorization: `Bearer ${secret}` },
        '/v1/data/api/websearch/search',
      ),
    ),
  ).toEqual([401, 'service/no-api-key'])
  expect(await client.purchases.list()).toEqual([])
  expect(
    await refused(client.topups.create({ method: 'btc-lightning', amount: '10', currency: 'USD' })),
  ).toBe('service/no-api-key')

  const { secret: apiKey } = await client.serviceKeys.create({ name: 'Mine' })
  await client.accounts.connect({ apiKey, ...credentials })
  expect(await client.accounts.list()).toMatchObject([{ id: account.id, active: true }])
  expect((await world.post({ model: PLAINTEXT_MODEL, messages })).status).toBe(200)
})

describe.each(['A', 'B'] as const)('a service of Revision %s', (revision) => {
  it('starts without an account, and reports which calls need one', async () => {
    const { world, client } = await startService({ revision })
    await using _ = world
    expect(await client.app.status()).toMatchObject({ firstStart: true, account: { connected: false } })
    expect(await client.app.begin()).toMatchObject({ firstStart: false, account: { connected: false } })
    expect((await client.models.list()).length).toBeGreaterThan(0)
    expect(await client.accounts.list()).toEqual([])
    expect(await refused(client.accounts.balance())).toBe('service/no-account')
    expect(await refused(client.serviceKeys.list({}))).toBe('service/no-account')
  })

  it('creates, connects, selects, renames, disconnects and removes several accounts', async () => {
    const { world, client, asked } = await startService({ revision })
    await using _ = world
    const created = await client.accounts.create()
    expect(created).toMatchObject({
      status: { account: { connected: true } },
      account: { name: 'Account', active: true, saved: false },
    })
    expect(created.status.account.creditIdMasked).toBe(`…${bothOf(created.credentials).creditId.slice(-4)}`)
    expect(asked).toEqual([])

    const other = (await world.sandbox.control()).createAccount(7n * 10n ** 12n)
    await client.accounts.connect({ ...other, name: 'Other' })
    expect(asked).toEqual([
      `Connect another account of this service with the API key ending in ${other.apiKey.slice(-4)}, and pay from it?`,
    ])
    expect(await client.accounts.balance()).toEqual({ picoUsd: '7000000000000' })
    expect(await refused(client.accounts.connect(other))).toBe('account/already-exists')

    const { id: accountId } = created.account
    expect(await client.accounts.activate({ accountId })).toMatchObject({ account: created.status.account })
    expect(await client.accounts.rename({ accountId, name: '  Mine  ' })).toMatchObject({
      name: 'Mine',
      active: true,
    })
    expect(await client.accounts.markSaved({ accountId })).toMatchObject({ saved: true })
    expect(await client.accounts.disconnect()).toMatchObject({ account: { connected: false } })
    expect((await client.accounts.list()).map(({ name, active }) => [name, active])).toEqual([
      ['Mine', false],
      ['Other', false],
    ])
    expect(await client.accounts.reveal({ accountId })).toEqual(created.credentials)
    await client.accounts.forget({ accountId })
    expect(asked.slice(-2)).toEqual([
      `Show the API key and credit ID of the account “Mine” (…${bothOf(created.credentials).creditId.slice(-4)}) in the window? Anyone who sees them can spend its balance.`,
      `Remove the account “Mine” (…${bothOf(created.credentials).creditId.slice(-4)})? Its credentials will be deleted from the vault. Without a copy of them, you lose the balance.`,
    ])
    for (const call of ['activate', 'markSaved', 'forget', 'reveal'] as const)
      expect(await refused(client.accounts[call]({ accountId }))).toBe('account/unknown')
  })
})

describe('a backup', () => {
  it('is created and restored only after a confirmation, with the right passphrase', async () => {
    const { world, client, asked, msg } = await startService()
    await using _ = world
    await client.accounts.create()
    msg.yes = false
    expect(await refused(client.accounts.backup({ passphrase: PASSPHRASE }))).toBe('confirm/refused')
    expect(await client.accounts.list()).toMatchObject([{ saved: false }])
    msg.yes = true
    const { fileName, text } = await client.accounts.backup({ passphrase: PASSPHRASE })
    expect(fileName).toMatch(/^sotto-accounts-\d{4}-\d\d-\d\d\.json$/)
    expect(asked.at(-1)).toMatch(
      /^Save the account “Account” \(…\w{4}\) to a file, encrypted with the passphrase typed in the window\?$/,
    )
    const list = await client.accounts.list()
    expect(list).toMatchObject([{ saved: true }])

    await client.accounts.forget({ accountId: list[0]?.id ?? '' })
    // Saving the first account needs no confirmation.
    asked.length = 0
    expect(await client.accounts.restore({ text, passphrase: PASSPHRASE })).toEqual(list)
    expect(asked).toEqual([])
    expect(await refused(client.accounts.restore({ text, passphrase: 'several words of yours' }))).toBe(
      'account/backup-passphrase',
    )
    expect(await refused(client.accounts.restore({ text: text.slice(1), passphrase: PASSPHRASE }))).toBe(
      'account/backup-invalid',
    )
    expect(asked).toEqual([])
    msg.yes = false
    expect(await refused(client.accounts.restore({ text, passphrase: PASSPHRASE }))).toBe('confirm/refused')
    expect(asked).toEqual(['Add 1 account from a backup to the accounts saved here?'])
  })

  it('contains only the accounts in the question, even if another is added before the answer', async () => {
    const adding = Promise.withResolvers<ContractClient>()
    await using world = await startWorld({
      profile: (profile) => ({ ...profile, kind: 'service' }),
      confirm: async (question) => {
        if (question.startsWith('Save the account'))
          await (await adding.promise).accounts.create({ name: 'Slipped in' })
        return true
      },
    })
    const client = clientOf(world.core)
    const { account } = await client.accounts.create({ name: 'Mine' })
    adding.resolve(client)
    const { text } = await client.accounts.backup({ passphrase: PASSPHRASE })
    const list = await client.accounts.list()
    expect(list).toMatchObject([
      { name: 'Mine', saved: true },
      { name: 'Slipped in', saved: false },
    ])
    for (const { id } of list) await client.accounts.forget({ accountId: id })
    expect(await client.accounts.restore({ text, passphrase: PASSPHRASE })).toMatchObject([
      { id: account.id, name: 'Mine' },
    ])
  })

  it.each([
    ['a passphrase of eleven characters', 'eleven char', ''],
    ['a text beyond its size', PASSPHRASE, 'x'.repeat(1024 * 1024 + 1)],
  ])('is refused with %s', async (_what, passphrase, text) => {
    const { world, client } = await startService()
    await using _ = world
    await expect(
      text === '' ? client.accounts.backup({ passphrase }) : client.accounts.restore({ text, passphrase }),
    ).rejects.toMatchObject({ code: 'BAD_REQUEST' })
  })
})

describe('the selection of another account during a request', () => {
  it('doesn’t affect the request: the account that it began with pays', async () => {
    const listed = Promise.withResolvers<undefined>()
    const asked = Promise.withResolvers<undefined>()
    const paidBy: string[] = []
    const { world, client } = await startService({
      fetch: (fetch) => async (url, init) => {
        if (url.includes('image')) {
          if (init.method === 'POST') paidBy.push(init.headers['authorization'] ?? '')
          else {
            asked.resolve(undefined)
            await listed.promise
          }
        }
        return fetch(url, init)
      },
    })
    await using _ = world
    const control = await world.sandbox.control()
    const [first, second] = [control.createAccount(10n ** 13n), control.createAccount(10n ** 13n)]
    await client.accounts.connect({ ...first, name: 'First' })
    const image = () =>
      world.post({ model: 'sandbox/bozzetto-image', prompt: 'A small garden' }, {}, '/v1/images/generations')
    const imaging = image()
    await asked.promise
    await client.accounts.connect({ ...second, name: 'Second' })
    listed.resolve(undefined)
    await imaging
    await image()
    expect(paidBy).toEqual([`Bearer ${first.apiKey}`, `Bearer ${second.apiKey}`])
  })
})

describe('the credentials of accounts', () => {
  async function folderBytes(folder: string): Promise<Buffer> {
    const entries = await readdir(folder, { recursive: true, withFileTypes: true })
    return Buffer.concat(
      await Promise.all(
        entries
          .filter((entry) => entry.isFile())
          .map((entry) => readFile(join(entry.parentPath, entry.name))),
      ),
    )
  }

  it('appear in no file of the data folder, log entry, question or failure', async () => {
    const logged: string[] = []
    const { world, client, asked } = await startService({
      vault: (folder) => unlockVault({ mode: 'file', folder, passphrase: 'correct horse' }),
      log: (event, fields) => void logged.push(JSON.stringify([event, fields])),
    })
    await using _ = world
    const failures: string[] = []
    const fails = async (work: Promise<unknown>): Promise<void> => {
      await work.then(
        () => expect.unreachable(),
        (thrown: unknown) => failures.push(JSON.stringify([failureOf(thrown), String(thrown), thrown])),
      )
    }
    const { credentials: newCredentials, account } = await client.accounts.create()
    const credentials = bothOf(newCredentials)
    const other = (await world.sandbox.control()).createAccount(10n ** 13n)
    await client.accounts.connect(other)
    await client.accounts.activate({ accountId: account.id })
    await fails(client.accounts.connect(other))
    await fails(client.accounts.connect({ apiKey: 'sk-canary-key-of-nobody', creditId: 'canary-credit-id' }))
    await fails(client.accounts.connect({ apiKey: other.apiKey, creditId: credentials.creditId }))
    const { text } = await client.accounts.backup({ passphrase: PASSPHRASE })
    await fails(client.accounts.restore({ text, passphrase: 'several words of yours' }))
    const createdKey = await client.serviceKeys.create({ name: 'Editor', cap: '2.50' })
    const { keys } = await client.serviceKeys.list({ includeRevoked: true })
    const rotated = await client.serviceKeys.rotate({ keyId: keys.find(({ inUse }) => inUse)?.id ?? '' })
    await fails(client.serviceKeys.create({ name: 'Editor' }))
    await fails(client.serviceKeys.rotate({ keyId: '../accounts' }))
    await client.accounts.reveal({ accountId: account.id })
    await client.serviceKeys.reveal({ keyId: createdKey.key.id })
    await world.post({
      model: 'sandbox/allegro-mini',
      messages: [{ role: 'user', content: 'x' }],
      max_tokens: 4,
    })
    const shown = JSON.stringify([
      await client.app.status(),
      await client.accounts.list(),
      await client.serviceKeys.list({ includeRevoked: true }),
    ])
    expect(failures).toHaveLength(6)

    const secrets = [
      credentials.apiKey,
      credentials.creditId,
      other.apiKey,
      other.creditId,
      createdKey.secret,
      rotated.secret,
      'canary-key-of-nobody',
      'canary-credit-id',
      PASSPHRASE,
    ]
    const places = {
      folder: () => folderBytes(world.folder),
      rest: () => Promise.resolve(Buffer.from([...logged, ...asked, ...failures, text, shown].join('\n'))),
    }
    expect(logged.length).toBeGreaterThan(0)
    for (const [place, bytes] of Object.entries(places))
      for (const secret of secrets) expect(formsOf(secret, await bytes()), place).toEqual([])
    await world.core[Symbol.asyncDispose]()
    for (const secret of secrets) expect(formsOf(secret, await places.folder())).toEqual([])
    // If the secrets were there, the search would find them.
    await writeFile(join(world.folder, 'leak.gz'), gzipSync(JSON.stringify({ key: rotated.secret })))
    expect(formsOf(rotated.secret, await places.folder()).length).toBeGreaterThan(0)
    expect(formsOf(credentials.creditId, Buffer.concat(world.outbound)).length).toBeGreaterThan(0)
  })
})
