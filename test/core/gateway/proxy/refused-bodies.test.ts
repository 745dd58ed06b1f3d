import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { connect, type AddressInfo, type Socket } from 'node:net'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { REFUSED_BODIES, RefusedBodies } from '../../../../src/core/gateway/proxy/refused-bodies.ts'
import { RawCaller } from '../../../raw-caller.ts'
import { chatRequests, PLAINTEXT_MODEL, startWorld, type World } from '../../../world.ts'

const MIB = 1024 * 1024
const PIECE = Buffer.alloc(MIB, 0x20)

/** Writes until all pieces are sent or the connection is closed. */
async function pour(socket: Socket, pieces: number, frame = (piece: Buffer): Buffer => piece): Promise<void> {
  const gone = new Promise((resolve) => socket.once('close', resolve))
  for (let sent = 0; sent < pieces && socket.writable; sent++) {
    if (!socket.write(frame(PIECE)))
      await Promise.race([new Promise((resolve) => socket.once('drain', resolve)), gone])
  }
}

/** A client that reads an answer only after it has written everything, as many clients do. */
async function blind(
  port: number,
  head: string,
  write: (socket: Socket) => Promise<void>,
): Promise<{ answer: string; failure: unknown }> {
  const socket = connect({ port, host: '127.0.0.1' })
  let failure: unknown
  socket.on('error', (thrown) => (failure = thrown))
  await once(socket, 'connect')
  socket.pause()
  socket.write(head)
  await write(socket)
  const chunks: Buffer[] = []
  const closed = new Promise((resolve) => socket.once('close', resolve))
  socket.on('data', (chunk) => chunks.push(chunk)).resume()
  await closed
  return { answer: Buffer.concat(chunks).toString(), failure }
}

describe('a body over 64 MiB', () => {
  let world: World
  beforeAll(async () => {
    world = await startWorld()
  })
  afterAll(() => world[Symbol.asyncDispose]())

  const chunked = (piece: Buffer): Buffer =>
    Buffer.concat([Buffer.from(`${piece.length.toString(16)}\r\n`), piece, Buffer.from('\r\n')])

  it.each([
    ['/v1/chat/completions', '"code":"proxy/body-too-large"'],
    ['/v1/responses', '"code":"proxy/body-too-large"'],
    ['/v1/messages', '"error_code":"proxy/body-too-large"'],
    ['/v1/embeddings', '"code":"proxy/body-too-large"'],
    ['/api/chat', '{"error":"The body is larger than 64 MiB.'],
    ['/api/embed', '{"error":"The body is larger than 64 MiB.'],
  ])('to %s is refused, even if the client writes all of it before it reads', async (path, code) => {
    const port = Number(new URL(world.baseUrl).port)
    const head = `POST ${path} HTTP/1.1\r\nHost: 127.0.0.1:${String(port)}\r\nAuthorization: Bearer ${world.key}\r\nContent-Type: application/json\r\n`
    const announced = await blind(port, `${head}Content-Length: ${String(80 * MIB)}\r\n\r\n`, (socket) =>
      pour(socket, 80),
    )
    const turnedOut = await blind(port, `${head}Transfer-Encoding: chunked\r\n\r\n`, async (socket) => {
      await pour(socket, 80, chunked)
      if (socket.writable) socket.write('0\r\n\r\n')
    })
    for (const { answer, failure } of [announced, turnedOut]) {
      expect(failure).toBeUndefined()
      expect(answer).toMatch(/^HTTP\/1\.1 413 /)
      expect(answer.toLowerCase()).toContain('connection: close')
      expect(answer.toLowerCase()).toContain('x-sotto-service: sandbox')
      expect(answer).toContain(code)
    }
    expect(chatRequests(world.sandbox)).toEqual([])
  })

  it.each(['/v1/chat/completions', '/v1/messages', '/api/chat'])(
    'to %s ends its connection, and no further request on it is read',
    async (path) => {
      const port = Number(new URL(world.baseUrl).port)
      const head = (to: string, length: number): string =>
        `POST ${to} HTTP/1.1\r\nHost: 127.0.0.1:${String(port)}\r\nAuthorization: Bearer ${world.key}\r\nContent-Type: application/json\r\nContent-Length: ${String(length)}\r\n\r\n`
      const next = JSON.stringify({ model: PLAINTEXT_MODEL, messages: [{ role: 'user', content: 'hello' }] })
      const { answer } = await blind(port, head(path, 80 * MIB), async (socket) => {
        await pour(socket, 79)
        if (socket.writable)
          socket.write(Buffer.concat([PIECE, Buffer.from(head('/v1/chat/completions', next.length) + next)]))
      })
      expect(answer.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 413'])
      // A request on another connection is handled after all requests on the first connection.
      expect((await world.post(JSON.parse(next))).status).toBe(200)
      expect(chatRequests(world.sandbox)).toHaveLength(1)
      world.sandbox.clearReceived()
    },
  )
})

describe('the rest of a refused body', () => {
  const limits = { bytes: 4 * MIB, ms: 10_000, atOnce: 2 }
  const servers: Server[] = []
  const callers: RawCaller[] = []
  afterEach(() => {
    vi.useRealTimers()
    for (const caller of callers.splice(0)) caller.destroy()
    for (const server of servers.splice(0)) {
      server.closeAllConnections()
      server.close()
    }
  })

  async function refusingAll(): Promise<() => Promise<RawCaller>> {
    const bodies = new RefusedBodies(limits)
    const server = createServer((request, response) => {
      response.writeHead(413, { 'content-length': 2, connection: 'close' })
      response.write('no')
      bodies.end(request, response)
    })
    servers.push(server)
    await once(server.listen(0, '127.0.0.1'), 'listening')
    const { port } = server.address() as AddressInfo
    return async () => {
      const caller = await RawCaller.to(port)
      callers.push(caller)
      caller.write(`POST / HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: ${String(1024 * MIB)}\r\n\r\n`)
      await expect.poll(() => caller.answers().map(({ status }) => status)).toEqual([413])
      return caller
    }
  }

  it('is read up to a number of bytes', async () => {
    const caller = await (await refusingAll())()
    await pour(caller.socket, 3)
    expect(caller.closed).toBe(false)
    await pour(caller.socket, 1020)
    await expect.poll(() => caller.closed).toBe(true)
  })

  it('is read for a limited time, however slowly it arrives', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const caller = await (await refusingAll())()
    for (let seconds = 0; seconds < 9; seconds++) {
      caller.write('x')
      vi.advanceTimersByTime(1000)
    }
    expect(vi.getTimerCount()).toBe(1)
    vi.advanceTimersByTime(1000)
    await expect.poll(() => caller.closed).toBe(true)
    expect(vi.getTimerCount()).toBe(0)
  })

  it('is read on a limited number of connections, and a closed connection frees its place', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const another = await refusingAll()
    const [first, second] = [await another(), await another()]
    const third = await another()
    await expect.poll(() => third.closed).toBe(true)
    expect([first.closed, second.closed, vi.getTimerCount()]).toEqual([false, false, 2])
    first.destroy()
    await expect.poll(() => vi.getTimerCount()).toBe(1)
    await another()
    expect([second.closed, vi.getTimerCount()]).toEqual([false, 2])
  })

  it('has limits of 256 MiB, 30 seconds and 16 connections', () =>
    expect(REFUSED_BODIES).toEqual({ bytes: 256 * MIB, ms: 30_000, atOnce: 16 }))
})
