import { createPublicKey } from 'node:crypto'
import type * as cryptoModule from 'node:crypto'
import { beforeEach, expect, it, vi } from 'vitest'
import { createEnclaveChannel, type EnclaveChannel } from '../../../../src/core/gateway/channel/index.ts'
import { sandboxProfile } from '../../../../src/sandbox/profile.ts'
import { bootEnclave } from '../../../../src/sandbox/world/enclave.ts'
import { mintEvidence } from '../../../../src/sandbox/world/evidence.ts'
import { Rekor } from '../../../../src/sandbox/world/rekor.ts'
import { loadRoots } from '../../../../src/sandbox/world/roots.ts'
import { SottoError } from '../../../../src/shared/errors.ts'
import type { Fetch } from '../../../../src/shared/fetch.ts'
import type { AttestationPolicy } from '../../../../src/shared/policy/attestation-policy.ts'
import type { TrustSet } from '../../../../src/shared/trust.ts'
import { sandboxFolder } from '../../../sandbox/cached-roots.ts'

const runtime = vi.hoisted(() => ({ checks: 0 }))
vi.mock('node:crypto', async (load) => {
  const crypto = await load<typeof cryptoModule>()
  return {
    ...crypto,
    verify: (...args: Parameters<typeof crypto.verify>) => (runtime.checks++, crypto.verify(...args)),
  }
})

const NOW = Date.UTC(2026, 8, 1)
const roots = await loadRoots(await sandboxFolder(), () => true)
const minted = await mintEvidence({
  platform: 'sev-snp',
  roots,
  rekor: new Rekor(createPublicKey(roots.rekorKey), roots.rekorKey),
  keys: bootEnclave(),
  faults: new Set(),
  nonce: null,
  now: NOW,
})
const { policy: stated } = sandboxProfile('http://127.0.0.1:1')
if (!stated) throw new Error('the sandbox has a policy')
const sandboxPolicy: AttestationPolicy = stated

const asked: string[] = []
const fetch: Fetch = (_, { method }) => {
  asked.push(method)
  return Promise.resolve({
    status: 200,
    headers: { get: () => null },
    body: (async function* () {
      yield await Promise.resolve(Buffer.from(JSON.stringify(minted)))
    })(),
  })
}

beforeEach(() => {
  asked.length = 0
  runtime.checks = 0
})

function open({
  policy = () => sandboxPolicy,
  trust = () => Promise.resolve(roots.trust),
}: { policy?: () => AttestationPolicy; trust?: () => Promise<TrustSet> } = {}): EnclaveChannel {
  return createEnclaveChannel({
    fetch,
    now: () => NOW,
    privateUrl: 'http://127.0.0.1:1/private',
    policy,
    trust,
    releases: {
      newest: () => null,
      olderAccepted: () => false,
      asksBeforeNew: () => false,
      trusted: () => false,
      record: () => undefined,
    },
    collateral: { newest: () => [], record: () => undefined },
    downloadsLists: false,
    timeouts: { firstByteMs: 5000, idleMs: 5000 },
    startPreparer: () => ({ prepare: () => Promise.reject(new Error('none')), close: () => undefined }),
  })
}

it('prepare leaves the first verdict one round trip and the signature checks of its own evidence', async () => {
  const channel = open()
  await channel.prepare()
  expect(asked).toEqual([])
  expect(runtime.checks).toBeGreaterThan(0)
  const checksOfVerdict = async (): Promise<number> => {
    runtime.checks = 0
    expect(await channel.verify()).toMatchObject({ good: true })
    return runtime.checks
  }
  const first = await checksOfVerdict()
  expect(asked).toEqual(['GET'])
  expect(first).toBe(await checksOfVerdict())
  channel.close()
})

it.each<[string, Parameters<typeof open>[0]]>([
  [
    'a policy of which nothing is left',
    {
      policy: () => {
        throw new SottoError('policy/missing')
      },
    },
  ],
  ['roots that are not to be had', { trust: () => Promise.reject(new SottoError('store/unwritable')) }],
])('prepare reports no error for %s, but the verdict does', async (_, options) => {
  const channel = open(options)
  await expect(channel.prepare()).resolves.toBeUndefined()
  await expect(channel.verify()).rejects.toBeInstanceOf(SottoError)
  channel.close()
})
