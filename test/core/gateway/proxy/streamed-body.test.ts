import { once } from 'node:events'
import {
  Agent,
  createServer,
  request as httpRequest,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http'
import type { AddressInfo } from 'node:net'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { StreamedBody } from '../../../../src/core/gateway/proxy/streamed-body.ts'
import { RawCaller } from '../../../raw-caller.ts'

const agent = new Agent({ keepAlive: true, maxSockets: 1 })
const HEADERS = { 'content-type': 'text/event-stream' }
let answer: (response: ServerResponse) => void
const server = createServer((_request, response) => answer(response))
let port = 0
beforeAll(async () => {
  await once(server.listen(0, '127.0.0.1'), 'listening')
  port = (server.address() as AddressInfo).port
})
afterAll(() => {
  agent.destroy()
  server.close().closeAllConnections()
})

async function read(): Promise<Buffer> {
  const [response] = (await once(httpRequest({ port, host: '127.0.0.1', agent }).end(), 'response')) as [
    IncomingMessage,
  ]
  const pieces: Buffer[] = []
  for await (const piece of response) pieces.push(piece as Buffer)
  return Buffer.concat(pieces)
}

/** Everything that a caller of this version is sent. */
async function raw(version: string): Promise<string> {
  const caller = await RawCaller.to(port)
  caller.write(`GET / HTTP/${version}\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n`)
  await expect.poll(() => caller.closed).toBe(true)
  return caller.received.toString()
}

test('writes each part as one chunk, and ends with the last chunk', async () => {
  answer = (response) => {
    const body = new StreamedBody(response, HEADERS)
    body.write('data: é\n\n')
    body.write(Buffer.alloc(300, 'a'))
    body.end('end')
  }
  const rawResponse = await raw('1.1')
  expect(rawResponse.match(/transfer-encoding: chunked/gi)).toHaveLength(1)
  expect(rawResponse.slice(rawResponse.indexOf('\r\n\r\n') + 4)).toBe(
    `a\r\ndata: é\n\n\r\n12c\r\n${'a'.repeat(300)}\r\n3\r\nend\r\n0\r\n\r\n`,
  )
})

test('an empty part doesn’t end the body', async () => {
  answer = (response) => {
    const body = new StreamedBody(response, HEADERS)
    expect([body.write(''), body.write(new Uint8Array())]).toEqual([true, true])
    body.write('after')
    body.end()
  }
  expect((await read()).toString()).toBe('after')
})

test('HTTP/1.0 gets the bytes without chunk framing', async () => {
  answer = (response) => {
    const body = new StreamedBody(response, HEADERS)
    body.write('one')
    body.end('two')
  }
  const rawResponse = await raw('1.0')
  expect(rawResponse).not.toMatch(/transfer-encoding/i)
  expect(rawResponse.slice(rawResponse.indexOf('\r\n\r\n') + 4)).toBe('onetwo')
})

test('a dropped connection is an incomplete response', async () => {
  answer = (response) => {
    new StreamedBody(response, HEADERS).write('half')
    setImmediate(() => response.destroy())
  }
  await expect(read()).rejects.toMatchObject({ code: 'ECONNRESET' })
})

test('any parts arrive unchanged, and one connection serves all requests', async () => {
  const ports = new Set<number | undefined>()
  await fc.assert(
    fc.asyncProperty(
      fc.array(
        fc.oneof(
          fc.uint8Array({ maxLength: 5_000 }),
          fc.string({ unit: 'binary', maxLength: 200 }).filter((text) => text.isWellFormed()),
        ),
        { maxLength: 8 },
      ),
      async (parts) => {
        answer = (response) => {
          ports.add(response.req.socket.remotePort)
          const body = new StreamedBody(response, HEADERS)
          for (const part of parts) body.write(part)
          body.end()
        }
        expect(await read()).toEqual(
          Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : part))),
        )
      },
    ),
    { numRuns: 60 },
  )
  expect(ports.size).toBe(1)
})
