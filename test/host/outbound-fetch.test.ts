import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { createServer as createTcpServer } from 'node:net'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { UnsentError } from '../../src/shared/fetch.ts'
import { createOutboundFetch, type OutboundFetch } from '../../src/host/outbound-fetch.ts'

let server: Server
let base: string
let serve: (request: IncomingMessage, response: ServerResponse) => void
let network: OutboundFetch
beforeAll(async () => {
  server = createServer((request, response) => serve(request, response))
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const address = server.address()
  base = `http://127.0.0.1:${String(typeof address === 'object' && address ? address.port : 0)}`
  network = createOutboundFetch()
})
afterAll(async () => {
  await network.close()
  server.closeAllConnections()
  server.close()
})
beforeEach(() => {
  serve = (_request, response) => response.end('ok')
})

async function text(body: AsyncIterable<Uint8Array> | null): Promise<string> {
  const chunks: Uint8Array[] = []
  for await (const chunk of body ?? []) chunks.push(chunk)
  return Buffer.concat(chunks).toString()
}

describe('createOutboundFetch', () => {
  it('sends method, path, query, headers and body, and returns the response', async () => {
    serve = (request, response) => {
      let body = ''
      request
        .setEncoding('utf8')
        .on('data', (chunk: string) => (body += chunk))
        .on('end', () => {
          response
            .writeHead(201, { 'x-answer': 'yes' })
            .end(
              `${String(request.method)} ${String(request.url)} ${String(request.headers['x-asked'])} ${body}`,
            )
        })
    }
    const response = await network.fetch(`${base}/a/b?c=d`, {
      method: 'POST',
      headers: { 'x-asked': '1' },
      body: 'hello',
      redirect: 'manual',
    })
    expect([response.status, response.headers.get('X-Answer'), response.headers.get('none')]).toEqual([
      201,
      'yes',
      null,
    ])
    expect(await text(response.body)).toBe('POST /a/b?c=d 1 hello')
  })

  it('returns the trailers after the body, separate from the headers', async () => {
    let finish = (): void => undefined
    serve = (_request, response) => {
      response.writeHead(200, { trailer: 'x-cost, x-late', 'x-cost': 'before' }).write('a')
      response.addTrailers([
        ['x-cost', '1'],
        ['x-late', 'a'],
        ['X-Late', 'b'],
      ])
      finish = () => response.end()
    }
    const { headers, trailers, body } = await network.fetch(base, {
      method: 'GET',
      headers: {},
      redirect: 'manual',
    })
    expect([headers.get('x-cost'), trailers?.get('x-cost')]).toEqual(['before', null])
    finish()
    expect(await text(body)).toBe('a')
    expect(['X-Cost', 'x-late', 'none'].map((name) => trailers?.get(name))).toEqual(['1', 'a, b', null])
    expect(headers.get('x-late')).toBeNull()
  })

  it('follows no redirect and decodes nothing', async () => {
    serve = (_request, response) =>
      response.writeHead(302, { location: `${base}/elsewhere`, 'content-encoding': 'gzip' }).end('raw')
    const response = await network.fetch(base, { method: 'GET', headers: {}, redirect: 'manual' })
    expect(response.status).toBe(302)
    expect(await text(response.body)).toBe('raw')
  })

  it('returns all of a body much larger than its buffer', async () => {
    const piece = Buffer.alloc(1_000_000, 'abcdefghij')
    serve = (_request, response) => {
      for (let sent = 0; sent < 30; sent++) response.write(piece)
      response.end()
    }
    const response = await network.fetch(base, { method: 'GET', headers: {}, redirect: 'manual' })
    let size = 0
    for await (const chunk of response.body ?? []) size += chunk.byteLength
    expect(size).toBe(30 * piece.length)
  })

  it('closes the connection when its reader stops, and when it is aborted', async () => {
    const closed: Promise<void>[] = []
    serve = (_request, response) => {
      closed.push(new Promise((done) => response.once('close', done)))
      response.write('first')
    }
    const left = await network.fetch(base, { method: 'GET', headers: {}, redirect: 'manual' })
    for await (const _ of left.body ?? []) break
    const stop = new AbortController()
    const stopped = await network.fetch(base, {
      method: 'GET',
      headers: {},
      signal: stop.signal,
      redirect: 'manual',
    })
    stop.abort()
    await expect(text(stopped.body)).rejects.toThrow()
    await Promise.all(closed)
    expect(closed).toHaveLength(2)
  })

  it('rejects if it is aborted before the response, refused or cut off', async () => {
    const stop = new AbortController()
    serve = () => stop.abort()
    await expect(
      network.fetch(base, { method: 'GET', headers: {}, signal: stop.signal, redirect: 'manual' }),
    ).rejects.toThrow()
    await expect(
      network.fetch(base, { method: 'GET', headers: {}, signal: stop.signal, redirect: 'manual' }),
    ).rejects.toThrow()
    await expect(
      network.fetch('http://127.0.0.1:1/', { method: 'GET', headers: {}, redirect: 'manual' }),
    ).rejects.toThrow()
    serve = (_request, response) => {
      response.writeHead(200, { 'content-length': 100 })
      response.write('only this', () => response.destroy())
    }
    const cut = await network.fetch(base, { method: 'GET', headers: {}, redirect: 'manual' })
    await expect(text(cut.body)).rejects.toThrow()
  })

  it('throws UnsentError if nothing was sent: no connection, or an abort before there was one', async () => {
    const gone = createServer()
    await new Promise<void>((listening) => gone.listen(0, '127.0.0.1', listening))
    const address = gone.address()
    const nobody = `http://127.0.0.1:${String(typeof address === 'object' && address ? address.port : 0)}`
    await new Promise((closed) => gone.close(closed))
    await expect(
      network.fetch(nobody, { method: 'POST', headers: {}, body: 'x', redirect: 'manual' }),
    ).rejects.toBeInstanceOf(UnsentError)
    await expect(
      network.fetch(base, {
        method: 'POST',
        headers: {},
        body: 'x',
        redirect: 'manual',
        signal: AbortSignal.abort(),
      }),
    ).rejects.toBeInstanceOf(UnsentError)
    serve = (request) => request.socket.destroy()
    await expect(
      network.fetch(base, { method: 'POST', headers: {}, body: 'x', redirect: 'manual' }),
    ).rejects.not.toBeInstanceOf(UnsentError)
  })

  it('aborts at once while it connects, without sending anything', async () => {
    let asked = 0
    serve = () => void (asked += 1)
    const stop = new AbortController()
    const fresh = createOutboundFetch()
    const stopped = fresh.fetch(base, {
      method: 'POST',
      headers: {},
      body: 'x',
      redirect: 'manual',
      signal: stop.signal,
    })
    stop.abort()
    await expect(stopped).rejects.toBeInstanceOf(UnsentError)
    serve = (_request, response) => response.end('ok')
    expect((await fresh.fetch(base, { method: 'GET', headers: {}, redirect: 'manual' })).status).toBe(200)
    expect(asked).toBe(0)

    // If a server accepts the connection and then sends nothing, the request is still connecting.
    const silent = createTcpServer()
    await new Promise<void>((listening) => silent.listen(0, '127.0.0.1', listening))
    const address = silent.address()
    const hanging = new AbortController()
    silent.once('connection', (socket) => {
      socket.on('error', () => undefined)
      hanging.abort()
    })
    await expect(
      fresh.fetch(`https://127.0.0.1:${String(typeof address === 'object' && address ? address.port : 0)}`, {
        method: 'POST',
        headers: {},
        body: 'x',
        redirect: 'manual',
        signal: hanging.signal,
      }),
    ).rejects.toBeInstanceOf(UnsentError)
    silent.close()
    await fresh.close()
  })
})
