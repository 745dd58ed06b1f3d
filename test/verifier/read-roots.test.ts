import { createPublicKey } from 'node:crypto'
import type * as cryptoModule from 'node:crypto'
import { expect, it, vi } from 'vitest'
import { readRoots, verifyEvidence } from '../../src/verifier/index.ts'
import { sandboxProfile } from '../../src/sandbox/profile.ts'
import { bootEnclave } from '../../src/sandbox/world/enclave.ts'
import { mintEvidence } from '../../src/sandbox/world/evidence.ts'
import { Rekor } from '../../src/sandbox/world/rekor.ts'
import { loadRoots } from '../../src/sandbox/world/roots.ts'
import type { TrustSet } from '../../src/shared/trust.ts'
import { sandboxFolder } from '../sandbox/cached-roots.ts'

const created = vi.hoisted(() => ({ keys: 0 }))
vi.mock('node:crypto', async (load) => {
  const crypto = await load<typeof cryptoModule>()
  return {
    ...crypto,
    createPublicKey: (key: Parameters<typeof crypto.createPublicKey>[0]) => (
      created.keys++,
      crypto.createPublicKey(key)
    ),
  }
})

const NOW = Date.UTC(2026, 8, 1)

it('leaves only the keys of the evidence for the first verdict to create', async () => {
  const { policy } = sandboxProfile('http://127.0.0.1:1')
  if (!policy) throw new Error('the sandbox has a policy')
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
  created.keys = 0
  readRoots(roots.trust)
  // AMD's two, Intel's, AWS's, and of Sigstore at the least two logs.
  expect(created.keys).toBeGreaterThanOrEqual(6)
  created.keys = 0
  readRoots(roots.trust)
  expect(created.keys).toBe(0)
  const keysMade = (): number => {
    created.keys = 0
    expect(verifyEvidence(Buffer.from(JSON.stringify(minted)), roots.trust, policy, NOW).good).toBe(true)
    return created.keys
  }
  const [first, second] = [keysMade(), keysMade()]
  // The chip's, Sigstore's authorities and the signer's, the enclave's: none of them is a root of the trust set's own but the authorities'.
  expect(first).toBeLessThanOrEqual(5)
  expect(second).toBeLessThan(first)
})

it.each<[string, TrustSet]>([
  [
    'that are no certificates',
    {
      name: 'built-in',
      amd: { Genoa: { ark: Buffer.from('30', 'hex'), ask: new Uint8Array() } },
      sigstoreTrustedRoot: '{}',
      intelSgxRoot: Buffer.alloc(70_000),
      awsNitroRoot: Buffer.from('no'),
    },
  ],
  ['of none', { name: 'built-in', amd: {}, sigstoreTrustedRoot: '' }],
])('accepts roots %s, which a verdict refuses', (_, trust) => {
  expect(() => readRoots(trust)).not.toThrow()
})
