import { createServer, type Server } from 'node:net'
import { afterEach, expect, it } from 'vitest'
import { RequestTally, startProxy } from '../../../../src/core/gateway/proxy/index.ts'
import { SottoError } from '../../../../src/shared/errors.ts'

let occupant: Server | undefined
afterEach(() => occupant?.close())

async function occupied(): Promise<number> {
  occupant = createServer().listen(0, '127.0.0.1')
  await new Promise((listening) => occupant?.once('listening', listening))
  const address = occupant.address()
  return typeof address === 'object' && address ? address.port : 0
}
const backend = (): never => {
  throw new SottoError('vault/locked')
}

it('a port that was asked for and is taken is an error', async () => {
  const port = await occupied()
  await expect(
    startProxy({
      backend,
      service: 'sandbox',
      version: 'test',
      tally: new RequestTally(),
      now: Date.now,
      port,
      mayMove: false,
    }),
  ).rejects.toMatchObject({ code: 'proxy/port-taken' })
})

it('the default port moves on', async () => {
  const port = await occupied()
  const proxy = await startProxy({
    backend,
    service: 'sandbox',
    version: 'test',
    tally: new RequestTally(),
    now: Date.now,
    port,
    mayMove: true,
  })
  expect(proxy.port).toBeGreaterThan(port)
  expect(proxy.baseUrl).toBe(`http://127.0.0.1:${String(proxy.port)}/v1`)
  await proxy.close()
})
