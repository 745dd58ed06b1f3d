import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type * as os from 'node:os'
import { expect, it, vi } from 'vitest'
import type { Host } from '../../src/host/host.ts'
import { ownerFetch, serveOwnerSocket } from '../../src/host/owner-socket.ts'

// As in a container, where the user is a number that no file of users knows.
vi.mock('node:os', async (original) => ({
  ...await original<typeof os>(),
  userInfo: () => {
    throw new Error('uv_os_get_passwd returned ENOENT')
  },
}))

it.each([['short'], ['l'.repeat(120)]])('the owner’s socket is there for a user without a name, in a folder whose name is %s', async (name) => {
  const folder = join(await mkdtemp(join(tmpdir(), 'sotto-socket-')), name)
  const host: Host = {
    api: () => Promise.resolve(Response.json('hello')),
    proxyBaseUrl: () => Promise.resolve(''),
    localKey: () => Promise.resolve(null),
    service: () => 'sandbox',
    renewVerdict: () => Promise.resolve(),
    verifyEnclave: () => Promise.resolve(),
    serve: () => Promise.resolve(),
    standing: () => Promise.resolve(null),
    [Symbol.asyncDispose]: () => Promise.resolve(),
  }
  await using _socket = await serveOwnerSocket(folder, host, { open: () => Promise.resolve(null) })
  expect(await (await ownerFetch(folder)(new Request('http://sotto.invalid/api/x', { method: 'POST' }))).json()).toBe('hello')
  await rm(folder, { recursive: true, force: true })
})
