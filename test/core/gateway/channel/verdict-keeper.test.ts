import { expect, it } from 'vitest'
import { attemptOf, type ReleaseMemory } from '../../../../src/core/gateway/channel/release-memory.ts'
import { VerdictKeeper } from '../../../../src/core/gateway/channel/verdict-keeper.ts'
import type { Proof } from '../../../../src/shared/proof.ts'
import type { Verdict } from '../../../../src/shared/verdict.ts'

const NOW = 1_000
const verdict: Verdict = {
  good: true,
  steps: [],
  trust: 'sandbox',
  enclaveHost: 'e',
  verifiedAt: NOW,
  validUntil: NOW + 3_600_000,
  evidenceDigest: '',
}
const proof: Proof = {
  format: 'sotto-proof/v2',
  savedAt: new Date(NOW).toISOString(),
  evidence: 'AA==',
  policy: {},
  trust: { name: 'sandbox', roots: [] },
  verdict: { good: true, verifiedAt: NOW, evidenceDigest: '' },
}

function keeperWith(record: ReleaseMemory['record']): VerdictKeeper {
  const releases: ReleaseMemory = {
    newest: () => null,
    olderAccepted: () => false,
    asksBeforeNew: () => false,
    trusted: () => false,
    record,
  }
  const collateral = { newest: () => [], record: () => Promise.resolve() }
  return new VerdictKeeper({
    now: () => NOW,
    monotonic: () => 0,
    attest: () => Promise.resolve(attemptOf({ verdict, proof, used: [], collateral, releases })),
  })
}

it('doesn’t use a verdict until a shared memory has stored it', async () => {
  const stored = Promise.withResolvers<undefined>()
  const keeper = keeperWith(() => stored.promise)
  const verifying = keeper.good()
  await new Promise((done) => setImmediate(done))
  expect(keeper.current()).toBeNull()
  stored.resolve(undefined)
  expect((await verifying).good).toBe(true)
  keeper.close()
})

it('doesn’t use a verdict that a shared memory refuses', async () => {
  const keeper = keeperWith(() => Promise.reject(new Error('the database is away')))
  await expect(keeper.good()).rejects.toThrow('the database is away')
  expect(keeper.current()).toBeNull()
  keeper.close()
})

it('verifies again if its rules change while a shared memory stores it', async () => {
  const first = Promise.withResolvers<undefined>()
  const stores = [(): Promise<void> => first.promise, (): Promise<void> => Promise.resolve()]
  let stored = 0
  const keeper = keeperWith(() => stores[stored++]?.())
  const verifying = keeper.good()
  await new Promise((done) => setImmediate(done))
  keeper.invalidate()
  first.resolve(undefined)
  await verifying
  expect(stored).toBe(2)
  keeper.close()
})
