import { mkdtemp, rm } from 'node:fs/promises'
import { createPublicKey } from 'node:crypto'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { verifyEvidence } from '../../src/verifier/index.ts'
import { attestationCodes } from '../../src/verifier/types.ts'
import type { AttestationPolicy } from '../../src/shared/policy/attestation-policy.ts'
import type { Tcb } from '../../src/shared/policy/sev-snp.ts'
import { faultsOn, type SandboxFault, type SandboxPlatform } from '../../src/shared/sandbox-faults.ts'
import { verdictNotices, verdictSchema } from '../../src/shared/verdict.ts'
import { sandboxProfile } from '../../src/sandbox/profile.ts'
import { bootEnclave } from '../../src/sandbox/world/enclave.ts'
import { evidenceFaults, mintEvidence, type EvidenceBundle } from '../../src/sandbox/world/evidence.ts'
import { Rekor } from '../../src/sandbox/world/rekor.ts'
import { loadRoots, type Roots } from '../../src/sandbox/world/roots.ts'
import { builtInTrust } from './evidence-folder.ts'

const NOW = Date.UTC(2026, 8, 1)
const { policy } = sandboxProfile('http://127.0.0.1:1') as { policy: AttestationPolicy }

let folder: string
let roots: Roots
let sound: EvidenceBundle
const NONCE = Buffer.alloc(32, 7)
const mintOn = (platform: SandboxPlatform, ...faults: SandboxFault[]) =>
  mintEvidence({
    platform,
    roots,
    rekor: new Rekor(createPublicKey(roots.rekorKey), roots.rekorKey),
    keys: bootEnclave(),
    faults: new Set(faults),
    nonce: NONCE,
    now: NOW,
  })
const mint = (...faults: SandboxFault[]) => mintOn('sev-snp', ...faults)
const verify = (bundle: unknown, under = policy, now = NOW, nonce?: Uint8Array) =>
  verifyEvidence(Buffer.from(JSON.stringify(bundle)), roots.trust, under, now, nonce)

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sotto-roots-'))
  roots = await loadRoots(folder, () => true)
  sound = await mint()
})
afterAll(() => rm(folder, { recursive: true }))

it('accepts the evidence of an independent world with that world’s roots', () => {
  const verdict = verify(sound)
  expect(verdict.failure).toBeUndefined()
  expect(verdict).toMatchObject({
    good: true,
    trust: 'sandbox',
    enclaveHost: policy.enclaveHost,
    validUntil: NOW + 3600_000,
  })
  expect(verdictSchema.parse(verdict)).toEqual(verdict)
})

it('refuses it with the built-in roots', () => {
  const verdict = verifyEvidence(Buffer.from(JSON.stringify(sound)), builtInTrust, policy, NOW)
  expect(verdict).toMatchObject({ good: false, trust: 'built-in', failure: { code: 'vcek/chain-invalid' } })
})

it('refuses a release with another world’s log', () => {
  const mixed = { ...roots.trust, sigstoreTrustedRoot: builtInTrust.sigstoreTrustedRoot }
  const verdict = verifyEvidence(Buffer.from(JSON.stringify(sound)), mixed, policy, NOW)
  expect(verdict.failure?.code).toMatch(/^sigstore\//)
})

/** The step and code that detect each fault in a proof. An older release is genuine, so only memory can detect it. */
const noticed: Record<
  SandboxPlatform,
  Partial<Record<SandboxFault, [step: string, code: string] | 'genuine'>>
> = {
  'sev-snp': {
    'other-measurement': ['measurement/match', 'measurement/mismatch'],
    'swapped-key': ['binding/hpke-key', 'binding/hpke-key'],
    'debug-guest': ['report/debug', 'report/debug-guest'],
    'old-tcb': ['report/tcb', 'report/tcb-below-floor'],
    'expired-certificate': ['vcek/validity', 'vcek/expired'],
    'revoked-certificate': ['amd/revocation', 'amd/intermediate-revoked'],
    'expired-collateral': ['amd/revocation', 'amd/crl-expired'],
    'wrong-repository': ['sigstore/repository', 'sigstore/repository-mismatch'],
    'other-host': ['binding/host', 'binding/host'],
    'older-release': 'genuine',
    'gzip-bomb': ['evidence/report', 'evidence/too-large'],
  },
  tdx: {
    'other-measurement': ['measurement/match', 'measurement/mismatch'],
    'swapped-key': ['binding/hpke-key', 'binding/hpke-key'],
    'debug-guest': ['td/debug', 'td/debug'],
    'old-tcb': ['td/tcb', 'td/tcb-below-floor'],
    'expired-certificate': ['pck/validity', 'pck/expired'],
    'revoked-certificate': ['intel/pck-crl', 'pck/revoked'],
    'expired-collateral': ['intel/tcb-info-validity', 'intel/tcb-info-expired'],
    'missing-collateral': ['intel/collateral', 'intel/collateral-missing'],
    'tcb-out-of-date': ['intel/tcb-level', 'intel/tcb-out-of-date'],
    'rtmr3-not-zero': ['td/rtmr3', 'td/rtmr3-set'],
    'other-hardware': ['hardware/match', 'hardware/mismatch'],
    'forged-hardware-list': ['hardware/statement', 'hardware/statement-invalid'],
    'wrong-repository': ['sigstore/repository', 'sigstore/repository-mismatch'],
    'other-host': ['binding/host', 'binding/host'],
    'older-release': 'genuine',
    'gzip-bomb': ['evidence/report', 'evidence/too-large'],
  },
  nitro: {
    'other-measurement': ['nitro/image', 'nitro/image-not-accepted'],
    'swapped-key': ['nitro/signature', 'nitro/signature-invalid'],
    'debug-guest': ['nitro/debug', 'nitro/debug-enclave'],
    'expired-certificate': ['nitro/chain-validity', 'nitro/certificate-not-valid-then'],
    'wrong-nonce': ['nitro/nonce', 'nitro/nonce-mismatch'],
    'other-host': ['binding/host', 'binding/host'],
    'gzip-bomb': ['evidence/report', 'evidence/too-large'],
  },
}
const evidenceFaultsOn = (platform: SandboxPlatform) =>
  faultsOn(platform).filter((fault) => evidenceFaults.some((name) => name === fault))

describe.each(['sev-snp', 'tdx', 'nitro'] as const)('on %s', (platform) => {
  it('every fault of the evidence has an expected result', () => {
    expect(Object.keys(noticed[platform]).sort()).toEqual(evidenceFaultsOn(platform).sort())
  })

  it('evidence without a fault is good, and its verdict matches the schema', async () => {
    const verdict = verify(await mintOn(platform), policy, NOW, NONCE)
    expect(verdict.failure).toBeUndefined()
    expect(verdict.good).toBe(true)
    expect(verdictSchema.parse(verdict)).toEqual(verdict)
  })

  it.each(evidenceFaultsOn(platform))('%s has the expected result', async (fault) => {
    const expected = noticed[platform][fault] ?? 'genuine'
    const verdict = verify(await mintOn(platform, fault), policy, NOW, NONCE)
    if (expected === 'genuine') return expect(verdict.good).toBe(true)
    const [step, code] = expected
    expect(verdict).toMatchObject({ good: false, failure: { step, code } })
    const at = verdict.steps.findIndex(({ id }) => id === step)
    expect(verdict.steps[at]).toMatchObject({ outcome: 'failed', code })
    expect(
      verdict.steps
        .slice(0, at)
        .every(({ outcome, required }) => outcome === 'passed' || (outcome === 'not-checked' && !required)),
    ).toBe(true)
    expect(verdict.steps.slice(at + 1).every(({ outcome }) => outcome === 'not-reached')).toBe(true)
  })

  it('is refused if the policy has no rules for it, or the trust set has no root', async () => {
    const bundle = await mintOn(platform)
    const { sevSnp, tdx, nitro, ...rest } = policy
    const others = {
      ...rest,
      ...(platform !== 'sev-snp' && sevSnp && { sevSnp }),
      ...(platform !== 'tdx' && tdx && { tdx }),
      ...(platform !== 'nitro' && nitro && { nitro }),
    }
    expect(verify(bundle, others).failure).toMatchObject({
      step: 'evidence/format',
      code: 'evidence/format-unsupported',
    })
    const { intelSgxRoot: _intel, awsNitroRoot: _aws, ...trust } = roots.trust
    const rootless = verifyEvidence(
      Buffer.from(JSON.stringify(bundle)),
      { ...trust, amd: {} },
      policy,
      NOW,
      NONCE,
    )
    expect(rootless.failure).toMatchObject({ step: 'evidence/format', code: 'evidence/format-unsupported' })
  })
})

describe('a trust domain', () => {
  it('is identified by its registers and its release', async () => {
    const bundle = await mintOn('tdx')
    const verdict = verify(bundle)
    expect(verdict).toMatchObject({
      good: true,
      platform: 'Intel TDX',
      freshness: { kind: 'at-least-as-new-as' },
      release: { repository: 'sotto-sandbox/enclave' },
    })
    expect(verdict.registers?.map(({ name }) => name)).toEqual(['MRTD', 'RTMR0', 'RTMR1', 'RTMR2', 'RTMR3'])
    expect(verdict.registers?.at(-1)?.hex).toBe('00'.repeat(48))
    expect(verdict.measurement).toMatch(/^[0-9a-f]{64}$/)
    expect(verdict.validUntil).toBe(NOW + 3600_000)
  })

  it('is refused without its signed list of virtual hardware, or with one of another repository, tag or digest', async () => {
    const bundle = await mintOn('tdx')
    const codeWith = (change: (data: Record<string, unknown>) => object | undefined) => {
      const collateral = bundle.collateral?.flatMap((item) => {
        if (!item.format.endsWith('sigstore-platform/v1')) return [item]
        const data = change(item.data as Record<string, unknown>)
        return data ? [{ ...item, data }] : []
      })
      return verify({ ...bundle, collateral }).failure?.code ?? 'good'
    }
    expect(codeWith((data) => data)).toBe('good')
    expect(codeWith(() => undefined)).toBe('hardware/missing')
    for (const change of [
      { repo: 'sotto-sandbox/enclave' },
      { tag: 'v0.0.0' },
      { digest: '00'.repeat(32) },
      { sigstore_bundle: {} },
      { sigstore_bundle: bundle.sigstoreBundle },
    ]) {
      expect(codeWith((data) => ({ ...data, ...change }))).toBe('hardware/statement-invalid')
    }
  })

  it('is compared with the hardware list of the signer that the policy names, and no other', async () => {
    const bundle = await mintOn('tdx')
    const { tdx } = policy
    if (!tdx) throw new Error('the sandbox’s policy accepts TDX')
    const under = (hardware: Partial<typeof tdx.hardware>) =>
      verify(bundle, { ...policy, tdx: { ...tdx, hardware: { ...tdx.hardware, ...hardware } } }).failure?.code
    expect(under({})).toBeUndefined()
    for (const hardware of [
      { repository: 'sotto-sandbox/enclave' },
      { oidcIssuer: 'https://issuer.example' },
      { refPrefix: 'refs/heads/' },
      { runnerEnvironment: 'self-hosted' },
      { predicateTypes: ['https://tinfoil.sh/predicate/snp-tdx-multiplatform/v1'] },
    ])
      expect(under(hardware)).toBe('hardware/statement-invalid')
  })

  it('is valid no longer than Intel’s collateral', async () => {
    const bundle = await mintOn('tdx')
    // Intel's answers were issued five days ago and are valid for thirty days.
    const end = NOW + 25 * 24 * 3600_000
    expect(verify(bundle, policy, end - 1800_000)).toMatchObject({ good: true, validUntil: end })
    expect(verify(bundle, policy, end)).toMatchObject({ good: true, validUntil: end })
    expect(verify(bundle, policy, end + 1).failure?.code).toMatch(/^intel\/.*expired$/)
  })

  it('must match pins of its registers', async () => {
    const bundle = await mintOn('tdx')
    const { registers = [], release } = verify(bundle)
    const hex = (name: string) => registers.find((register) => register.name === name)?.hex
    const under = (pins: Partial<AttestationPolicy>) =>
      verify(bundle, { ...policy, ...pins }).failure?.code ?? 'good'
    expect(
      under({
        pinnedMeasurements: {
          tdx: [{ mrtd: hex('MRTD'), rtmr0: hex('RTMR0'), rtmr1: hex('RTMR1'), rtmr2: hex('RTMR2') }],
        },
        pinnedRelease: { tags: [release?.tag ?? ''] },
      }),
    ).toBe('good')
    expect(under({ pinnedMeasurements: { tdx: [{ rtmr1: hex('RTMR2') }, { rtmr1: hex('RTMR1') }] } })).toBe(
      'good',
    )
    expect(under({ pinnedMeasurements: { tdx: [{ rtmr1: hex('RTMR2') }] } })).toBe('measurement/not-pinned')
    expect(under({ pinnedMeasurements: { nitro: [{ pcr0: hex('MRTD') }] } })).toBe('measurement/not-pinned')
  })
})

describe('a Nitro enclave', () => {
  it('is identified by its registers, is bound to the nonce, and names no release', async () => {
    const verdict = verify(await mintOn('nitro'), policy, NOW, NONCE)
    expect(verdict).toMatchObject({ good: true, platform: 'AWS Nitro', freshness: { kind: 'nonce-bound' } })
    expect(verdict.registers).toEqual(
      Object.entries(policy.nitro?.images[0] ?? {}).map(([name, hex]) => ({ name: name.toUpperCase(), hex })),
    )
    expect(verdict).not.toHaveProperty('release')
    expect(verdict.validUntil).toBeLessThanOrEqual(NOW + 3600_000)
  })

  it('has the time signed by the hardware as its freshness if there is no nonce, and the nonce step isn’t checked', async () => {
    const verdict = verify(await mintOn('nitro'))
    expect(verdict).toMatchObject({
      good: true,
      freshness: {
        kind: 'signed-at',
        signedTime: expect.toSatisfy((time: number) => Math.abs(time - NOW) < 60_000) as number,
      },
    })
    expect(verdict.steps.find(({ id }) => id === 'nitro/nonce')).toMatchObject({
      outcome: 'not-checked',
      required: false,
    })
  })

  it('is refused with a nonce other than the requested one', async () => {
    expect(verify(await mintOn('nitro'), policy, NOW, Buffer.alloc(32, 8)).failure?.code).toBe(
      'nitro/nonce-mismatch',
    )
  })

  it('must match pins of its registers, and is refused with pins of releases', async () => {
    const bundle = await mintOn('nitro')
    const [image] = policy.nitro?.images ?? []
    const under = (pins: Partial<AttestationPolicy>) =>
      verify(bundle, { ...policy, ...pins }).failure?.code ?? 'good'
    expect(under({ pinnedMeasurements: { nitro: [{ pcr0: image?.pcr0 }] } })).toBe('good')
    expect(under({ pinnedMeasurements: { nitro: [{ pcr0: image?.pcr0, pcr1: '00'.repeat(48) }] } })).toBe(
      'measurement/not-pinned',
    )
    expect(under({ pinnedMeasurements: { sevSnp: ['00'.repeat(48)] } })).toBe('measurement/not-pinned')
    expect(under({ pinnedRelease: { tags: ['v1'] } })).toBe('release/not-pinned')
  })
})

it('refuses parts of two valid bundles that are combined', async () => {
  const other = await mint()
  expect(verify({ ...sound, enclaveCert: other.enclaveCert }).failure?.code).toBe('binding/tls-key')
  expect(verify({ ...sound, enclaveAttestationReport: other.enclaveAttestationReport }).failure?.code).toBe(
    'binding/tls-key',
  )
  const older = await mint('older-release')
  expect(verify({ ...sound, sigstoreBundle: older.sigstoreBundle }).failure?.code).toBe(
    'sigstore/subject-digest-mismatch',
  )
  expect(verify({ ...sound, sigstoreBundle: older.sigstoreBundle, digest: older.digest }).failure?.code).toBe(
    'measurement/mismatch',
  )
})

describe('a verdict', () => {
  it('lists the same steps once and in the same order for any evidence', () => {
    const ids = verify(sound).steps.map(({ id }) => id)
    expect(new Set(ids).size).toBe(ids.length)
    for (const bundle of [
      null,
      [],
      {},
      { ...sound, domain: 7 },
      { ...sound, vcek: '' },
      { ...sound, enclaveCert: '' },
    ]) {
      expect(verify(bundle).steps.map(({ id }) => id)).toEqual(ids)
    }
    expect(ids.filter((id) => !id.startsWith('sigstore/'))).toEqual([
      'evidence/document',
      'evidence/format',
      'evidence/report',
      'report/layout',
      'vcek/form',
      'vcek/product',
      'amd/root',
      'amd/intermediate',
      'vcek/chain',
      'vcek/validity',
      'amd/revocation',
      'vcek/chip',
      'vcek/tcb',
      'report/signature',
      'report/signer',
      'report/debug',
      'report/migration',
      'report/guest-policy',
      'report/identity',
      'report/vmpl',
      'report/tcb',
      'report/committed-firmware',
      'report/firmware-version',
      'report/platform',
      'certificate/form',
      'binding/tls-key',
      'certificate/chain',
      'certificate/validity',
      'release/minimum-log-time',
      'measurement/match',
      'measurement/pinned',
      'release/pinned',
      'binding/host',
      'certificate/host',
      'binding/hpke-key',
      'binding/document',
      'v3/document',
    ])
  })

  it('requires pins only if the policy has any', () => {
    const required = (sevSnp: string[] | undefined) =>
      verify(sound, { ...policy, ...(sevSnp && { pinnedMeasurements: { sevSnp } }) }).steps.find(
        ({ id }) => id === 'measurement/pinned',
      )
    expect(required(undefined)).toMatchObject({ required: false, outcome: 'not-checked' })
    expect(required([])).toMatchObject({ required: true, outcome: 'failed', code: 'measurement/not-pinned' })
  })

  it('has a notice if the Sigstore root is old, and stays good', () => {
    const published = NOW - 90 * 24 * 3600_000
    const under = (sigstoreTrustedRootPublished: number) =>
      verifyEvidence(
        Buffer.from(JSON.stringify(sound)),
        { ...roots.trust, sigstoreTrustedRootPublished },
        policy,
        NOW,
      )
    expect(under(published)).not.toHaveProperty('notices')
    const stale = under(published - 1)
    expect(stale).toMatchObject({ good: true, notices: [{ code: 'trust/sigstore-root-stale' }] })
    expect(verdictSchema.parse(stale)).toEqual(stale)
    expect(verify(sound)).not.toHaveProperty('notices')
  })

  it('has a notice if the firmware is older than expected, and stays good', () => {
    const reported = { bootloader: 10, tee: 0, snp: 23, microcode: 84 }
    const expecting = (expectedTcb: Tcb): AttestationPolicy => ({
      ...policy,
      sevSnp: { ...policy.sevSnp!, products: { Genoa: { ...policy.sevSnp!.products.Genoa!, expectedTcb } } },
    })
    expect(verify(sound, expecting(reported))).not.toHaveProperty('notices')
    const older = verify(sound, expecting({ ...reported, microcode: 85 }))
    expect(older).toMatchObject({
      good: true,
      notices: [{ code: 'report/tcb-below-expected', says: verdictNotices['report/tcb-below-expected'] }],
    })
    expect(verdictSchema.parse(older)).toEqual(older)
  })

  it('has no firmware notice if the evidence is refused', async () => {
    const high = { bootloader: 255, tee: 255, snp: 255, microcode: 255 }
    const under: AttestationPolicy = {
      ...policy,
      sevSnp: {
        ...policy.sevSnp!,
        products: { Genoa: { ...policy.sevSnp!.products.Genoa!, expectedTcb: high } },
      },
    }
    for (const fault of ['old-tcb', 'wrong-repository'] as const)
      expect(verify(await mint(fault), under)).not.toHaveProperty('notices')
  })

  it('has its notices in a fixed order', () => {
    const { Genoa } = policy.sevSnp!.products
    const under: AttestationPolicy = {
      ...policy,
      sevSnp: {
        ...policy.sevSnp!,
        products: {
          Genoa: {
            ...Genoa!,
            expectedTcb: { ...Genoa!.minimumTcb, microcode: 255 },
            providerFloorAccepted: true,
          },
        },
      },
    }
    const { notices } = verifyEvidence(
      Buffer.from(JSON.stringify(sound)),
      { ...roots.trust, sigstoreTrustedRootPublished: 0 },
      under,
      NOW,
    )
    expect(notices?.map(({ code }) => code)).toEqual([
      'policy/provider-floor-accepted',
      'report/tcb-below-expected',
      'trust/sigstore-root-stale',
    ])
  })

  it('states its failure in a sentence', () => {
    const { failure } = verify({})
    expect(failure).toEqual({
      step: 'evidence/document',
      code: 'evidence/malformed',
      says: attestationCodes['evidence/malformed'],
    })
  })
})

it('is never good, never throws and always matches its schema, with any byte changed', () => {
  const text = Buffer.from(JSON.stringify(sound))
  const limit = text.indexOf('"sigstoreBundle"')
  fc.assert(
    fc.property(fc.nat(limit), fc.integer({ min: 1, max: 255 }), (at, flip) => {
      const changed = Buffer.from(text)
      changed.writeUInt8(changed.readUInt8(at) ^ flip, at)
      const verdict = verifyEvidence(changed, roots.trust, policy, NOW)
      expect(verdict.good).toBe(false)
      expect(verdictSchema.safeParse(verdict).success).toBe(true)
      expect(verdict.failure?.code).not.toBe('verifier/internal')
    }),
    { numRuns: 150 },
  )
})

it('refuses 50 MB without parsing', () => {
  expect(verifyEvidence(Buffer.alloc(50_000_000, '['), roots.trust, policy, NOW).failure?.code).toBe(
    'evidence/too-large',
  )
})
