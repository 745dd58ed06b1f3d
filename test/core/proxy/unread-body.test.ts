import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { discardUnread, type DiscardLimits } from '../../../src/core/proxy/unread-body.ts'
import { RawCaller } from '../../raw-caller.ts'

const ANSWER = 'too large'
const MIB = 1024 * 1024
const servers: Server[] = []
const callers: RawCaller[] = []
afterEach(() => {
  for (const caller of callers.splice(0)) caller.destroy()
  for (const server of servers.splice(0)) {
    server.closeAllConnections()
    server.close()
  }
})

/** Refuses every body unread. */
async function refusing(limits: DiscardLimits): Promise<(announced: number) => Promise<RawCaller>> {
  const unread = discardUnread(limits)
  const server = createServer((request, response) => {
    response.writeHead(413, { 'content-length': ANSWER.length, connection: 'close' })
    unread.endAfter(request, response, ANSWER)
  })
  servers.push(server)
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return async (announced) => {
    const caller = await RawCaller.to((server.address() as AddressInfo).port)
    callers.push(caller)
    caller.write(`POST / HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: ${String(announced)}\r\n\r\n`)
    return caller
  }
}

const roomy: DiscardLimits = { bytes: 64 * MIB, ms: 600_000, atOnce: 2 }

/** Writes as much as the other side takes, and says how much that was. */
async function writeAll(caller: RawCaller, bytes: number): Promise<number> {
  const piece = Buffer.alloc(MIB)
  let sent = 0
  while (sent < bytes && !caller.closed) {
    sent += piece.length
    if (!caller.socket.write(piece)) await Promise.race([once(caller.socket, 'drain'), once(caller.socket, 'close')]).catch(() => undefined)
  }
  return sent
}

test('a caller that writes all before it reads is told why, and the connection ends', async () => {
  const caller = await (await refusing(roomy))(20 * MIB)
  caller.socket.pause()
  expect(await writeAll(caller, 20 * MIB)).toBe(20 * MIB)
  caller.socket.resume()
  await expect.poll(() => caller.closed).toBe(true)
  expect(caller.answers().map(({ status, body }) => [status, body.toString()])).toEqual([[413, ANSWER]])
})

test('the answer is there before the body has come', async () => {
  const caller = await (await refusing(roomy))(20 * MIB)
  await expect.poll(() => caller.answers().length).toBe(1)
  expect(caller.closed).toBe(false)
})

test('more than the limit is not waited for', async () => {
  const caller = await (await refusing({ ...roomy, bytes: 2 * MIB }))(1024 * MIB)
  expect(await writeAll(caller, 1024 * MIB)).toBeLessThan(1024 * MIB)
  expect(caller.closed).toBe(true)
})

test('nor is a body that does not come', async () => {
  const caller = await (await refusing({ ...roomy, ms: 20 }))(MIB)
  await expect.poll(() => caller.closed).toBe(true)
  expect(caller.answers()).toHaveLength(1)
})

test('as many as the limit are waited for; one that went away makes room', async () => {
  const call = await refusing(roomy)
  const [first, second] = [await call(MIB), await call(MIB)]
  await expect.poll(() => first.answers().length + second.answers().length).toBe(2)
  const third = await call(MIB)
  await expect.poll(() => third.closed).toBe(true)
  expect([first.closed, second.closed]).toEqual([false, false])
  first.destroy()
  // Room is made once its end was noticed.
  await expect.poll(async () => {
    const fourth = await call(MIB)
    await expect.poll(() => fourth.answers().length).toBe(1)
    return fourth.closed
  }).toBe(false)
})
