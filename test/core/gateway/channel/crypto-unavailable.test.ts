import type * as cryptoModule from 'node:crypto'
import { beforeEach, expect, it, vi } from 'vitest'
import { createEnclaveChannel } from '../../../../src/core/gateway/channel/index.ts'
import { sandboxProfile } from '../../../../src/sandbox/profile.ts'
import type { Fetch } from '../../../../src/shared/fetch.ts'
import type { TrustSet } from '../../../../src/shared/trust.ts'

vi.mock('node:crypto', async (load) => ({ ...(await load<typeof cryptoModule>()), verify: () => true }))

const trust: TrustSet = { name: 'sandbox', amd: {}, sigstoreTrustedRoot: '{}' }
const asked: string[] = []
const fetch: Fetch = (_, { method }) => {
  asked.push(method)
  return Promise.resolve({
    status: 200,
    headers: { get: () => null },
    body: (async function* () {
      yield await Promise.resolve(Buffer.from('{}'))
    })(),
  })
}

beforeEach(() => {
  asked.length = 0
})

it('judges no evidence and sends no body where every signature is good to the runtime', async () => {
  const { policy } = sandboxProfile('http://127.0.0.1:1')
  if (!policy) throw new Error('the sandbox has a policy')
  const recorded: unknown[] = []
  const channel = createEnclaveChannel({
    fetch,
    now: () => Date.now(),
    privateUrl: 'http://127.0.0.1:1/private',
    policy: () => policy,
    trust: () => Promise.resolve(trust),
    releases: {
      newest: () => null,
      olderAccepted: () => false,
      asksBeforeNew: () => false,
      trusted: () => false,
      record: (verdict) => void recorded.push(verdict),
    },
    collateral: { newest: () => [], record: () => undefined },
    downloadsLists: false,
    timeouts: { firstByteMs: 5000, idleMs: 5000 },
    startPreparer: () => ({ prepare: () => Promise.reject(new Error('none')), close: () => undefined }),
  })
  // Preparing ahead reports no error; only sending does.
  await channel.prepare()
  expect(asked).toEqual([])
  const sent = channel.send({
    path: '/v1/chat/completions',
    headers: {},
    body: Buffer.from('{}'),
    signal: new AbortController().signal,
  })
  await expect(sent).rejects.toMatchObject({ code: 'channel/crypto-unavailable' })
  expect(asked).toEqual(['GET'])
  expect(recorded).toEqual([])
  expect(channel.current()).toBeNull()
  channel.close()
})
