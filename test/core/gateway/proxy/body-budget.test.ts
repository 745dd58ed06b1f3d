import { once } from 'node:events'
import { afterAll, beforeAll, afterEach, describe, expect, it } from 'vitest'
import { unlockVault } from '../../../../src/core/core.ts'
import { BodyBudget } from '../../../../src/shared/body-budget.ts'
import { giveFirstKey } from '../../../limited-key.ts'
import { RawCaller, type RawAnswer } from '../../../raw-caller.ts'
import { chatRequests, PLAINTEXT_MODEL, PRIVATE_MODEL, startWorld, type World } from '../../../world.ts'

const MIB = 1024 * 1024
const PIECE = Buffer.alloc(MIB, 0x20)
const messages = [{ role: 'user', content: 'hello' }]
const bodies = new BodyBudget({ bytes: 64 * MIB })

let world: World
const callers: RawCaller[] = []
beforeAll(async () => {
  world = await startWorld({ bodies })
})
afterAll(() => world[Symbol.asyncDispose]())
afterEach(async () => {
  for (const caller of callers.splice(0)) caller.destroy()
  await expect.poll(() => bodies.heldBytes).toBe(0)
})

interface Head {
  readonly path?: string
  readonly key?: string
  readonly type?: string
  /** Content-Length; chunked if it is absent. */
  readonly length?: number
}

async function begin(
  { path = '/v1/chat/completions', key = world.key, type = 'application/json', length }: Head,
  to = world,
): Promise<RawCaller> {
  const port = Number(new URL(to.baseUrl).port)
  const caller = await RawCaller.to(port)
  callers.push(caller)
  const framing = length === undefined ? 'Transfer-Encoding: chunked' : `Content-Length: ${String(length)}`
  caller.write(
    `POST ${path} HTTP/1.1\r\nHost: 127.0.0.1:${String(port)}\r\nAuthorization: Bearer ${key}\r\nContent-Type: ${type}\r\n${framing}\r\n\r\n`,
  )
  return caller
}

async function pour({ socket }: RawCaller, pieces: number, chunked = false): Promise<void> {
  const closed = new Promise((resolve) => socket.once('close', resolve))
  for (let sent = 0; sent < pieces && socket.writable; sent++) {
    const bytes = chunked
      ? Buffer.concat([Buffer.from(`${PIECE.length.toString(16)}\r\n`), PIECE, Buffer.from('\r\n')])
      : PIECE
    if (!socket.write(bytes)) await Promise.race([once(socket, 'drain').catch(() => undefined), closed])
  }
}

async function answerOf(caller: RawCaller): Promise<RawAnswer> {
  await expect.poll(() => caller.answers().length).toBe(1)
  return caller.answers()[0]!
}

/** An incomplete body of 60 MiB. */
async function holdBody(): Promise<RawCaller> {
  const holder = await begin({ length: 60 * MIB })
  await pour(holder, 40)
  await expect.poll(() => bodies.heldBytes).toBe(40 * MIB)
  return holder
}

describe('request bodies that exceed the memory limit', () => {
  const form = 'multipart/form-data; boundary=x'
  it.each([
    [
      '/v1/chat/completions',
      'application/json',
      (body: string) => (JSON.parse(body) as { error: { code: string; type: string } }).error,
      { code: 'proxy/busy', type: 'api_error' },
    ],
    [
      '/v1/responses',
      'application/json',
      (body: string) => (JSON.parse(body) as { error: { code: string; type: string } }).error,
      { code: 'proxy/busy', type: 'api_error' },
    ],
    [
      '/v1/embeddings',
      'application/json',
      (body: string) => (JSON.parse(body) as { error: { code: string; type: string } }).error,
      { code: 'proxy/busy', type: 'api_error' },
    ],
    [
      '/v1/images/edits',
      form,
      (body: string) => (JSON.parse(body) as { error: { code: string; type: string } }).error,
      { code: 'proxy/busy', type: 'api_error' },
    ],
    [
      '/v1/messages',
      'application/json',
      (body: string) => (JSON.parse(body) as { error: { type: string; details: object } }).error,
      { type: 'overloaded_error', details: { error_code: 'proxy/busy' } },
    ],
    [
      '/api/chat',
      'application/json',
      (body: string) => JSON.parse(body) as object,
      { error: expect.stringContaining('Retry') as string },
    ],
  ])('get 503 with Retry-After in the caller’s dialect: %s', async (path, type, errorOf, expected) => {
    await holdBody()
    const announced = await begin({ path, type, length: 30 * MIB })
    const chunked = await begin({ path, type })
    await pour(chunked, 30, true)
    for (const caller of [announced, chunked]) {
      const { status, headers, body } = await answerOf(caller)
      expect([status, headers['retry-after'], headers['connection'], headers['x-sotto-service']]).toEqual([
        503,
        '5',
        'close',
        'sandbox',
      ])
      expect(errorOf(body.toString())).toMatchObject(expected)
    }
    expect(bodies.heldBytes).toBe(40 * MIB)
    expect(chatRequests(world.sandbox)).toEqual([])
  })

  it('are drained, so that a client that first writes its whole body can read the response', async () => {
    await holdBody()
    const caller = await begin({ length: 60 * MIB })
    caller.socket.pause()
    await pour(caller, 60)
    caller.socket.resume()
    expect((await answerOf(caller)).status).toBe(503)
    await expect.poll(() => caller.closed).toBe(true)
  })

  it('are accepted after other requests end or their callers disconnect', async () => {
    const holder = await holdBody()
    expect((await answerOf(await begin({ length: 30 * MIB }))).status).toBe(503)
    // Small bodies still fit.
    for (const model of [PLAINTEXT_MODEL, PRIVATE_MODEL])
      expect((await world.post({ model, messages })).status).toBe(200)
    await pour(holder, 20)
    expect((await answerOf(holder)).status).toBe(400)
    const next = await begin({ length: 30 * MIB })
    await pour(next, 30)
    expect((await answerOf(next)).status).toBe(400)
    const gone = await holdBody()
    gone.destroy()
    await expect.poll(() => bodies.heldBytes).toBe(0)
  })

  it('are not refused because of bodies that are announced and never sent', async () => {
    for (let opened = 0; opened < 20; opened++) await begin({ length: 60 * MIB })
    expect((await world.post({ model: PLAINTEXT_MODEL, messages })).status).toBe(200)
    const whole = await begin({ length: 60 * MIB })
    await pour(whole, 60)
    expect((await answerOf(whole)).status).toBe(400)
  })

  it('use no more memory than their bytes if they arrive byte by byte', async () => {
    const before = process.memoryUsage()
    const caller = await begin({})
    const pieces = '1\r\nx\r\n'.repeat(100_000)
    for (let sent = 0; sent < 20; sent++) if (!caller.socket.write(pieces)) await once(caller.socket, 'drain')
    await expect.poll(() => bodies.heldBytes).toBe(2_000_000)
    const after = process.memoryUsage()
    // Two million pieces take 240 MB if each is stored separately.
    expect(after.external - before.external + after.arrayBuffers - before.arrayBuffers).toBeLessThan(
      100 * MIB,
    )
  })
})

describe('a body counts until the service responds', () => {
  it.each([[PLAINTEXT_MODEL], [PRIVATE_MODEL]])('%s', async (model) => {
    let release = (): void => undefined
    const released = new Promise<void>((resolve) => (release = resolve))
    const budget = new BodyBudget()
    await using other = await startWorld({
      bodies: budget,
      fetch: (fetch) => async (url, init) => {
        if (init.method === 'POST' && url.endsWith('/chat/completions')) await released
        return fetch(url, init)
      },
    })
    const body = JSON.stringify({ model, messages, stream: true })
    const answering = other.post(body)
    await expect.poll(() => budget.heldBytes).toBe(Buffer.byteLength(body))
    release()
    const response = await answering
    expect(response.status).toBe(200)
    // The answer is still incomplete.
    await expect.poll(() => budget.heldBytes).toBe(0)
    await response.text()
  })
})

describe('a request that its key doesn’t allow is refused before its body is read', () => {
  const limited = (limits: Parameters<typeof giveFirstKey>[0]['limits']): Promise<World> =>
    startWorld({
      vault: async (folder) => {
        const vault = await unlockVault({ mode: 'file', folder, passphrase: 'correct horse' })
        await giveFirstKey({ vault, folder, profileId: 'sandbox', limits })
        return vault
      },
    })
  const codeOf = ({ body }: RawAnswer): unknown =>
    (JSON.parse(body.toString()) as { error: { code: string } }).error.code

  it.each([[60 * MIB], [undefined]])(
    'because the budget is used up; the body has %s bytes',
    async (length) => {
      await using other = await limited({ budget: { picoUsd: 0n, period: 'day' } })
      const answer = await answerOf(
        await begin({ key: other.key, ...(length !== undefined && { length }) }, other),
      )
      expect([answer.status, codeOf(answer)]).toEqual([402, 'budget/exceeded'])
      // Only the body of a small request shows whether it is free.
      expect((await other.post({ model: 'nobody/none', messages })).status).toBe(404)
      expect((await other.post({ model: PLAINTEXT_MODEL, messages })).status).toBe(402)
    },
  )

  it('because the key has expired or its rate limit is reached', async () => {
    await using expired = await limited({ expiresAt: 1 })
    const first = await answerOf(await begin({ key: expired.key, length: 60 * MIB }, expired))
    expect([first.status, codeOf(first)]).toEqual([401, 'auth/expired-api-key'])
    await using rated = await limited({ requestsPerMinute: 1 })
    await (await rated.post({ model: 'nobody/none', messages })).text()
    const second = await answerOf(await begin({ key: rated.key, length: 60 * MIB }, rated))
    expect([second.status, codeOf(second)]).toEqual([429, 'limit/requests'])
  })
})
