import { createServer, type IncomingMessage } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { BodyBuffer } from '../../../../src/core/gateway/proxy/body-buffer.ts'
import { isChat } from '../../../../src/core/gateway/proxy/chat-route.ts'
import { announcedBytes, MAX_BODY_BYTES, readBody } from '../../../../src/core/gateway/proxy/read-body.ts'
import { PROXY_PATHS } from '../../../../src/core/gateway/proxy/request-heads.ts'
import { BodyBudget } from '../../../../src/shared/body-budget.ts'
import { parseRequestHead } from '../../../../src/shared/request-head.ts'
import { RawCaller } from '../../../raw-caller.ts'

function isChatRequest(method: string, url: string): boolean {
  const head = parseRequestHead({ method, url, rawHeaders: [] }, PROXY_PATHS)
  return typeof head === 'object' && isChat(head)
}

test.each([
  ['POST', '/v1/chat/completions', true],
  ['POST', '/chat/completions', true],
  ['POST', '/v1/chat/completions?x=1', true],
  ['GET', '/v1/chat/completions', false],
  ['OPTIONS', '/v1/chat/completions', false],
  ['POST', '/v1/chat/completions/', true],
  ['POST', '//v1//chat/completions', true],
  ['POST', '/v1/v1/chat/completions', true],
  ['POST', '/v2/chat/completions', false],
  ['POST', '/chat/v1/completions', false],
  ['POST', '/v1/chat/completion%73', true],
  ['POST', '/v1/./chat/completions', false],
  ['POST', '/v1/chat%2Fcompletions', false],
  ['POST', '/V1/chat/completions', false],
  ['POST', 'http://127.0.0.1/v1/chat/completions', false],
  ['POST', '/v1/chat/completions#x', false],
])('%s %s is a chat completion: %s', (method, url, chat) => {
  expect(isChatRequest(method, url)).toBe(chat)
})

const server = createServer()
afterEach(() => {
  server.removeAllListeners('request')
  server.closeAllConnections()
  server.close()
})

/** What becomes of the body of a request that is written by hand. */
async function reading(
  head: string,
): Promise<{ caller: RawCaller; incoming: IncomingMessage; budget: BodyBudget; body: Promise<Buffer> }> {
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const arrived = once(server, 'request') as Promise<[IncomingMessage]>
  const caller = await RawCaller.to((server.address() as AddressInfo).port)
  caller.write(`POST / HTTP/1.1\r\nHost: 127.0.0.1\r\n${head}\r\n\r\n`)
  const [incoming] = await arrived
  const budget = new BodyBudget({ bytes: MAX_BODY_BYTES })
  const body = (async () => {
    using counted = budget.begin(announcedBytes(incoming), MAX_BODY_BYTES)
    using buffer = new BodyBuffer(announcedBytes(incoming) ?? MAX_BODY_BYTES)
    await readBody(incoming, counted, buffer)
    return Buffer.from(buffer.bytes())
  })()
  body.catch(() => undefined)
  return { caller, incoming, budget, body }
}

test('reads a whole body, however it is split', async () => {
  const { caller, incoming, budget, body } = await reading('Transfer-Encoding: chunked')
  caller.write('3\r\nabc\r\n')
  caller.write('2\r\nde\r\n0\r\n\r\n')
  expect((await body).toString()).toBe('abcde')
  // Nothing of it is referred to for as long as the answer takes.
  expect([incoming.listenerCount('data'), incoming.listenerCount('error'), budget.heldBytes]).toEqual([
    0, 0, 0,
  ])
})

test('refuses a body that announces too large a length, without reading it', async () => {
  const { body } = await reading(`Content-Length: ${String(MAX_BODY_BYTES + 1)}`)
  await expect(body).rejects.toMatchObject({ code: 'proxy/body-too-large' })
})

test('stops reading a body that becomes too large', async () => {
  const { caller, body } = await reading('Transfer-Encoding: chunked')
  const piece = Buffer.alloc(1024 * 1024, 'a')
  for (let sent = 0; sent <= MAX_BODY_BYTES; sent += piece.byteLength) {
    caller.write(`${piece.byteLength.toString(16)}\r\n`)
    caller.write(piece)
    caller.write('\r\n')
  }
  await expect(body).rejects.toMatchObject({ code: 'proxy/body-too-large' })
})

test('reports a cancellation if the caller disconnects before the end of the body', async () => {
  const { caller, incoming, budget, body } = await reading('Content-Length: 10')
  caller.write('half')
  caller.destroy()
  await expect(body).rejects.toMatchObject({ code: 'request/canceled' })
  expect([incoming.listenerCount('data'), incoming.listenerCount('end'), budget.heldBytes]).toEqual([0, 0, 0])
})
