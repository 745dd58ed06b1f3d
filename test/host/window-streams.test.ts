import { once } from 'node:events'
import { request as httpRequest } from 'node:http'
import { createConnection, Socket } from 'node:net'
import { ClientPeer } from '@orpc/standard-server-peer'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { WindowSessions } from '../../src/core/core.ts'
import { createUiServer, type UiServer } from '../../src/host/ui-server.ts'
import { BodyBudget } from '../../src/shared/body-budget.ts'

interface Served {
  readonly path: string
  readonly body: string
  readonly signal: AbortSignal
}

let served: Served[]
let answer: () => Response | Promise<Response>
let windows: WindowSessions
let bodies: BodyBudget
let uiServer: UiServer

beforeEach(async () => {
  served = []
  answer = () => Response.json({ json: 'done' })
  windows = new WindowSessions()
  bodies = new BodyBudget({ bytes: 64 * 1024 * 1024 })
  uiServer = await createUiServer(
    {
      api: async (request) => {
        const { pathname } = new URL(request.url)
        served.push({ path: pathname, body: await request.text(), signal: request.signal })
        return answer()
      },
      files: () => Promise.resolve(new Response(null, { status: 404 })),
      bodies,
      windows,
    },
    0,
  )
})
afterEach(() => uiServer[Symbol.asyncDispose]())

const origin = (): string => new URL(uiServer.newAddress()).origin
const token = (): string => windows.exchange(windows.newCode()) ?? ''

/** A response whose events the test writes. */
function events(): { response: Response; write: (data: unknown) => void; isCancelled: () => boolean } {
  let controller: ReadableStreamDefaultController<Uint8Array> | undefined
  let isCancelled = false
  const body = new ReadableStream<Uint8Array>({
    start: (opened) => {
      controller = opened
    },
    cancel: () => {
      isCancelled = true
    },
  })
  return {
    isCancelled: () => isCancelled,
    response: new Response(body, { headers: { 'content-type': 'text/event-stream' } }),
    write: (data) =>
      controller?.enqueue(new TextEncoder().encode(`event: message\ndata: ${JSON.stringify(data)}\n\n`)),
  }
}

interface Connection {
  readonly socket: WebSocket
  readonly closed: Promise<number>
  readonly ask: (
    path: string,
    body?: unknown,
    signal?: AbortSignal,
  ) => Promise<{ status: number; body: unknown }>
}

/** Connects as a window does. */
async function connect(credential: string): Promise<Connection> {
  const socket = new WebSocket(`${origin().replace('http', 'ws')}/streams`, ['sotto', credential], {
    origin: origin(),
  })
  const peer = new ClientPeer((message) => socket.send(message))
  const closed = new Promise<number>((resolve) => socket.on('close', (code) => resolve(code)))
  socket.on('message', (data: Buffer) => void peer.message(data.toString('utf8')))
  void closed.then(() => peer.close({ reason: new Error('closed') }))
  await new Promise((resolve, reject) => {
    socket.once('open', resolve)
    socket.once('error', reject)
  })
  return {
    socket,
    closed,
    ask: (path, body, signal) =>
      peer.request({ url: new URL(`http://orpc${path}`), method: 'POST', headers: {}, body, signal }),
  }
}

/** The status of a handshake that is refused before there is a WebSocket. */
function handshake(path: string, headers: Record<string, string>): Promise<number> {
  const { hostname, port } = new URL(origin())
  return new Promise((resolve, reject) => {
    const request = httpRequest(
      {
        hostname,
        port,
        path,
        headers: {
          connection: 'Upgrade',
          upgrade: 'websocket',
          'sec-websocket-version': '13',
          'sec-websocket-key': 'AAAAAAAAAAAAAAAAAAAAAA==',
          'sec-websocket-protocol': `sotto, ${token()}`,
          ...headers,
        },
      },
      (response) => resolve(response.statusCode ?? 0),
    )
    request.on('upgrade', (_, socket) => {
      socket.destroy()
      resolve(101)
    })
    request.on('error', reject)
    request.end()
  })
}

function isIterator(body: unknown): body is AsyncIterator<unknown> {
  return typeof body === 'object' && body !== null && Symbol.asyncIterator in body
}

function iteratorOf(body: unknown): AsyncIterator<unknown> {
  if (!isIterator(body)) throw new TypeError('no stream')
  return body
}

describe('a handshake', () => {
  it('is accepted from the window’s own page only', async () => {
    const page = origin()
    expect(await handshake('/streams', { origin: page })).toBe(101)
    expect(await handshake('/streams', {})).toBe(403)
    expect(await handshake('/streams', { origin: 'http://evil.example' })).toBe(403)
    expect(await handshake('/streams', { origin: 'null' })).toBe(403)
    expect(await handshake('/streams', { origin: 'app://sotto' })).toBe(403)
    expect(await handshake('/streams', { origin: page, host: 'evil.example' })).toBe(403)
    expect(await handshake('/streams', { origin: page, 'sec-fetch-site': 'cross-site' })).toBe(403)
    expect(await handshake('/streams', { origin: page, 'sec-fetch-site': 'same-site' })).toBe(403)
  })

  it.each([
    '/api/localApi/get',
    '/',
    '/session',
    '/media/a',
    '/streams/',
    '/x/../streams',
    '/%2e/streams',
    '//streams',
  ])('for another path is refused: %s', async (path) => {
    expect([400, 403, 404]).toContain(await handshake(path, { origin: origin() }))
  })

  it('for another protocol than WebSocket is refused', async () => {
    expect(await handshake('/streams', { origin: origin(), upgrade: 'h2c' })).toBe(400)
  })

  it.each(['unknown', 'none', 'toString'])(
    'without a valid token is closed, and nothing is served: %s',
    async (credential) => {
      const { closed, ask } = await connect(credential)
      await expect(ask('/chat/send', { json: {} })).rejects.toThrow('closed')
      expect(await closed).toBe(4401)
      expect(served).toEqual([])
    },
  )
})

describe('a window’s connection', () => {
  it('carries several streams at once, each with its own request, and leaving one ends only that one', async () => {
    const { ask } = await connect(token())
    const first = events()
    answer = () => first.response
    const left = new AbortController()
    const one = iteratorOf((await ask('/purchases/watch', undefined, left.signal)).body)
    const second = events()
    answer = () => second.response
    const two = iteratorOf((await ask('/chat/follow', { json: { conversationId: 'c' } })).body)
    expect(served.map(({ path, body }) => [path, body])).toEqual([
      ['/api/purchases/watch', ''],
      ['/api/chat/follow', '{"json":{"conversationId":"c"}}'],
    ])
    second.write({ json: 2 })
    first.write({ json: 1 })
    expect(await one.next()).toEqual({ done: false, value: { json: 1 } })
    expect(await two.next()).toEqual({ done: false, value: { json: 2 } })
    left.abort()
    await expect.poll(() => served[0]?.signal.aborted).toBe(true)
    second.write({ json: 3 })
    expect(await two.next()).toEqual({ done: false, value: { json: 3 } })
    expect(served[1]?.signal.aborted).toBe(false)
  })

  // Otherwise each stream that a tab left would stay in memory, with oRPC's timer for it.
  it('cancels the body of a stream that was left, also if its source ignores the signal', async () => {
    const { ask, socket } = await connect(token())
    const all = [events(), events(), events()]
    const [first, second, third] = all
    const left = new AbortController()
    for (const [index, { response }] of all.entries()) {
      answer = () => response
      await ask('/purchases/watch', undefined, index === 0 ? left.signal : undefined)
    }
    left.abort()
    await expect.poll(() => first?.isCancelled()).toBe(true)
    expect([second, third].map((one) => one?.isCancelled())).toEqual([false, false])
    socket.close()
    await expect.poll(() => second?.isCancelled() && third?.isCancelled()).toBe(true)
  })

  it('cancels the body of a stream that was left before its response came', async () => {
    const { ask, socket } = await connect(token())
    const late = events()
    let respond: (response: Response) => void = () => undefined
    answer = () => new Promise<Response>((resolve) => (respond = resolve))
    const asked = expect(ask('/purchases/watch')).rejects.toThrow('closed')
    await expect.poll(() => served.length).toBe(1)
    socket.close()
    await asked
    await expect.poll(() => served[0]?.signal.aborted).toBe(true)
    respond(late.response)
    await expect.poll(late.isCancelled).toBe(true)
  })

  it.each([
    '/localApi/get',
    '/localApi/rotate',
    '/chat/send/../../localApi/get',
    '/chat%2Fsend',
    '/api/chat/send',
    '//chat/send',
    '/chat/send/',
    '/constructor',
  ])('serves no other procedure: %s', async (path) => {
    const { ask } = await connect(token())
    expect((await ask(path, { json: {} })).status).toBe(404)
    expect(served).toEqual([])
  })

  it('is closed and its streams end when the window is signed out, and a new one isn’t accepted', async () => {
    const credential = token()
    const { ask, closed } = await connect(credential)
    answer = () => events().response
    await ask('/conversations/watch')
    const [session] = windows.list()
    windows.signOut(session?.id ?? '')
    expect(await closed).toBe(4401)
    expect(served[0]?.signal.aborted).toBe(true)
    expect(await (await connect(credential)).closed).toBe(4401)
  })

  it('passes a refusal on, and answers 500 if the core fails', async () => {
    const { ask } = await connect(token())
    answer = () => Response.json({ json: { code: 'SOTTO' } }, { status: 422 })
    expect(await ask('/chat/send', { json: {} })).toMatchObject({
      status: 422,
      body: { json: { code: 'SOTTO' } },
    })
    answer = () => {
      throw new Error('secret text')
    }
    expect(await ask('/chat/send', { json: {} })).toEqual({ status: 500, headers: {}, body: undefined })
  })

  it('counts messages in the memory of all bodies, and answers 503 when that is used up', async () => {
    const { ask } = await connect(token())
    using others = bodies.begin(undefined, 64 * 1024 * 1024)
    others.add(64 * 1024 * 1024)
    expect((await ask('/chat/send', { json: {} })).status).toBe(503)
    expect(served).toEqual([])
  })

  it('is closed by a message that is too large, or of bytes', async () => {
    const large = await connect(token())
    large.socket.send('x'.repeat(26 * 1024 * 1024 + 1))
    expect(await large.closed).toBe(1009)
    const bytes = await connect(token())
    bytes.socket.send(Buffer.from('{}'))
    expect(await bytes.closed).toBe(1003)
    expect(served).toEqual([])
  })

  it('ignores a message that isn’t of the protocol', async () => {
    const { socket, ask } = await connect(token())
    for (const junk of [
      '',
      '{',
      '[]',
      'null',
      '{"i":"1","t":9,"p":1}',
      '{"i":1}',
      '{"i":"1","p":{"u":"http://["}}',
    ])
      socket.send(junk)
    expect((await ask('/chat/send', { json: {} })).status).toBe(200)
  })

  it('ends a request whose end arrives together with it', async () => {
    const { socket } = await connect(token())
    const { response } = events()
    answer = () => response
    const { promise: opened, resolve } = Promise.withResolvers<unknown>()
    socket.once('message', resolve)
    // Both frames in one packet, as after the browser was busy.
    const tcp: unknown = Reflect.get(socket, '_socket')
    if (!(tcp instanceof Socket)) throw new TypeError('no socket')
    tcp.cork()
    socket.send(JSON.stringify({ i: '1', p: { u: '/conversations/watch', b: {} } }))
    socket.send(JSON.stringify({ i: '1', t: 4 }))
    tcp.uncork()
    // A later request is answered after both.
    socket.send(JSON.stringify({ i: '2', p: { u: '/unknown', b: {} } }))
    await opened
    await expect.poll(() => served[0]?.signal.aborted ?? true).toBe(true)
  })

  it('costs no memory without a session, and leaves room for windows', async () => {
    const refused = await Promise.all(
      Array.from({ length: 30 }, async () => {
        const socket = new WebSocket(`${origin().replace('http', 'ws')}/streams`, ['sotto', 'none'], {
          origin: origin(),
        })
        const ended = new Promise<void>((resolve) => socket.on('close', () => resolve()))
        socket.on('error', () => undefined)
        await Promise.race([once(socket, 'open').catch(() => undefined), ended])
        // It never answers the close frame, and sends as much as it can.
        if (socket.readyState === WebSocket.OPEN) socket.send(Buffer.alloc(1024 * 1024))
        return { ended }
      }),
    )
    const { ask } = await connect(token())
    expect((await ask('/chat/send', { json: {} })).status).toBe(200)
    expect(served).toHaveLength(1)
    await Promise.all(refused.map(({ ended }) => ended))
  })

  it('ends with the server, also when a handshake was refused and its other side stays', async () => {
    const { hostname, port } = new URL(origin())
    const half = createConnection({ host: hostname, port: Number(port), allowHalfOpen: true })
    half.on('error', () => undefined)
    half.write(
      `GET /streams HTTP/1.1\r\nhost: ${hostname}:${port}\r\nconnection: Upgrade\r\nupgrade: websocket\r\n\r\n`,
    )
    const [refusal] = (await once(half, 'data')) as [Buffer]
    expect(refusal.toString()).toContain('403 Forbidden')
    await uiServer[Symbol.asyncDispose]()
    half.destroy()
  })

  it('ends with the server', async () => {
    const { ask, closed } = await connect(token())
    answer = () => events().response
    await ask('/conversations/watch')
    await uiServer[Symbol.asyncDispose]()
    expect(await closed).toBe(1006)
    expect(served[0]?.signal.aborted).toBe(true)
  })
})
