import { describe, expect, it } from 'vitest'
import { sandboxProfile } from '../../../src/sandbox/profile.ts'
import { attestationPolicySchema } from '../../../src/shared/policy/attestation-policy.ts'
import {
  describeFloorChange,
  isAccepted,
  providerFloors,
  withProviderFloors,
} from '../../../src/shared/policy/provider-floor.ts'
import { hasAcceptedFloor } from '../../../src/verifier/policy.ts'
import type { SevPolicy } from '../../../src/shared/policy/sev-snp.ts'

const minimum = { bootloader: 7, tee: 0, snp: 23, microcode: 72 }
const provider = { ...minimum, snp: 14 }
const turin = { minimumTcb: { fmc: 1, bootloader: 1, tee: 1, snp: 4, microcode: 82 } }

function policyWith(products: SevPolicy['products']) {
  const policy = attestationPolicySchema.parse(sandboxProfile('http://127.0.0.1:1').policy)
  return { ...policy, sevSnp: { ...policy.sevSnp!, products } }
}
const policy = policyWith({
  Genoa: { minimumTcb: minimum, providerMinimumTcb: provider, expectedTcb: minimum },
  Turin: turin,
})
const floor = { product: 'Genoa', minimum, provider } as const

describe('the floor of a provider', () => {
  it('is listed only for products that have one', () => {
    expect(providerFloors(policy)).toEqual([floor])
    expect(providerFloors(policyWith({ Turin: turin }))).toEqual([])
    const { sevSnp: _, ...without } = policy
    expect(providerFloors(without)).toEqual([])
  })

  it('replaces one value of the policy, which is then marked', () => {
    const lowered = withProviderFloors(policy)
    expect(lowered).toEqual(
      policyWith({
        Genoa: {
          minimumTcb: provider,
          providerMinimumTcb: provider,
          expectedTcb: minimum,
          providerFloorAccepted: true,
        },
        Turin: turin,
      }),
    )
    expect([hasAcceptedFloor(policy), hasAcceptedFloor(lowered)]).toEqual([false, true])
    expect(attestationPolicySchema.parse(lowered)).toEqual(lowered)
    // The profile's own policy is used again when the choice is withdrawn.
    expect(policy.sevSnp.products.Genoa?.minimumTcb).toEqual(minimum)
  })

  it('changes nothing in a policy without one', () => {
    const strict = policyWith({ Turin: turin })
    expect(withProviderFloors(strict)).toEqual(strict)
  })

  it('is accepted only if it equals the accepted one in every level', () => {
    expect(isAccepted(floor, { Genoa: provider })).toBe(true)
    for (const other of [
      {},
      { Turin: provider },
      { Genoa: { ...provider, snp: 13 } },
      { Genoa: { ...provider, snp: 15 } },
      { Genoa: { ...provider, fmc: 1 } },
    ]) {
      expect(isAccepted(floor, other)).toBe(false)
    }
  })

  it('is described by the levels that it changes', () => {
    expect(describeFloorChange(floor)).toBe('Genoa: snp 23 → 14')
    expect(
      describeFloorChange({
        product: 'Turin',
        minimum: turin.minimumTcb,
        provider: { ...turin.minimumTcb, fmc: 0, microcode: 80 },
      }),
    ).toBe('Turin: fmc 1 → 0, microcode 82 → 80')
  })
})
