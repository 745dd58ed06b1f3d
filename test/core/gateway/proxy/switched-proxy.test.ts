import { createServer } from 'node:net'
import { expect, it } from 'vitest'
import { startWorld } from '../../../world.ts'

const asked = (baseUrl: string, key: string): Promise<number> =>
  fetch(`${baseUrl}/models`, { headers: { authorization: `Bearer ${key}` } }).then(
    ({ status }) => status,
    () => 0,
  )

it('a stopped proxy refuses programs, and a restarted one serves them at the same address', async () => {
  await using world = await startWorld()
  expect(await asked(world.baseUrl, world.key)).toBe(200)
  expect(await world.call('localApi/serve', { on: false })).toMatchObject({
    proxy: { serving: false, baseUrl: world.baseUrl },
  })
  expect(world.core.status().serving).toBe(false)
  expect(await asked(world.baseUrl, world.key)).toBe(0)
  // The window's calls still work.
  expect(await world.call('app/status')).toMatchObject({ vault: { state: 'open' } })
  expect(await world.call('localApi/serve', { on: false })).toMatchObject({ proxy: { serving: false } })
  expect(await world.call('localApi/serve', { on: true })).toMatchObject({
    proxy: { serving: true, baseUrl: world.baseUrl },
  })
  expect(await asked(world.baseUrl, world.key)).toBe(200)
})

it('stopping the proxy ends the requests in progress', async () => {
  await using world = await startWorld()
  const answer = await world.post({
    model: 'private/sandbox-lento-8b',
    messages: [{ role: 'user', content: 'Tell me of the sea, at length.' }],
    stream: true,
  })
  const reading = answer.text()
  reading.catch(() => undefined)
  await world.call('localApi/serve', { on: false })
  // The answer was complete before, or it breaks off: no request continues after the proxy is switched off.
  await reading.catch((broken: unknown) => expect(broken).toBeInstanceOf(Error))
  expect(await asked(world.baseUrl, world.key)).toBe(0)
})

it('starting the proxy fails if its port is taken, and no other address is used', async () => {
  await using world = await startWorld()
  await world.call('localApi/serve', { on: false })
  const other = createServer().listen(Number(new URL(world.baseUrl).port), '127.0.0.1')
  await new Promise((listening) => other.once('listening', listening))
  expect(await world.call('localApi/serve', { on: true })).toMatchObject({
    data: { code: 'proxy/port-taken' },
  })
  expect(world.core.status().serving).toBe(false)
  await new Promise((closed) => other.close(closed))
  expect(await world.call('localApi/serve', { on: true })).toMatchObject({ proxy: { serving: true } })
})

it('stopping the proxy cancels a pending address beyond loopback', async () => {
  await using world = await startWorld()
  const port = await freePort()
  const at = { host: '127.0.0.1', port, tls: null }
  const begun = world.core.proxy.listenAt(at)
  const ended = expect(begun).rejects.toMatchObject({ code: 'request/canceled' })
  await world.call('localApi/serve', { on: false })
  await ended
  await expect(world.core.proxy.listenAt(at)).rejects.toMatchObject({ code: 'request/canceled' })
  expect(await asked(`http://127.0.0.1:${String(port)}/v1`, world.key)).toBe(0)
  await world.call('localApi/serve', { on: true })
  expect(await asked((await world.core.proxy.listenAt(at)).baseUrl, world.key)).toBe(200)
})

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await new Promise((listening) => server.once('listening', listening))
  const address = server.address()
  await new Promise((closed) => server.close(closed))
  return typeof address === 'object' && address ? address.port : 0
}

it('the core can close while the proxy is stopped', async () => {
  const world = await startWorld()
  await world.call('localApi/serve', { on: false })
  await world[Symbol.asyncDispose]()
  expect(await asked(world.baseUrl, world.key)).toBe(0)
})
