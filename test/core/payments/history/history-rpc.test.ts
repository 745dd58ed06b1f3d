import { createORPCClient } from '@orpc/client'
import { RPCLink } from '@orpc/client/fetch'
import type { ContractRouterClient } from '@orpc/contract'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import type { contract } from '../../../../src/shared/contract/sotto-contract.ts'
import type { HistoryFilter, HistoryRecord, SpendingSummary } from '../../../../src/shared/history.ts'
import { PLAINTEXT_MODEL, PRIVATE_MODEL, startWorld, type World } from '../../../world.ts'
import { windowCaller } from '../../../window-caller.ts'

type Client = ContractRouterClient<typeof contract>

function clientOf(world: World): Client {
  return createORPCClient(
    new RPCLink({
      url: 'http://sotto.invalid/api',
      fetch: (request) => world.core.api(request, windowCaller),
    }),
  )
}
const today = () => new Date().toISOString().slice(0, 10)

async function all(client: Client, filter: HistoryFilter = {}, limit = 2): Promise<HistoryRecord[]> {
  const records: HistoryRecord[] = []
  let cursor: string | undefined
  do {
    const page = await client.history.page({ filter, limit, ...(cursor !== undefined && { cursor }) })
    records.push(...page.records)
    cursor = page.next ?? undefined
  } while (cursor !== undefined)
  return records
}
async function summary(client: Client, filter: HistoryFilter = {}): Promise<SpendingSummary | undefined> {
  let last: SpendingSummary | undefined
  for await (const update of await client.history.summary({ filter })) last = update
  return last
}
async function exported(
  client: Client,
  format: 'csv' | 'json',
  filter: HistoryFilter = {},
): Promise<{ text: string; events: string[] }> {
  let text = ''
  const events: string[] = []
  for await (const event of await client.history.export({ filter, format })) {
    events.push(event.type)
    if (event.type === 'text') text += event.text
  }
  return { text, events }
}

describe.each(['A', 'B'] as const)('the history, Revision %s', (revision) => {
  let world: World
  let client: Client
  let account: { readonly creditId: string; readonly apiKey: string }
  let second: { readonly _id: string; readonly api_key: string }

  async function service(method: string, path: string, body?: unknown): Promise<unknown> {
    const response = await fetch(world.sandbox.baseUrl + path, {
      method,
      headers: { 'x-credit-id': account.creditId, 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    return ((await response.json()) as { data: unknown }).data
  }
  /** Sends a request without this Sotto, as another machine with the account does. */
  async function elsewhere(apiKey: string, source: string): Promise<void> {
    const response = await fetch(`${world.sandbox.baseUrl}/v1/chat/completions`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${apiKey}`,
        'content-type': 'application/json',
        'x-query-source': source,
      },
      body: JSON.stringify({
        model: PLAINTEXT_MODEL,
        messages: [{ role: 'user', content: `from ${source}` }],
        max_tokens: 5,
      }),
    })
    expect(response.status).toBe(200)
  }
  async function here(model: string, content: string): Promise<void> {
    const response = await world.post({ model, messages: [{ role: 'user', content }], max_tokens: 30 })
    expect(response.status).toBe(200)
    await response.text()
  }

  beforeAll(async () => {
    world = await startWorld({ revision })
    client = clientOf(world)
    const [current] = await client.accounts.list()
    const { apiKey, creditId } = await client.accounts.reveal({ accountId: current?.id ?? '' })
    account = { apiKey: apiKey ?? '', creditId: creditId ?? '' }
    second = (await service('POST', '/keys', { name: 'Another machine' })) as typeof second
    await here(PLAINTEXT_MODEL, 'one')
    if (revision === 'B') await here(PRIVATE_MODEL, 'two words')
    await here(PLAINTEXT_MODEL, 'three words of it')
    await elsewhere(second.api_key, 'ui')
    await elsewhere(account.apiKey, 'memory')
  })
  afterAll(() => world[Symbol.asyncDispose]())

  it('lists the charges of the ledger, newest first, page by page, with the names of the keys', async () => {
    const records = await all(client)
    const ledger = world.sandbox.ledger().filter(({ account: of }) => of === account.creditId)
    expect(records.map(({ cost }) => cost).toSorted()).toEqual(
      ledger.map(({ picoUsd }) => picoUsd.toString()).toSorted(),
    )
    expect(records.map(({ at }) => at)).toEqual(records.map(({ at }) => at).toSorted((a, b) => b - a))
    expect(records.map(({ source }) => source).slice(0, 2)).toEqual(['memory', 'ui'])
    expect(records.map(({ keyName }) => keyName).slice(0, 2)).toEqual(['Default', 'Another machine'])
    expect((await client.history.page({ filter: {} })).total).toBe(records.length)
  })

  it('has this computer’s receipts if they match for certain, and none for requests from elsewhere', async () => {
    const [memory, ui, ...local] = await all(client, {}, 100)
    expect([memory?.receipt, ui?.receipt]).toEqual([undefined, undefined])
    expect(local.map(({ receipt }) => receipt?.privacy)).toEqual(
      revision === 'B' ? ['forwarded', 'sealed', 'forwarded'] : ['forwarded', 'forwarded'],
    )
    const receipts = await client.receipts.list({ limit: 10 })
    expect(local.map(({ receipt }) => receipt?.id)).toEqual(receipts.map(({ id }) => id))
    // Small pages and filters hide some candidates, but the joined receipts stay the same.
    expect((await all(client)).map(({ receipt }) => receipt?.id)).toEqual([
      undefined,
      undefined,
      ...local.map(({ receipt }) => receipt?.id),
    ])
    expect((await all(client, { source: 'api' })).map(({ receipt }) => receipt?.id)).toEqual(
      local.map(({ receipt }) => receipt?.id),
    )
    expect(
      (await all(client, { model: PLAINTEXT_MODEL, from: today() })).filter(({ receipt }) => receipt),
    ).toHaveLength(2)
  })

  it('is filtered by days, model, source, type and key', async () => {
    const count = async (filter: HistoryFilter) => (await all(client, filter)).length
    const everything = revision === 'B' ? 5 : 4
    expect(await count({ from: today(), until: today() })).toBe(everything)
    expect(await count({ until: '2020-01-01' })).toBe(0)
    expect(await count({ source: 'ui' })).toBe(1)
    expect(await count({ model: PLAINTEXT_MODEL })).toBe(4)
    expect(await count({ type: 'chat_completion' })).toBe(everything)
    expect(await count({ type: 'embedding' })).toBe(0)
    expect(await count({ keyId: second._id })).toBe(1)
    expect((await all(client, { keyId: second._id }))[0]).toMatchObject({
      keyName: 'Another machine',
      source: 'ui',
    })
    const [memoryRecord] = await all(client, { source: 'memory' })
    expect(await count({ keyId: memoryRecord?.keyId ?? '' })).toBe(everything - 1)
    expect(await count({ keyId: 'nobody' })).toBe(0)
  })

  it('has exact totals by day, model, source and key', async () => {
    const records = await all(client)
    const sum = (of: readonly HistoryRecord[]): string =>
      of.reduce((total, { cost = '0' }) => total + BigInt(cost), 0n).toString()
    const { groups, total, read, of, unreadable } = (await summary(client)) ?? {}
    expect(total).toMatchObject({ cost: sum(records), requests: records.length, unpriced: 0 })
    expect([read, of, unreadable]).toEqual([records.length, records.length, 0])
    expect(groups?.day).toEqual([expect.objectContaining({ label: today(), cost: sum(records) })])
    expect(groups?.key.find(({ label }) => label === 'Another machine')?.cost).toBe(
      sum(records.filter(({ keyName }) => keyName === 'Another machine')),
    )
    expect(groups?.source.map(({ label }) => label).toSorted()).toEqual(['api', 'memory', 'ui'])
    expect(groups?.model.map(({ label }) => label)).toContain(PLAINTEXT_MODEL)
    expect((await summary(client, { keyId: second._id }))?.total.requests).toBe(1)
  })

  it('is exported as one file for any range, with the same total', async () => {
    const records = await all(client)
    const { text, events } = await exported(client, 'csv')
    expect(text.trimEnd().split('\r\n')).toHaveLength(records.length + 1)
    expect(events.at(-1)).toBe('ended')
    expect(events).toContain('progress')
    const json = JSON.parse((await exported(client, 'json')).text) as { cost_usd: string; model: string }[]
    expect(json.map(({ model }) => model)).toEqual(records.map(({ model }) => model))
    expect(JSON.parse((await exported(client, 'json', { until: '2020-01-01' })).text)).toEqual([])
  })

  it('stops loading if the caller stops reading', async () => {
    const events = await client.history.export({ filter: {}, format: 'csv' })
    await events.next()
    await events.return()
    const stop = new AbortController()
    stop.abort()
    await expect(client.history.page({ filter: {} }, { signal: stop.signal })).rejects.toThrow()
  })

  it('of a revoked key is found by reading all records', async () => {
    const third = (await service('POST', '/keys', { name: 'Revoked' })) as typeof second
    await elsewhere(third.api_key, 'api')
    await service('DELETE', `/keys/${third._id}`)
    expect((await client.history.page({ filter: { keyId: third._id } })).total).toBeNull()
    expect((await all(client, { keyId: third._id })).map(({ keyName }) => keyName)).toEqual(['Revoked'])
    expect((await summary(client, { keyId: third._id }))?.total.requests).toBe(1)
    expect((await exported(client, 'csv', { keyId: third._id })).text.trimEnd().split('\r\n')).toHaveLength(2)
  })

  it('sends no key and no credit ID in an address, and exports none', async () => {
    world.sandbox.clearReceived()
    world.outbound.length = 0
    await all(client, { keyId: second._id })
    await exported(client, 'json')
    const addresses = world.outbound.map((each) => each.toString().split('\n')[0]).join('\n')
    expect(addresses).toContain('/queries/history?')
    for (const secret of [account.apiKey, account.creditId, second.api_key]) {
      expect(addresses).not.toContain(secret)
      expect((await exported(client, 'json')).text).not.toContain(secret)
    }
  })

  it('has no duplicates and no gaps while other requests continue', async () => {
    const before = await all(client, {}, 100)
    const pagedRecords: HistoryRecord[] = []
    let cursor: string | undefined
    do {
      const page = await client.history.page({
        filter: {},
        limit: 1,
        ...(cursor !== undefined && { cursor }),
      })
      pagedRecords.push(...page.records)
      cursor = page.next ?? undefined
      await elsewhere(second.api_key, 'ui')
    } while (cursor !== undefined)
    expect(pagedRecords).toEqual(before)
  })

  it('fails with a code if it can’t be loaded', async () => {
    await expect(client.history.page({ filter: {}, cursor: 'elsewhere' })).rejects.toMatchObject({
      data: { code: 'request/invalid' },
    })
    const routes = ['GET /queries/history']
    await client.sandbox.setRouteFault({ routes, fault: { status: 401 } })
    await expect(client.history.page({ filter: {} })).rejects.toMatchObject({
      data: { code: 'service/key-refused' },
    })
    await expect(exported(client, 'csv')).rejects.toMatchObject({ data: { code: 'service/key-refused' } })
    await client.sandbox.setRouteFault({ routes, fault: null })
  })
})

it('fails without an account', async () => {
  await using world = await startWorld()
  const client = clientOf(world)
  await client.accounts.disconnect()
  await expect(client.history.page({ filter: {} })).rejects.toMatchObject({
    data: { code: 'service/no-account' },
  })
  await expect(summary(client)).rejects.toMatchObject({ data: { code: 'service/no-account' } })
})

describe('costs that the history settles', () => {
  /** A service whose chat replies report impossible token counts, once. */
  async function worldWithGarbage(): Promise<World & { readonly garble: () => void }> {
    let garbled = false
    const world = await startWorld({
      fetch: (fetch) => async (url, init) => {
        const response = await fetch(url, init)
        if (!garbled || !url.endsWith('/chat/completions') || !response.body) return response
        garbled = false
        const parts: Uint8Array[] = []
        for await (const part of response.body) parts.push(part)
        const text = Buffer.concat(parts)
          .toString()
          .replaceAll(/"(prompt|completion)_tokens":\d+/g, `"$1_tokens":${String(10 ** 12)}`)
        return {
          status: response.status,
          headers: { get: (name) => (name === 'content-length' ? null : response.headers.get(name)) },
          body: (async function* () {
            yield await Promise.resolve(Buffer.from(text))
          })(),
        }
      },
    })
    return Object.assign(world, { garble: () => (garbled = true) })
  }
  const ask = async (world: World, content: string): Promise<void> => {
    const response = await world.post({
      model: PLAINTEXT_MODEL,
      messages: [{ role: 'user', content }],
      max_tokens: 30,
    })
    expect(response.status).toBe(200)
    await response.text()
  }
  const spent = async (client: Client): Promise<string | undefined> =>
    (await client.localApi.keys())[0]?.spent

  it('a doubted cost is charged at the estimate until it’s confirmed, and corrected once', async () => {
    await using world = await worldWithGarbage()
    const client = clientOf(world)
    world.garble()
    const charges = new Set(world.sandbox.ledger().map(({ at }) => at))
    await ask(world, 'how much is this')
    const charge = world.sandbox.ledger().filter(({ at }) => !charges.has(at))
    const [doubted] = await client.receipts.list({ limit: 1 })
    expect(doubted).toMatchObject({ costDoubted: true, charged: doubted?.estimate?.most })
    expect(await spent(client)).toBe(doubted?.charged)
    const {
      records: [unsure],
    } = await client.history.page({ filter: {} })
    expect(unsure?.receipt).toBeUndefined()

    world.clock.ahead = 11 * 60_000
    const first = await client.history.page({ filter: {} })
    const cost = first.records[0]?.cost
    expect([cost]).toEqual(charge.map(({ picoUsd }) => picoUsd.toString()))
    expect(first.records[0]?.receipt).toEqual({
      id: doubted?.id,
      privacy: 'forwarded',
      cost,
      confirmed: true,
    })
    const confirmed = await client.receipts.get({ receiptId: doubted?.id ?? '' })
    expect(confirmed).toMatchObject({
      cost: doubted?.cost,
      confirmed: { cost, recordAt: first.records[0]?.at },
      charged: cost,
    })
    expect(confirmed).not.toHaveProperty('costDoubted')
    expect(await spent(client)).toBe(cost)

    await all(client)
    await exported(client, 'csv')
    expect(await spent(client)).toBe(cost)
    expect((await exported(client, 'csv')).text).toContain(',true\r\n')
  })

  it('a doubted cost is corrected even if the history isn’t opened', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldAdvanceTime: true })
    try {
      await using world = await worldWithGarbage()
      const client = clientOf(world)
      world.garble()
      await ask(world, 'how much is this')
      const [doubted] = await client.receipts.list({ limit: 1 })
      expect(await spent(client)).toBe(doubted?.charged)
      world.clock.ahead = 11 * 60_000
      await vi.advanceTimersByTimeAsync(11 * 60_000)
      await expect
        .poll(async () => (await client.receipts.get({ receiptId: doubted?.id ?? '' })).confirmed)
        .toBeDefined()
      const confirmed = await client.receipts.get({ receiptId: doubted?.id ?? '' })
      expect(await spent(client)).toBe(confirmed.charged)
      expect(confirmed.charged).toBe(confirmed.confirmed?.cost)
    } finally {
      vi.useRealTimers()
    }
  })

  it('a request that the service’s history doesn’t have is listed after ten minutes', async () => {
    await using world = await startWorld({
      fetch: (fetch) => async (url, init) => {
        // The service's list lacks the newest of several requests.
        const response = await fetch(url, init)
        if (!url.includes('/queries/history') || !response.body) return response
        const parts: Uint8Array[] = []
        for await (const part of response.body) parts.push(part)
        const page = JSON.parse(Buffer.concat(parts).toString()) as { data: unknown[]; pagination: object }
        const text = JSON.stringify({ ...page, data: page.data.length > 1 ? page.data.slice(1) : page.data })
        return {
          status: response.status,
          headers: { get: (name) => (name === 'content-length' ? null : response.headers.get(name)) },
          body: (async function* () {
            yield await Promise.resolve(Buffer.from(text))
          })(),
        }
      },
    })
    const client = clientOf(world)
    await ask(world, 'one')
    await ask(world, 'two words')
    expect((await client.history.page({ filter: {} })).missing).toEqual([])
    world.clock.ahead = 11 * 60_000
    const { records, missing, uncompared } = await client.history.page({ filter: {} })
    const [last, first] = await client.receipts.list({ limit: 2 })
    expect(records.map(({ receipt }) => receipt?.id)).toEqual([first?.id])
    expect(missing).toEqual([
      expect.objectContaining({
        model: PLAINTEXT_MODEL,
        keyName: 'Default',
        receipt: { id: last?.id, privacy: 'forwarded', cost: last?.cost },
      }),
    ])
    expect(uncompared).toBe(0)
    expect((await exported(client, 'csv')).text).toMatch(/,Default,,,,0\.\d+,false\r\n/)
  })
})
