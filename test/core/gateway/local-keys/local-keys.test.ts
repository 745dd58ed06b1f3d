import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { clientOf, failureOf, type ContractClient } from '../../../../src/cli/client.ts'
import { unlockVault } from '../../../../src/core/core.ts'
import { KeyActivity } from '../../../../src/core/gateway/local-keys/key-activity.ts'
import { adoptFirstKey, createLocalKeys } from '../../../../src/core/gateway/local-keys/local-keys.ts'
import { createStore } from '../../../../src/core/storage/index.ts'
import type { KeyLimitsText } from '../../../../src/shared/key-limits.ts'
import type { LocalKeyView } from '../../../../src/shared/local-key.ts'
import { renderEnglish } from '../../../../src/shared/localized-text.ts'
import { limitClockOf } from '../../payments/scripted-clock.ts'
import { chatRequests, PLAINTEXT_MODEL, PRIVATE_MODEL, startWorld, type World } from '../../../world.ts'

const DOLLAR = '1000000000000'
const messages = [{ role: 'user', content: 'canary question' }]
const ask = { model: PLAINTEXT_MODEL, messages, max_tokens: 50 }

let world: World
let client: ContractClient
/** The confirmations requested outside the window, and the answer to them. */
const asked: string[] = []
let answer = true
beforeAll(async () => {
  world = await startWorld({
    vault: (folder) => unlockVault({ mode: 'file', folder, passphrase: 'correct horse' }),
    confirm: (question) => {
      asked.push(question)
      return answer
    },
  })
  client = clientOf(world.core)
})
afterAll(() => world[Symbol.asyncDispose]())
beforeEach(() => {
  asked.length = 0
  answer = true
  world.sandbox.clearReceived()
})

let createdCount = 0
const newName = () => `Tool ${String((createdCount += 1))}`
const create = async (limits: KeyLimitsText = {}, name = newName()) =>
  client.localApi.create({ name, limits })
const post = (secret: string, body: object = ask, signal?: AbortSignal) =>
  fetch(`${world.baseUrl}/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
    ...(signal && { signal }),
  })
const get = (secret: string) =>
  fetch(`${world.baseUrl}/models`, { headers: { authorization: `Bearer ${secret}` } })
/** Sends the head and half of the body. The proxy then waits for the rest. */
async function sendHalf(secret: string): Promise<{ closed: Promise<unknown> }> {
  const { port } = new URL(world.baseUrl)
  const socket = connect(Number(port), '127.0.0.1')
  socket.on('error', () => undefined)
  const closed = new Promise((resolve) => socket.once('close', resolve))
  socket.write(
    `POST /v1/chat/completions HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nAuthorization: Bearer ${secret}\r\nContent-Type: application/json\r\nExpect: 100-continue\r\nContent-Length: 100\r\n\r\n`,
  )
  // The proxy asks for the body after it has read the head.
  await once(socket, 'data')
  socket.write('{')
  return { closed }
}
async function refused(work: Promise<unknown>): Promise<string | undefined> {
  return work.then(
    () => undefined,
    (thrown: unknown) => failureOf(thrown)?.code ?? 'another failure',
  )
}
async function refusal(response: Response): Promise<[number, string]> {
  return [response.status, ((await response.json()) as { error: { code: string } }).error.code]
}
async function viewOf(keyId: string): Promise<LocalKeyView | undefined> {
  return (await client.localApi.keys()).find(({ id }) => id === keyId)
}

it('the first key exists from the start and has no limits', async () => {
  const [first] = await client.localApi.keys()
  expect(first).toMatchObject({
    name: 'First key',
    first: true,
    state: 'live',
    limits: {},
    requests: 0,
    held: '0',
  })
})

describe('a new key', () => {
  it('shows its secret once, and stores only the hash', async () => {
    const { key, secret } = await create({ budget: { picoUsd: DOLLAR, period: 'day' } }, '  Editor ')
    expect(key).toMatchObject({
      name: 'Editor',
      first: false,
      state: 'live',
      spent: '0',
      held: '0',
      requests: 0,
    })
    expect(key.renewsAt).toBeGreaterThan(Date.now())
    expect(secret).toMatch(/^sk-sotto-[\w-]{32}$/)
    expect(asked).toEqual([])
    const response = await post(secret)
    expect(response.status).toBe(200)
    await response.text()
    await expect
      .poll(() => viewOf(key.id))
      .toMatchObject({ requests: 1, held: '0', spent: expect.stringMatching(/^[1-9]/) as string })
    const used = await viewOf(key.id)
    expect(used?.firstUsedAt).toBe(used?.lastUsedAt)
    expect(
      JSON.stringify([
        await client.localApi.keys(),
        await client.localApi.requests({}),
        await client.localApi.get(),
      ]),
    ).not.toContain(secret)
    for (const file of ['sotto.db', 'sotto.db-wal'])
      expect(readFileSync(join(world.folder, 'profiles', 'sandbox', file)).includes(secret)).toBe(false)
  })

  it('needs a name that no live key has', async () => {
    const { key } = await create({}, 'Zed')
    expect(await refused(create({}, 'zED'))).toBe('local-key/name-taken')
    await client.localApi.revoke({ keyId: key.id })
    expect((await create({}, 'zED')).key.name).toBe('zED')
  })

  it.each([
    ['', {}],
    ['x'.repeat(61), {}],
    ['a\u202eb', {}],
    ['ok', { budget: { picoUsd: '-1', period: 'day' } }],
    ['ok', { requestsPerMinute: 0 }],
  ])('is refused with an invalid name or invalid limits: %j %j', async (name, limits) => {
    expect(await refused(create(limits as KeyLimitsText, name))).toBe('another failure')
  })

  it('needs a confirmation if it may do more than the first key', async () => {
    answer = false
    expect(await refused(create({ grants: ['balance', 'pay-per-request'] }, 'Agent'))).toBe('confirm/refused')
    expect(asked).toEqual([
      'Create a local key “Agent” with more permissions than the first key: read the balance; pay per request?',
    ])
    expect((await client.localApi.keys()).map(({ name }) => name)).not.toContain('Agent')
    answer = true
    expect((await create({ grants: ['balance'] }, 'Agent')).key.limits).toEqual({ grants: ['balance'] })

    const [first] = await client.localApi.keys()
    await client.localApi.update({ keyId: first?.id ?? '', limits: { atLeast: 'sealed' } })
    asked.length = 0
    answer = false
    expect(await refused(create({}))).toBe('confirm/refused')
    expect((await create({ atLeast: 'sealed', requestsPerMinute: 5 })).key.state).toBe('live')
    expect(asked).toHaveLength(1)
    answer = true
    await client.localApi.update({ keyId: first?.id ?? '', limits: {} })
  })
})

describe('changing a key', () => {
  it('applies from the next request; raising a limit needs a confirmation, lowering it doesn’t', async () => {
    const {
      key: { id: keyId },
      secret,
    } = await create()
    expect((await post(secret)).status).toBe(200)
    await client.localApi.update({
      keyId,
      limits: { atLeast: 'sealed', budget: { picoUsd: DOLLAR, period: 'month' } },
    })
    expect(asked).toEqual([])
    expect(await refusal(await post(secret))).toEqual([403, 'auth/private-only'])
    answer = false
    expect(
      await refused(
        client.localApi.update({
          keyId,
          name: 'Renamed',
          limits: { budget: { picoUsd: '2000000000000', period: 'month' } },
        }),
      ),
    ).toBe('confirm/refused')
    expect(asked).toHaveLength(1)
    expect(asked[0]).toMatch(
      /^Expand the permissions of the local key “Tool \d+”: spend up to \$2\.00 per month; send requests that the service can read\?$/,
    )
    expect(await viewOf(keyId)).toMatchObject({ limits: { atLeast: 'sealed' } })
    expect((await viewOf(keyId))?.name).not.toBe('Renamed')
    answer = true
    expect(await client.localApi.update({ keyId, limits: {} })).toMatchObject({ limits: {} })
    expect((await post(secret)).status).toBe(200)
  })

  it('needs a confirmation for a new origin, or for an alias of a model that isn’t private; aliases of a new key need none', async () => {
    const aliases = [{ pattern: 'gpt-*', model: 'private/sandbox-lento-8b' }]
    const {
      key: { id: keyId },
    } = await create({ aliases })
    await client.localApi.update({
      keyId,
      limits: { aliases: [{ pattern: 'o3', model: 'private/sandbox-lento-8b' }, ...aliases] },
    })
    await create({ aliases: [{ pattern: 'gpt-*', model: 'sandbox/allegro-mini' }] })
    expect(asked).toEqual([])
    answer = false
    expect(await refused(create({ origins: ['app://obsidian.md'] }))).toBe('confirm/refused')
    expect(
      await refused(
        client.localApi.update({
          keyId,
          limits: { aliases: [{ pattern: 'gpt-*', model: 'sandbox/allegro-mini' }] },
        }),
      ),
    ).toBe('confirm/refused')
    answer = true
    expect(asked.map((each) => each.replace(/Tool \d+/, 'key'))).toEqual([
      'Create a local key “key” with more permissions than the first key: be used by web pages of app://obsidian.md?',
      'Expand the permissions of the local key “key”: send requests for o3 to a model that isn’t private; send requests for gpt-* to a model that isn’t private?',
    ])
  })

  it('asks again if the limits were lowered while the confirmation was pending, and fails if the key was revoked', async () => {
    const store = createStore({ folder: null, key: new Uint8Array(32), now: Date.now })
    const keys = createLocalKeys({
      store,
      money: () => ({ spent: 0n, reserved: 0n }),
      activity: new KeyActivity(),
      now: Date.now,
      limitClock: limitClockOf(Date.now),
      toolSecrets: { get: () => Promise.resolve(null), set: () => Promise.resolve() },
      firstSecret: 'y',
      keepFirst: () => Promise.resolve(),
      endRequests: () => undefined,
    })
    const { id: keyId } = store.localKeys.add({
      name: 'Slow',
      hash: 'bb'.repeat(32),
      limits: { requestsPerMinute: 5, models: ['a*'] },
    })
    const questions: string[] = []
    const updated = await keys.update(
      { keyId, limits: { requestsPerMinute: 6, models: ['a*'] } },
      (question) => {
        questions.push(renderEnglish(question))
        store.localKeys.change(keyId, { limits: { requestsPerMinute: 5, models: ['ab'] } })
        return Promise.resolve()
      },
    )
    expect(questions).toEqual([
      'Expand the permissions of the local key “Slow”: make 6 requests per minute?',
      'Expand the permissions of the local key “Slow”: use models named a*; make 6 requests per minute?',
    ])
    expect(updated.limits).toEqual({ requestsPerMinute: 6, models: ['a*'] })
    await expect(
      keys.update({ keyId, limits: {} }, () => {
        keys.revoke(keyId)
        return Promise.resolve()
      }),
    ).rejects.toMatchObject({ code: 'local-key/revoked' })
    store.close()
  })

  it('renames it, unless the name is taken or the key is unknown', async () => {
    const {
      key: { id: keyId },
    } = await create()
    expect((await client.localApi.update({ keyId, name: 'Another name' })).name).toBe('Another name')
    expect(await refused(client.localApi.update({ keyId, name: 'FIRST key' }))).toBe('local-key/name-taken')
    expect(await refused(client.localApi.update({ keyId: 'nobody', name: 'x' }))).toBe('local-key/unknown')
  })

  it('shows a key as expired after its time', async () => {
    const { key } = await create({ expiresAt: 1 })
    expect(key.state).toBe('expired')
  })
})

describe('revoking a key', () => {
  it.each([
    [PLAINTEXT_MODEL, 'forwarded'],
    [PRIVATE_MODEL, 'sealed'],
  ])('stops its requests in progress at once and leaves it in the list: %s', async (model, privacy) => {
    const {
      key: { id: keyId },
      secret,
    } = await create()
    const other = await create()
    const long = {
      model,
      stream: true,
      max_tokens: 5_000,
      messages: [{ role: 'user', content: 'Write 3000 words about rivers' }],
    }
    const [stream, unaffected] = await Promise.all([post(secret, long), post(other.secret, long)])
    const reader = stream.body?.getReader()
    await reader?.read()
    const unaffectedReader = unaffected.body?.getReader()
    await unaffectedReader?.read()
    const halfSent = await sendHalf(secret)

    expect(await client.localApi.revoke({ keyId })).toMatchObject({
      state: 'revoked',
      revokedAt: expect.any(Number) as number,
    })
    await expect(
      (async () => {
        while (!(await reader?.read())?.done);
      })(),
    ).rejects.toThrow()
    await halfSent.closed
    await expect
      .poll(async () => (await client.localApi.requests({ keyId })).requests)
      .toMatchObject([{ outcome: 'cancelled', privacy }])
    await expect.poll(() => chatRequests(world.sandbox).some(({ aborted }) => aborted)).toBe(true)
    for (const response of [await post(secret), await get(secret)])
      expect(await refusal(response)).toEqual([401, 'auth/revoked-api-key'])
    // The other tool's stream continues.
    expect((await unaffectedReader?.read())?.done).toBe(false)
    await unaffectedReader?.cancel()

    expect(await client.localApi.revoke({ keyId })).toMatchObject({ state: 'revoked' })
    expect(await refused(client.localApi.update({ keyId, limits: {} }))).toBe('local-key/revoked')
    expect(await viewOf(keyId)).toMatchObject({ state: 'revoked' })
    expect(await refused(client.localApi.revoke({ keyId: 'nobody' }))).toBe('local-key/unknown')
  })

  it('is refused for the first key; rotating it revokes the old secret and keeps the limits', async () => {
    const [first] = await client.localApi.keys()
    expect(await refused(client.localApi.revoke({ keyId: first?.id ?? '' }))).toBe('local-key/first')
    await client.localApi.update({ keyId: first?.id ?? '', limits: { models: ['sandbox/*'] } })
    const former = (await client.localApi.get()).key
    const { key, secret } = await client.localApi.rotate()
    expect(key).toMatchObject({
      id: first?.id,
      first: true,
      state: 'live',
      limits: { models: ['sandbox/*'] },
    })
    expect((await client.localApi.get()).key).toBe(secret)
    expect(world.core.localKey()).toBe(secret)
    expect(await refusal(await get(former))).toEqual([401, 'auth/invalid-api-key'])
    expect((await get(secret)).status).toBe(200)
    expect(Buffer.from((await world.vault.get('local-key')) ?? []).toString()).toBe(secret)
    await client.localApi.update({ keyId: key.id, limits: {} })
  })
})

describe('the first key’s record', () => {
  const hashes = { first: 'aa'.repeat(32), next: 'bb'.repeat(32) }
  it('adopts the hash of a secret that was rotated elsewhere, and keeps its limits', () => {
    const store = createStore({ folder: null, key: new Uint8Array(32), now: Date.now })
    adoptFirstKey(store.localKeys, hashes.first)
    const [first] = store.localKeys.list()
    store.localKeys.change(first?.id ?? '', { limits: { atLeast: 'sealed' } })
    adoptFirstKey(store.localKeys, hashes.next)
    adoptFirstKey(store.localKeys, hashes.next)
    expect(store.localKeys.list()).toEqual([{ ...first, hash: hashes.next, limits: { atLeast: 'sealed' } }])
    expect(store.localKeys.findByHash(hashes.first)).toBeNull()
    store.close()
  })
  it('is found by its secret if no key is marked as the first', () => {
    const store = createStore({ folder: null, key: new Uint8Array(32), now: Date.now })
    store.localKeys.add({ name: 'First key', hash: hashes.first, limits: { atLeast: 'sealed' } })
    store.localKeys.add({ name: 'Another', hash: hashes.next })
    adoptFirstKey(store.localKeys, hashes.first)
    expect(store.localKeys.list()).toMatchObject([
      { first: true, limits: { atLeast: 'sealed' } },
      { first: false },
    ])
    store.close()
  })
})

describe('the request list', () => {
  it('shows key, model and outcome, newest first, in pages and without content', async () => {
    const {
      key: { id: keyId },
      secret,
    } = await create({ budget: { picoUsd: '200000000', period: 'day' } }, 'Notebook')
    for (const body of [
      ask,
      { ...ask, model: PRIVATE_MODEL },
      { ...ask, max_tokens: 1_000_000 },
      { ...ask, model: 'nobody/none' },
    ])
      await (await post(secret, body)).text()
    await expect.poll(async () => (await client.localApi.requests({ keyId })).requests.length).toBe(4)
    const { requests, next } = await client.localApi.requests({ keyId })
    expect(requests).toMatchObject([
      {
        tool: 'Notebook',
        keyId,
        model: 'nobody/none',
        privacy: 'refused',
        outcome: 'refused',
        code: 'model/unknown',
      },
      {
        model: PLAINTEXT_MODEL,
        privacy: 'refused',
        outcome: 'refused',
        code: 'budget/exceeded',
        estimate: { most: expect.any(String) as string },
      },
      {
        model: PRIVATE_MODEL,
        privacy: 'sealed',
        outcome: 'complete',
        usage: { prompt: expect.any(Number) as number },
        cost: expect.any(String) as string,
      },
      {
        model: PLAINTEXT_MODEL,
        privacy: 'forwarded',
        outcome: 'complete',
        path: '/v1/chat/completions',
        addedMs: expect.any(Number) as number,
        durationMs: expect.any(Number) as number,
      },
    ])
    expect(next).toBeNull()
    expect(JSON.stringify(requests)).not.toContain('canary')
    const [, , sealed] = requests
    expect(await client.receipts.get({ receiptId: sealed?.id ?? '' })).toMatchObject({
      privacy: 'sealed',
      enclave: { host: expect.any(String) as string },
    })

    const first = await client.localApi.requests({ keyId, limit: 3 })
    expect(first.requests).toEqual(requests.slice(0, 3))
    const second = await client.localApi.requests({ keyId, limit: 3, cursor: first.next ?? '' })
    expect(second).toEqual({ requests: requests.slice(3), next: null })
    expect((await client.localApi.requests({ keyId, privacy: 'refused' })).requests).toEqual(
      requests.slice(0, 2),
    )
    expect((await client.localApi.requests({ limit: 4 })).requests).toEqual(requests)
    expect(await refused(client.localApi.requests({ cursor: '1; DROP TABLE receipts' }))).toBe(
      'another failure',
    )
  })

  it('omits requests of the window', async () => {
    const before = (await client.localApi.requests({ limit: 200 })).requests.length
    const events: unknown[] = []
    for await (const event of await client.chat.send({ model: PLAINTEXT_MODEL, text: 'hello' }))
      events.push(event)
    expect(events.at(-1)).toMatchObject({ type: 'ended', receipt: { outcome: 'complete' } })
    expect((await client.localApi.requests({ limit: 200 })).requests.length).toBe(before)
  })
})

describe('a watch', () => {
  it('reports all keys first, then reservations, ended requests and changed keys', async () => {
    const {
      key: { id: keyId },
      secret,
    } = await create({ budget: { picoUsd: DOLLAR, period: 'day' } })
    const stop = new AbortController()
    const events = (await client.localApi.watch(undefined, { signal: stop.signal }))[Symbol.asyncIterator]()
    const read = async () => {
      const event = await events.next()
      if (event.done) throw new Error('it ended')
      return event.value
    }
    const first = await read()
    expect(first).toMatchObject({ requests: [], more: false })
    expect(first.keys).toEqual(await client.localApi.keys())

    const caller = new AbortController()
    const response = await post(
      secret,
      {
        model: PLAINTEXT_MODEL,
        stream: true,
        max_tokens: 5_000,
        messages: [{ role: 'user', content: 'Write 3000 words about rivers' }],
      },
      caller.signal,
    )
    const reserved = await read()
    expect(reserved).toMatchObject({
      keys: [{ id: keyId, held: expect.stringMatching(/^[1-9]/) as string, spent: '0' }],
      requests: [],
    })
    caller.abort()
    await expect(response.text()).rejects.toThrow()
    const ended = await read()
    expect(ended).toMatchObject({
      keys: [{ id: keyId, held: '0', requests: 1 }],
      requests: [{ keyId, outcome: 'cancelled' }],
    })
    expect(ended.keys[0]?.spent).toBe(reserved.keys[0]?.held)

    await client.localApi.update({ keyId, name: 'Renamed while watched' })
    expect(await read()).toMatchObject({
      keys: [{ name: 'Renamed while watched' }],
      requests: [],
      more: false,
    })
    stop.abort()
    expect(await events.next()).toMatchObject({ done: true })
  })
})
