import { describe, expect, it } from 'vitest'
import {
  acceptProviderFloors,
  acceptsProviderFloors,
  policyInForce,
  readNarrowing,
  writeNarrowing,
} from '../../../src/core/gateway/privacy-choices.ts'
import { createStore } from '../../../src/core/storage/index.ts'
import { attestationPolicySchema } from '../../../src/shared/policy/attestation-policy.ts'
import { providerFloors, withProviderFloors } from '../../../src/shared/policy/provider-floor.ts'

const settings = () => createStore({ folder: null, key: new Uint8Array(32), now: Date.now }).settings

const policy = attestationPolicySchema.parse({
  enclaveHost: 'enclave.example',
  certificateLabelSuffix: 'example',
  nitro: { images: [{ pcr0: '11'.repeat(48) }] },
  sevSnp: {
    products: { Genoa: { minimumTcb: { bootloader: 7, tee: 0, snp: 14, microcode: 72 } } },
    minimumBuild: 21,
    minimumApi: { major: 1, minor: 55 },
    guest: { allowSmt: true },
    platform: { requireTsme: true },
  },
  code: {
    repository: 'a/b',
    oidcIssuer: 'https://issuer.example',
    refPrefix: 'refs/tags/',
    runnerEnvironment: 'github-hosted',
    predicateTypes: ['https://p.example'],
  },
})

it('a narrowing of the policy is saved, and is empty at first', () => {
  const savedSettings = settings()
  expect(readNarrowing(savedSettings)).toEqual({})
  writeNarrowing(savedSettings, policy, { platforms: ['nitro'] })
  expect(readNarrowing(savedSettings)).toEqual({ platforms: ['nitro'] })
  expect(policyInForce(savedSettings, policy)).toEqual({ ...policy, sevSnp: undefined })
})

it.each(['', 'x', '{"platforms":', '[]', '{"platforms":["other"]}', '{"more":1}'])(
  'a malformed narrowing counts as damaged, never as empty: %j',
  (odd) => {
    const savedSettings = settings()
    savedSettings.set('policy-narrowing', odd)
    for (const read of [() => readNarrowing(savedSettings), () => policyInForce(savedSettings, policy)])
      expect(read).toThrow(expect.objectContaining({ code: 'store/damaged' }))
  },
)

describe('the firmware floor of the provider', () => {
  const genoa = {
    ...policy.sevSnp!.products.Genoa!,
    providerMinimumTcb: { bootloader: 7, tee: 0, snp: 8, microcode: 72 },
  }
  const withFloor = { ...policy, sevSnp: { ...policy.sevSnp!, products: { Genoa: genoa } } }

  it('applies only while it is accepted', () => {
    const savedSettings = settings()
    expect(policyInForce(savedSettings, withFloor)).toEqual(withFloor)
    acceptProviderFloors(savedSettings, providerFloors(withFloor))
    expect(acceptsProviderFloors(savedSettings, withFloor)).toBe(true)
    expect(policyInForce(savedSettings, withFloor)).toEqual(withProviderFloors(withFloor))
    acceptProviderFloors(savedSettings, [])
    expect(policyInForce(savedSettings, withFloor)).toEqual(withFloor)
  })

  it('needs to be accepted again if the profile changes, adds or removes one', () => {
    const savedSettings = settings()
    acceptProviderFloors(savedSettings, providerFloors(withFloor))
    const lower = { ...genoa, providerMinimumTcb: { ...genoa.providerMinimumTcb, snp: 7 } }
    for (const products of [
      { Genoa: lower },
      { Genoa: genoa, Milan: genoa },
      { Genoa: policy.sevSnp!.products.Genoa! },
    ]) {
      const changed = { ...withFloor, sevSnp: { ...withFloor.sevSnp, products } }
      expect(acceptsProviderFloors(savedSettings, changed)).toBe(false)
      expect(policyInForce(savedSettings, changed)).toEqual(changed)
    }
  })

  it('doesn’t widen a policy that the user narrowed', () => {
    const savedSettings = settings()
    acceptProviderFloors(savedSettings, providerFloors(withFloor))
    writeNarrowing(savedSettings, withFloor, { platforms: ['nitro'] })
    expect(policyInForce(savedSettings, withFloor)).toEqual({ ...withFloor, sevSnp: undefined })
  })

  it.each(['', 'x', '[]', 'true', '{"Genoa":true}', '{"Genoa":{"snp":8}}', '{"Rome":{}}'])(
    'doesn’t apply if its record is unreadable: %j',
    (odd) => {
      const savedSettings = settings()
      savedSettings.set('accepted-provider-floors', odd)
      expect(policyInForce(savedSettings, withFloor)).toEqual(withFloor)
    },
  )
})
