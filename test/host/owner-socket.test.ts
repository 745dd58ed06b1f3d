import { createHash } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import type * as os from 'node:os'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Host } from '../../src/host/host.ts'
import { ownerFetch, serveOwnerSocket } from '../../src/host/owner-socket.ts'
import { webStreamOf } from '../../src/host/web-stream.ts'
import { BodyBudget } from '../../src/shared/body-budget.ts'

// As in a container, where the user is a number that no file of users knows.
vi.mock('node:os', async (original) => ({
  ...await original<typeof os>(),
  userInfo: () => {
    throw new Error('uv_os_get_passwd returned ENOENT')
  },
}))

function hostOf(api: Host['api']): Host {
  return {
    api,
    proxyBaseUrl: () => Promise.resolve(''),
    localKey: () => Promise.resolve(null),
    service: () => 'sandbox',
    bodies: new BodyBudget(),
    renewVerdict: () => Promise.resolve(),
    verifyEnclave: () => Promise.resolve(),
    prepare: () => undefined,
    serve: () => Promise.resolve(),
    standing: () => Promise.resolve(null),
    [Symbol.asyncDispose]: () => Promise.resolve(),
  }
}

it.each([['short'], ['l'.repeat(120)]])('the owner’s socket is there for a user without a name, in a folder whose name is %s', async (name) => {
  const folder = join(await mkdtemp(join(tmpdir(), 'sotto-socket-')), name)
  const host = hostOf(() => Promise.resolve(Response.json('hello')))
  await using _socket = await serveOwnerSocket(folder, host, { open: () => Promise.resolve(null) })
  expect(await (await ownerFetch(folder)(new Request('http://sotto.invalid/api/x', { method: 'POST' }))).json()).toBe('hello')
  await rm(folder, { recursive: true, force: true })
})

describe('what goes through the socket in many pieces', () => {
  const PIECE = Buffer.alloc(64 * 1024, 7)
  const PIECES = 400
  let folder: string
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'sotto-socket-'))
  })
  afterEach(() => rm(folder, { recursive: true, force: true }))

  async function* pieces(taken: { count: number }): AsyncGenerator<Uint8Array, void> {
    for (; taken.count < PIECES; taken.count += 1) yield await Promise.resolve(Uint8Array.from(PIECE))
  }
  const upload = (content: AsyncIterable<Uint8Array>): Request => new Request('http://sotto.invalid/upload/x', { method: 'PUT', body: webStreamOf(content), duplex: 'half' })

  it('is handed on no faster than it is read: an answer', async () => {
    const sent = { count: 0 }
    await using _socket = await serveOwnerSocket(folder, hostOf(() => Promise.resolve(new Response(webStreamOf(pieces(sent))))), { open: () => Promise.resolve(null) })
    const { body } = await ownerFetch(folder)(new Request('http://sotto.invalid/media/x'))
    const reader: ReadableStreamDefaultReader<Uint8Array> = body!.getReader()
    await reader.read()
    await settled(sent)
    // What the socket and its two ends hold; the rest waits for its reader.
    expect(sent.count).toBeLessThan(PIECES / 4)
    let bytes = 0
    for (let next = await reader.read(); !next.done; next = await reader.read()) bytes += next.value.byteLength
    expect([sent.count, bytes > (PIECES - 2) * PIECE.byteLength]).toEqual([PIECES, true])
  })

  it('is taken no faster than it is read: an upload', async () => {
    let go: () => void = () => undefined
    const gone = new Promise<void>((resolve) => (go = resolve))
    const sent = { count: 0 }
    const hash = createHash('sha256')
    await using _socket = await serveOwnerSocket(folder, hostOf(async ({ body }) => {
      await gone
      const whole: AsyncIterable<Uint8Array> = body!
      for await (const piece of whole) hash.update(piece)
      return Response.json(hash.digest('hex'))
    }), { open: () => Promise.resolve(null) })
    const answer = ownerFetch(folder)(upload(pieces(sent)))
    await settled(sent)
    expect(sent.count).toBeLessThan(PIECES / 4)
    go()
    const whole = createHash('sha256')
    for (let count = 0; count < PIECES; count += 1) whole.update(PIECE)
    expect(await (await answer).json()).toBe(whole.digest('hex'))
  })

  it('is refused in the middle with an answer', async () => {
    await using _socket = await serveOwnerSocket(folder, hostOf(async ({ body }) => {
      for await (const _piece of body!) break
      return Response.json({ code: 'studio/upload-broken' }, { status: 422 })
    }), { open: () => Promise.resolve(null) })
    const answer = await ownerFetch(folder)(upload(pieces({ count: 0 })))
    expect([answer.status, await answer.json()]).toEqual([422, { code: 'studio/upload-broken' }])
  })

  it('is let go at once where an answer is given up while its next piece is waited for', async () => {
    let tell: () => void = () => undefined
    const told = new Promise<void>((resolve) => (tell = resolve))
    const silent = new ReadableStream<Uint8Array>({ start: (controller) => controller.enqueue(Uint8Array.of(7)) })
    await using _socket = await serveOwnerSocket(folder, hostOf(({ signal }) => {
      signal.addEventListener('abort', () => tell())
      return Promise.resolve(new Response(silent))
    }), { open: () => Promise.resolve(null) })
    const { body } = await ownerFetch(folder)(new Request('http://sotto.invalid/api/x', { method: 'POST' }))
    const reader: ReadableStreamDefaultReader<Uint8Array> = body!.getReader()
    expect([...(await reader.read()).value!]).toEqual([7])
    const next = reader.read()
    // The turn in which the read comes to wait for the socket.
    await setImmediate()
    await reader.cancel()
    await told
    expect((await next).done).toBe(true)
  })

  /** Nothing more is taken by itself. */
  async function settled(sent: { readonly count: number }): Promise<void> {
    let before = -1
    await expect.poll(() => {
      const same = sent.count === before
      before = sent.count
      return same && before > 0
    }, { interval: 100 }).toBe(true)
  }
})
