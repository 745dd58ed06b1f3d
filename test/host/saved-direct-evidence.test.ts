import { randomBytes } from 'node:crypto'
import { expect, it } from 'vitest'
import { verifySavedEvidence, policyFor } from '../../src/host/saved-evidence.ts'
import { createDirectNetwork, MODEL_ENCLAVE } from '../direct-network.ts'

const network = createDirectNetwork()

it('a saved document v3 is judged by the built-in roots, with the nonce of the file', async () => {
  const nonce = randomBytes(32)
  const evidence = await network.mint(network.router, nonce)
  const { now } = await verifySavedEvidence({ evidence, nonce }, network.profile)
  expect(now).toMatchObject({
    good: false,
    trust: 'built-in',
    enclaveHost: network.profile.policy?.enclaveHost,
    failure: { step: 'v3/code' },
  })
  const other = await verifySavedEvidence({ evidence, nonce: randomBytes(32) }, network.profile)
  expect(other.now.failure).toMatchObject({ step: 'v3/nonce', code: 'envelope/nonce-mismatch' })
  const without = await verifySavedEvidence({ evidence }, network.profile)
  expect(without.now.failure).toMatchObject({ step: 'v3/nonce', code: 'envelope/nonce-mismatch' })
})

it('the rules are those of the profile for the enclave that the file names', () => {
  const named = (enclaveHost: string) =>
    ({
      proof: { policy: { enclaveHost, code: { repository: 'somebody-else/enclave' } } },
    }) as unknown as Parameters<typeof policyFor>[0]
  expect(policyFor(named(new URL(MODEL_ENCLAVE).hostname), network.profile)?.code.repository).toBe(
    'sotto-sandbox/model-enclave',
  )
  expect(policyFor(named('elsewhere.example'), network.profile)?.code.repository).toBe(
    'sotto-sandbox/enclave',
  )
  expect(policyFor({}, network.profile)?.enclaveHost).toBe(network.profile.policy?.enclaveHost)
})
