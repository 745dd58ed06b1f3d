import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { clientOf, failureOf, type ContractClient } from '../../../../src/cli/client.ts'
import { startWorld, type World } from '../../../world.ts'

const END = Date.UTC(2100, 0, 31)

describe.each(['A', 'B'] as const)('the API keys of the service, Revision %s', (revision) => {
  let world: World
  let client: ContractClient
  const asked: string[] = []
  let yes = true
  beforeAll(async () => {
    world = await startWorld({
      revision,
      profile: (profile) => ({ ...profile, kind: 'service' }),
      confirm: (question) => {
        asked.push(question)
        return yes
      },
    })
    client = clientOf(world.core)
  })
  afterAll(() => world[Symbol.asyncDispose]())
  beforeEach(async () => {
    yes = true
    // Another account for each test, which is nobody's to ask about.
    await client.accounts.create()
    asked.length = 0
    world.sandbox.clearReceived()
  })
  const refused = (work: Promise<unknown>): Promise<string | undefined> =>
    work.then(
      () => undefined,
      (thrown: unknown) => failureOf(thrown)?.code ?? 'another failure',
    )
  const list = async (includeRevoked = true) => (await client.serviceKeys.list({ includeRevoked })).keys
  const inUse = async () => (await list()).find((key) => key.inUse) ?? expect.fail('none is in use')
  const ask = async () =>
    (
      await world.post({
        model: 'sandbox/allegro-mini',
        messages: [{ role: 'user', content: 'hello' }],
        max_tokens: 4,
      })
    ).status

  it('are listed with their spending, without their secrets', async () => {
    expect(await ask()).toBe(200)
    const { keys, unreadable } = await client.serviceKeys.list({})
    expect([keys, unreadable]).toMatchObject([
      [
        {
          inUse: true,
          cap: null,
          resetPeriod: null,
          expiresAt: null,
          revokedAt: null,
          spentInAll: expect.stringMatching(/^[1-9]\d*$/) as string,
        },
      ],
      0,
    ])
    expect(JSON.stringify(keys)).not.toContain('sk-')
  })

  it('are created with limits, changed, shown and revoked', async () => {
    const { key, secret } = await client.serviceKeys.create({
      name: 'Editor',
      cap: '0.10',
      resetPeriod: 'weekly',
      expiresAt: END,
    })
    expect(key).toMatchObject({
      name: 'Editor',
      cap: '100000000000',
      resetPeriod: 'weekly',
      expiresAt: END,
      inUse: false,
    })
    expect(
      await client.serviceKeys.update({
        keyId: key.id,
        cap: '2.50',
        resetPeriod: null,
        name: 'Editor at home',
      }),
    ).toMatchObject({ name: 'Editor at home', cap: '2500000000000', resetPeriod: null, expiresAt: END })
    expect(await client.serviceKeys.update({ keyId: key.id, cap: null, expiresAt: null })).toMatchObject({
      cap: null,
      expiresAt: null,
    })
    expect(asked).toEqual([])
    expect(await client.serviceKeys.reveal({ keyId: key.id })).toEqual({ secret })
    expect(asked).toEqual([
      'Show the API key “Editor at home” in the window? Anyone who sees it can spend the account’s balance within the key’s limits.',
    ])
    // Of what is not in use here nobody is asked.
    expect(await client.serviceKeys.revoke({ keyId: key.id })).toMatchObject({
      id: key.id,
      revokedAt: expect.any(Number) as number,
      inUse: false,
    })
    expect(asked).toHaveLength(1)
    expect((await list(false)).map(({ name }) => name)).not.toContain('Editor at home')
    expect((await list()).find(({ id }) => id === key.id)?.revokedAt).toEqual(expect.any(Number))
    expect(await refused(client.serviceKeys.revoke({ keyId: key.id }))).toBe('service/not-found')
  })

  it.each([
    ['a taken name', { name: 'Default' }, 'service/rejected'],
    ['a cap below a cent', { name: 'x', cap: '0.009' }, 'request/invalid'],
    ['a period without a cap', { name: 'x', resetPeriod: 'daily' }, 'request/invalid'],
    ['an end that is past', { name: 'x', expiresAt: 1 }, 'service/rejected'],
  ] as const)('are not created with %s', async (_what, input, code) => {
    expect(await refused(client.serviceKeys.create(input))).toBe(code)
    expect(await list()).toHaveLength(1)
  })

  it('are revoked only after a confirmation if one is in use, and then no account is active', async () => {
    const { id: keyId, name } = await inUse()
    yes = false
    expect(await refused(client.serviceKeys.revoke({ keyId }))).toBe('confirm/refused')
    expect(asked).toEqual([
      `Permanently revoke the API key “${name}”? Sotto is using it. Sotto can’t pay from the account until it has another key.`,
    ])
    expect([await ask(), (await client.app.status()).account.connected]).toEqual([200, true])
    yes = true
    await client.serviceKeys.revoke({ keyId })
    expect([await ask(), (await client.app.status()).account.connected]).toEqual([401, false])
  })

  it('are rotated after a confirmation if one is in use, and requests continue', async () => {
    const before = await inUse()
    await client.serviceKeys.update({ keyId: before.id, cap: '5', resetPeriod: 'monthly', expiresAt: END })
    yes = false
    expect(await refused(client.serviceKeys.rotate({ keyId: before.id }))).toBe('confirm/refused')
    expect(await list()).toHaveLength(1)
    yes = true
    const { key, secret, revoked } = await client.serviceKeys.rotate({ keyId: before.id })
    expect(key).toMatchObject({ cap: '5000000000000', resetPeriod: 'monthly', expiresAt: END, inUse: true })
    expect([revoked, await ask()]).toEqual([true, 200])
    expect((await inUse()).id).toBe(key.id)
    expect((await list()).find(({ id }) => id === before.id)?.revokedAt).toEqual(expect.any(Number))
    expect((await client.accounts.list()).find(({ active }) => active)).toMatchObject({
      keyMasked: `sk-…${secret.slice(-4)}`,
      saved: false,
    })
    const chats = world.outbound.map(String).filter((line) => /^POST \S+\/chat\/completions\n/.test(line))
    expect(chats.at(-1)).toContain(`Bearer ${secret}`)
  })

  describe.each([
    ['the list', 'GET /keys', { status: 500 }],
    ['the new key', 'POST /keys', { status: 500 }],
    ['the new key, whose answer is lost,', 'POST /keys', { cut: true }],
  ] as const)('if %s fails', (_step, route, fault) => {
    it('the old key remains in use', async () => {
      const { id: keyId } = await inUse()
      const control = await world.sandbox.control()
      control.setRouteFault(route, fault)
      try {
        expect(await refused(client.serviceKeys.rotate({ keyId }))).toMatch(
          /^service\/(?:failed|interrupted|unreachable)$/,
        )
      } finally {
        control.setRouteFault(route, null)
      }
      expect([await ask(), (await inUse()).id]).toEqual([200, keyId])
    })
  })

  it.each([
    [{ status: 500 }, false],
    [{ cut: true }, true],
  ] as const)('use the new key even if revoking the old one fails with %j', async (fault, revoked) => {
    const { id: keyId } = await inUse()
    const control = await world.sandbox.control()
    control.setRouteFault('DELETE /keys/{id}', fault)
    try {
      expect(await client.serviceKeys.rotate({ keyId })).toMatchObject({ revoked, key: { inUse: true } })
    } finally {
      control.setRouteFault('DELETE /keys/{id}', null)
    }
    expect(await ask()).toBe(200)
    expect(typeof (await list()).find(({ id }) => id === keyId)?.revokedAt === 'number').toBe(revoked)
  })

  it('need the credit ID', async () => {
    const account = (await world.sandbox.control()).createAccount(10n ** 12n)
    await client.accounts.connect({ apiKey: account.apiKey })
    for (const call of [
      client.serviceKeys.list({}),
      client.serviceKeys.create({ name: 'x' }),
      client.serviceKeys.rotate({ keyId: 'a' }),
      client.serviceKeys.reveal({ keyId: 'a' }),
    ])
      expect(await refused(call)).toBe('service/no-credit-id')
  })
})
