import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  attestationPolicySchema,
  platforms,
  type AttestationPolicy,
} from '../../../src/shared/policy/attestation-policy.ts'
import {
  narrowPolicy,
  policyNarrowingSchema,
  type PolicyNarrowing,
} from '../../../src/shared/policy/narrowing.ts'
import type { PinnedMeasurements, PinnedRelease } from '../../../src/shared/policy/pins.ts'
import type { TdxPolicy } from '../../../src/shared/policy/tdx.ts'

/** Few values, so that preset and user often mean the same. */
const hex48 = fc.constantFrom('11', '22', '33').map((byte) => byte.repeat(48))
const hex32 = fc.constantFrom('44', '55', '66').map((byte) => byte.repeat(32))
const tag = fc.constantFrom('v1', 'v2', 'v3')
const some = <T>(one: fc.Arbitrary<T>) =>
  fc.uniqueArray(one, { maxLength: 3, comparator: (a, b) => JSON.stringify(a) === JSON.stringify(b) })

const pinsAny = (pin: object): boolean => Object.keys(pin).length > 0
const registersOfTd = fc
  .record({ mrtd: hex48, rtmr0: hex48, rtmr1: hex48, rtmr2: hex48 }, { requiredKeys: [] })
  .filter(pinsAny)
const registersOfImage = fc
  .record({ pcr0: hex48, pcr1: hex48, pcr2: hex48 }, { requiredKeys: [] })
  .filter(pinsAny)
const pins: fc.Arbitrary<PinnedMeasurements> = fc.record(
  { sevSnp: some(hex48), tdx: some(registersOfTd), nitro: some(registersOfImage) },
  { requiredKeys: [] },
)
const release: fc.Arbitrary<PinnedRelease> = fc
  .record({ tags: some(tag), digests: some(hex32) }, { requiredKeys: [] })
  .filter(pinsAny)

const code = {
  repository: 'a/b',
  oidcIssuer: 'https://issuer.example',
  refPrefix: 'refs/tags/',
  runnerEnvironment: 'github-hosted',
  predicateTypes: ['https://p.example'],
}
const zero = '0'.repeat(96)
const tdx: TdxPolicy = attestationPolicySchema.shape.tdx.unwrap().parse({
  minimumTeeTcbSvn: '03'.repeat(16),
  tdAttributes: '00'.repeat(8),
  xfam: '00'.repeat(8),
  mrSeam: ['77'.repeat(48)],
  mrConfigId: zero,
  mrOwner: zero,
  mrOwnerConfig: zero,
  minimumTcbEvaluationDataNumber: 18,
  hardware: code,
})
const level = { minimumTcb: { bootloader: 7, tee: 0, snp: 14, microcode: 72 } }
const preset: fc.Arbitrary<AttestationPolicy> = fc
  .record({
    platforms: fc.subarray([...platforms], { minLength: 1 }),
    products: fc.subarray(['Genoa', 'Turin', 'Milan'] as const, { minLength: 1 }),
    images: fc.array(fc.record({ pcr0: hex48, pcr1: hex48 }, { requiredKeys: ['pcr0'] }), {
      minLength: 1,
      maxLength: 2,
    }),
    pinnedMeasurements: fc.option(pins, { nil: undefined }),
    pinnedRelease: fc.option(release, { nil: undefined }),
  })
  .map(({ platforms: accepted, products, images, pinnedMeasurements, pinnedRelease }) =>
    attestationPolicySchema.parse({
      enclaveHost: 'enclave.example',
      certificateLabelSuffix: 'example',
      code,
      ...(accepted.includes('sevSnp') && {
        sevSnp: {
          products: Object.fromEntries(products.map((product) => [product, level])),
          minimumBuild: 21,
          minimumApi: { major: 1, minor: 55 },
          guest: { allowSmt: true },
          platform: { requireTsme: true },
        },
      }),
      ...(accepted.includes('tdx') && { tdx }),
      ...(accepted.includes('nitro') && { nitro: { images } }),
      ...(pinnedMeasurements && { pinnedMeasurements }),
      ...(pinnedRelease && { pinnedRelease }),
    }),
  )
const narrowing: fc.Arbitrary<PolicyNarrowing> = fc.record(
  {
    platforms: some(fc.constantFrom(...platforms)),
    sevProducts: some(fc.constantFrom('Genoa', 'Turin', 'Milan')),
    measurements: pins,
    release,
  },
  { requiredKeys: [] },
)

/** What an enclave could show, as far as a narrowing can speak of it. */
const shown = fc.record({
  platform: fc.constantFrom(...platforms),
  product: fc.constantFrom('Genoa', 'Turin', 'Milan'),
  tag,
  digest: hex32,
  registers: fc.record({
    measurement: hex48,
    mrtd: hex48,
    rtmr0: hex48,
    rtmr1: hex48,
    rtmr2: hex48,
    pcr0: hex48,
    pcr1: hex48,
    pcr2: hex48,
  }),
})
type Shown = typeof shown extends fc.Arbitrary<infer T> ? T : never

/** A judge of its own, by the meaning of the policy's members: nothing of it is taken from the code under test. */
function accepts(policy: AttestationPolicy, { platform, product, registers, ...release }: Shown): boolean {
  if (policy[platform] === undefined) return false
  if (platform === 'sevSnp' && !Object.keys(policy.sevSnp?.products ?? {}).includes(product)) return false
  const { pinnedMeasurements, pinnedRelease } = policy
  const meets = (pin: object) =>
    Object.entries(pin).every(
      ([name, value]) => value === undefined || value === registers[name as keyof typeof registers],
    )
  if (pinnedMeasurements) {
    const met =
      platform === 'sevSnp'
        ? pinnedMeasurements.sevSnp?.includes(registers.measurement)
        : pinnedMeasurements[platform]?.some(meets)
    if (met !== true) return false
  }
  if (pinnedRelease && platform === 'nitro') return false
  return (
    (pinnedRelease?.tags?.includes(release.tag) ?? true) &&
    (pinnedRelease?.digests?.includes(release.digest) ?? true)
  )
}

describe('any narrowing of a preset', () => {
  it('keeps or removes each rule, and never weakens one', () => {
    fc.assert(
      fc.property(preset, narrowing, (policy, wish) => {
        const narrowed = narrowPolicy(policy, policyNarrowingSchema.parse(wish))
        if (!narrowed) return
        expect(attestationPolicySchema.parse(narrowed)).toEqual(narrowed)
        const {
          sevSnp,
          tdx: intel,
          nitro,
          pinnedMeasurements: _pins,
          pinnedRelease: _release,
          ...rest
        } = narrowed
        const {
          sevSnp: sevBefore,
          tdx: intelBefore,
          nitro: nitroBefore,
          pinnedMeasurements: _before,
          pinnedRelease: _releaseBefore,
          ...restBefore
        } = policy
        expect(rest).toEqual(restBefore)
        if (intel) expect(intel).toEqual(intelBefore)
        if (nitro) expect(nitro).toEqual(nitroBefore)
        if (sevSnp) {
          expect({ ...sevSnp, products: {} }).toEqual({ ...sevBefore, products: {} })
          for (const [product, rule] of Object.entries(sevSnp.products))
            expect(rule).toEqual(sevBefore?.products[product as 'Genoa'])
        }
        if (policy.pinnedMeasurements) expect(narrowed.pinnedMeasurements).toBeDefined()
        if (policy.pinnedRelease) expect(narrowed.pinnedRelease).toBeDefined()
      }),
      { numRuns: 1000 },
    )
  })

  it('accepts exactly the evidence that both the preset and the narrowing accept', () => {
    fc.assert(
      fc.property(preset, narrowing, shown, (policy, wish, evidence) => {
        const narrowed = narrowPolicy(policy, wish)
        const asked =
          accepts(
            { ...policy, pinnedMeasurements: wish.measurements, pinnedRelease: wish.release },
            evidence,
          ) &&
          (wish.platforms?.includes(evidence.platform) ?? true) &&
          (evidence.platform !== 'sevSnp' ||
            (wish.sevProducts?.some((product) => product === evidence.product) ?? true))
        expect(narrowed !== undefined && accepts(narrowed, evidence)).toBe(accepts(policy, evidence) && asked)
      }),
      { numRuns: 5000 },
    )
  })

  it('can be narrowed again, in any order', () => {
    fc.assert(
      fc.property(preset, narrowing, narrowing, shown, (policy, first, second, evidence) => {
        const then = (narrowed: AttestationPolicy | undefined, wish: PolicyNarrowing) =>
          narrowed && narrowPolicy(narrowed, wish)
        const [a, b] = [then(narrowPolicy(policy, first), second), then(narrowPolicy(policy, second), first)]
        expect(a !== undefined && accepts(a, evidence)).toBe(b !== undefined && accepts(b, evidence))
      }),
      { numRuns: 1000 },
    )
  })
})

const whole = attestationPolicySchema.parse({
  enclaveHost: 'enclave.example',
  certificateLabelSuffix: 'example',
  code,
  tdx,
  nitro: { images: [{ pcr0: '11'.repeat(48) }] },
  sevSnp: {
    products: { Genoa: level, Turin: level },
    minimumBuild: 21,
    minimumApi: { major: 1, minor: 55 },
    guest: { allowSmt: true },
    platform: { requireTsme: true },
  },
})

it('without restrictions leaves the preset unchanged', () => {
  expect(narrowPolicy(whole, {})).toEqual(whole)
})

it('contains the requested restrictions', () => {
  expect(narrowPolicy(whole, { platforms: ['tdx'] })).toEqual({
    ...whole,
    sevSnp: undefined,
    nitro: undefined,
  })
  expect(narrowPolicy(whole, { sevProducts: ['Turin', 'Milan'] })?.sevSnp?.products).toEqual({ Turin: level })
  const pinned = { sevSnp: ['22'.repeat(48)] }
  expect(narrowPolicy(whole, { measurements: pinned })).toEqual({
    ...whole,
    pinnedMeasurements: pinned,
    tdx: undefined,
    nitro: undefined,
  })
})

it('refuses an empty pin, in a preset and in a user’s request', () => {
  for (const pins of [
    { release: {} },
    { measurements: { tdx: [{}] } },
    { measurements: { nitro: [{ pcr0: '11'.repeat(48) }, {}] } },
  ]) {
    expect([pins, policyNarrowingSchema.safeParse(pins).success]).toEqual([pins, false])
    const { release, measurements } = pins as { release?: object; measurements?: object }
    expect(
      attestationPolicySchema.safeParse({
        ...whole,
        ...(release && { pinnedRelease: release }),
        ...(measurements && { pinnedMeasurements: measurements }),
      }).success,
    ).toBe(false)
  }
  for (const release of [{ tags: ['v1'] }, { digests: ['44'.repeat(32)] }])
    expect(attestationPolicySchema.safeParse({ ...whole, pinnedRelease: release }).success).toBe(true)
})

it('is undefined if nothing is left', () => {
  for (const wish of [
    { platforms: [] },
    { measurements: {} },
    { measurements: { sevSnp: [] } },
    { release: { tags: [] } },
    { platforms: ['sevSnp'], sevProducts: ['Milan'] },
  ] satisfies PolicyNarrowing[])
    expect(narrowPolicy(whole, wish)).toBeUndefined()
  expect(
    narrowPolicy({ ...whole, pinnedRelease: { tags: ['v1'] } }, { release: { tags: ['v2'] } }),
  ).toBeUndefined()
})

it('has no form that allows more', () => {
  for (const wish of [
    { enclaveHost: 'other.example' },
    { code },
    { sevSnp: {} },
    { measurements: { sevSnp: ['AB'.repeat(48)] } },
    { platforms: ['sgx'] },
  ]) {
    expect(policyNarrowingSchema.safeParse(wish).success).toBe(false)
  }
})
