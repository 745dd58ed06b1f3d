import { expect, it } from 'vitest'
import { policyInForce, readNarrowing, writeNarrowing } from '../../../src/core/api/privacy-choices.ts'
import { openStore } from '../../../src/core/store/index.ts'
import { attestationPolicySchema } from '../../../src/shared/policy/attestation-policy.ts'

const settings = () => openStore({ folder: null, key: new Uint8Array(32), now: Date.now }).settings

const policy = attestationPolicySchema.parse({
  enclaveHost: 'enclave.example', certificateLabelSuffix: 'example', nitro: { images: [{ pcr0: '11'.repeat(48) }] },
  sevSnp: { products: { Genoa: { minimumTcb: { bootloader: 7, tee: 0, snp: 14, microcode: 72 } } }, minimumBuild: 21, minimumApi: { major: 1, minor: 55 }, guest: { allowSmt: true }, platform: { requireTsme: true } },
  code: { repository: 'a/b', oidcIssuer: 'https://issuer.example', refPrefix: 'refs/tags/', runnerEnvironment: 'github-hosted', predicateTypes: ['https://p.example'] },
})

it('what is asked for on top of the policy is kept, and is nothing before', () => {
  const kept = settings()
  expect(readNarrowing(kept)).toEqual({})
  writeNarrowing(kept, policy, { platforms: ['nitro'] })
  expect(readNarrowing(kept)).toEqual({ platforms: ['nitro'] })
  expect(policyInForce(kept, policy)).toEqual({ ...policy, sevSnp: undefined })
})

it.each(['', 'x', '{"platforms":', '[]', '{"platforms":["other"]}', '{"more":1}'])('what is not of its form is damaged, and never as if nothing had been asked for: %j', (odd) => {
  const kept = settings()
  kept.set('policy-narrowing', odd)
  for (const read of [() => readNarrowing(kept), () => policyInForce(kept, policy)]) expect(read).toThrow(expect.objectContaining({ code: 'store/damaged' }))
})
