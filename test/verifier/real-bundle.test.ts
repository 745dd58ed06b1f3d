import { createHash, createPublicKey } from 'node:crypto'
import { gunzipSync, gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { verifyEvidence } from '../../src/verifier/index.ts'
import { parseReport, sevSteps } from '../../src/verifier/sev-snp/index.ts'
import { sigstoreSteps } from '../../src/verifier/sigstore/index.ts'
import { parseCertificate } from '../../src/verifier/x509/index.ts'
import type { AttestationPolicy } from '../../src/shared/policy/attestation-policy.ts'
import type { SevPolicy } from '../../src/shared/policy/sev-snp.ts'
import type { JsonValue } from '../../src/verifier/strict-json.ts'
import * as writer from '../../src/sandbox/der/certificate.ts'
import { nul, sequence, tlv } from '../../src/sandbox/der/der.ts'
import {
  claimedCertificate,
  documentLabels,
  hostNames,
  hpkeLabels,
  keyOf,
  wrappers,
} from './claimed-certificate.ts'
import {
  amdRoots,
  builtInTrust,
  evidenceIsThere,
  presetPolicy,
  presetSevPolicy,
  realEvidence,
} from './evidence-folder.ts'
import { statedFacts } from './stated-facts.ts'

const bundleForm = z.looseObject({
  domain: z.string(),
  enclaveAttestationReport: z.object({ format: z.string(), body: z.string() }),
  digest: z.string(),
  sigstoreBundle: z.looseObject({
    dsseEnvelope: z.looseObject({
      payload: z.string(),
      signatures: z.array(z.looseObject({ sig: z.string() })),
    }),
    verificationMaterial: z.looseObject({
      certificate: z.object({ rawBytes: z.string() }),
      tlogEntries: z.array(z.looseObject({ canonicalizedBody: z.string() })),
    }),
  }),
  vcek: z.string(),
  enclaveCert: z.string(),
})

/** A skipped block is run through to collect its tests, and this one reads the bundle. */
const describeBundle = evidenceIsThere
  ? describe
  : (name: string, _: () => void) => it.skip(name, () => undefined)

const DAY = Date.UTC(2026, 1, 1)
const HOUR = 3600_000

describeBundle('the bundle of a production router', () => {
  const evidence = realEvidence('bundle/genoa-router-bundle.json')
  const bundle = bundleForm.parse(JSON.parse(evidence.toString()))
  const policy = presetPolicy()
  const sevPolicy = presetSevPolicy()
  const report = gunzipSync(Buffer.from(bundle.enclaveAttestationReport.body, 'base64'))
  const vcek = Buffer.from(bundle.vcek, 'base64')
  const verify = (changed: object = {}, now = DAY, under: AttestationPolicy = policy) =>
    verifyEvidence(Buffer.from(JSON.stringify({ ...bundle, ...changed })), builtInTrust, under, now)
  const codeOf = (...inputs: Parameters<typeof verify>) => verify(...inputs).failure?.code ?? 'good'
  const withReport = (changed: Buffer) => ({
    enclaveAttestationReport: {
      ...bundle.enclaveAttestationReport,
      body: gzipSync(changed, { level: 1 }).toString('base64'),
    },
  })
  const flipped = (bytes: Uint8Array, at: number, by = 1) => {
    const copy = Buffer.from(bytes)
    copy.writeUInt8(copy.readUInt8(at) ^ by, at)
    return copy
  }

  it('a real bundle is verified again each time, although its bytes are parsed once', () => {
    const bytes = Buffer.from(evidence)
    const again = (now = DAY, under: AttestationPolicy = policy) =>
      verifyEvidence(bytes, builtInTrust, under, now).failure?.code ?? 'good'
    expect([
      again(),
      again(DAY + 90 * 24 * HOUR),
      again(DAY, { ...policy, enclaveHost: 'elsewhere.invalid' }),
      again(),
    ]).toEqual(['good', 'certificate/expired', 'binding/host', 'good'])
    // In the very buffer that was parsed: the first character of the digest.
    const digest = bytes.indexOf(bundle.digest)
    bytes[digest] = bytes[digest] === 0x30 ? 0x31 : 0x30
    expect(again()).toBe('sigstore/subject-digest-mismatch')
    bytes.set(evidence)
    expect(again()).toBe('good')
  })

  it('a real bundle is accepted within the validity of its certificates', () => {
    const verdict = verifyEvidence(evidence, builtInTrust, policy, DAY)
    expect(
      verdict.steps
        .filter(({ outcome }) => outcome !== 'passed')
        .map(({ id, outcome, required }) => ({ id, outcome, required })),
    ).toEqual([
      { id: 'amd/revocation', outcome: 'not-checked', required: false },
      { id: 'certificate/chain', outcome: 'not-checked', required: false },
      { id: 'release/minimum-log-time', outcome: 'not-checked', required: false },
      { id: 'measurement/pinned', outcome: 'not-checked', required: false },
      { id: 'release/pinned', outcome: 'not-checked', required: false },
      { id: 'v3/document', outcome: 'not-checked', required: false },
    ])
    const statement = z
      .object({ predicate: z.looseObject({ snp_measurement: z.string() }) })
      .parse(JSON.parse(Buffer.from(bundle.sigstoreBundle.dsseEnvelope.payload, 'base64').toString()))
    const { steps: _, ...verdictWithoutSteps } = verdict
    expect(verdictWithoutSteps).toEqual({
      good: true,
      trust: 'built-in',
      platform: 'AMD SEV-SNP, Genoa',
      enclaveHost: 'inference.tinfoil.sh',
      measurement: statement.predicate.snp_measurement,
      registers: [{ name: 'MEASUREMENT', hex: statement.predicate.snp_measurement }],
      release: {
        repository: 'tinfoilsh/confidential-model-router',
        tag: 'v0.0.38',
        commit: '7a4ca87d5481e1b37c1caa8b49c1771f0b8694a7',
        digest: bundle.digest,
        loggedAt: Date.UTC(2026, 0, 22, 22, 42, 2),
      },
      hpkePublicKey: report.toString('hex', 0x70, 0x90),
      tlsKeyFingerprint: report.toString('hex', 0x50, 0x70),
      freshness: { kind: 'at-least-as-new-as', logTime: Date.UTC(2026, 0, 22, 22, 42, 2) },
      verifiedAt: DAY,
      validUntil: DAY + HOUR,
      evidenceDigest: createHash('sha256').update(evidence).digest('hex'),
    })
  })

  it('a real bundle has the firmware that the preset expects of real machines', () => {
    expect(policy.sevSnp?.products.Genoa?.expectedTcb).toBeDefined()
    expect(verify().notices?.map(({ code }) => code) ?? []).not.toContain('report/tcb-below-expected')
  })

  it('a real bundle has the same verdict each time', () => {
    expect(verify()).toEqual(verify())
  })

  it('a real bundle is valid no longer than its TLS certificate', () => {
    const end = Date.UTC(2026, 3, 22, 21, 44, 37)
    expect(verify({}, end - HOUR / 2)).toMatchObject({ good: true, validUntil: end })
    expect(verify({}, end)).toMatchObject({ good: true, validUntil: end })
    expect(codeOf({}, end + 1)).toBe('certificate/expired')
  })

  it('a real bundle is refused before and after its validity', () => {
    expect(codeOf({}, Date.UTC(2026, 0, 15))).toBe('certificate/not-yet-valid')
    expect(codeOf({}, Date.UTC(2026, 4, 1))).toBe('certificate/expired')
    // The TLS certificate is an hour older than the log entry of the release.
    expect(codeOf({}, Date.UTC(2026, 0, 22, 22))).toBe('sigstore/log-entry-in-future')
    const asked = sigstoreSteps.verify({
      bundle: bundle.sigstoreBundle as JsonValue,
      digest: bundle.digest,
      trustedRoot: builtInTrust.sigstoreTrustedRoot,
      policy: policy.code,
      now: Date.UTC(2026, 0, 15),
    })
    expect(asked).toMatchObject({ good: false, failure: { code: 'sigstore/log-entry-in-future' } })
    expect(codeOf({}, Date.UTC(2026, 0, 1))).toBe('vcek/not-yet-valid')
    expect(codeOf({}, Date.UTC(2034, 0, 1))).toBe('vcek/expired')
    expect(codeOf({}, Date.UTC(2048, 0, 1))).toBe('amd/root-invalid')
    expect(codeOf({}, Number.NaN)).not.toBe('good')
  })

  it('the verdict of a refused bundle ends at once, and contains only authenticated values', () => {
    const refused = verify({}, Date.UTC(2026, 4, 1))
    expect(refused).toMatchObject({
      good: false,
      validUntil: Date.UTC(2026, 4, 1),
      measurement: report.toString('hex', 0x90, 0xc0),
    })
    expect(refused).not.toHaveProperty('release')
    const unsigned = verify(withReport(flipped(report, 0x90)))
    for (const member of [
      'measurement',
      'hpkePublicKey',
      'tlsKeyFingerprint',
      'platform',
      'release',
      'freshness',
    ])
      expect(unsigned).not.toHaveProperty(member)
  })

  it('a real bundle is refused for any other host, and with any other name', () => {
    for (const enclaveHost of [
      'tinfoil.sh',
      'x.inference.tinfoil.sh',
      'inference.tinfoil.sh.example',
      'api.ppq.ai',
    ]) {
      expect(codeOf({}, DAY, { ...policy, enclaveHost })).toBe('binding/host')
      expect(codeOf({ domain: enclaveHost }, DAY, { ...policy, enclaveHost })).toBe('certificate/host')
      expect(codeOf({ domain: enclaveHost })).toBe('binding/host')
    }
    expect(codeOf({}, DAY, { ...policy, certificateLabelSuffix: 'example' })).toBe('binding/hpke-key')
  })

  it('a real bundle must match pinned measurements', () => {
    const measurement = report.toString('hex', 0x90, 0xc0)
    expect(
      verify({}, DAY, { ...policy, pinnedMeasurements: { sevSnp: ['00'.repeat(48), measurement] } }),
    ).toMatchObject({ good: true })
    const refused = verify({}, DAY, { ...policy, pinnedMeasurements: { sevSnp: ['00'.repeat(48)] } })
    expect(refused).toMatchObject({ good: false, failure: { code: 'measurement/not-pinned' } })
    expect(codeOf({}, DAY, { ...policy, pinnedMeasurements: { sevSnp: [] } })).toBe('measurement/not-pinned')
    expect(codeOf({}, DAY, { ...policy, pinnedMeasurements: { tdx: [{ mrtd: '00'.repeat(48) }] } })).toBe(
      'measurement/not-pinned',
    )
  })

  it('a real bundle must match pinned releases', () => {
    const { digest } = bundle
    for (const pinnedRelease of [
      { tags: ['v0.0.38'] },
      { digests: [digest] },
      { tags: ['v1', 'v0.0.38'], digests: ['00'.repeat(32), digest] },
    ]) {
      expect(codeOf({}, DAY, { ...policy, pinnedRelease })).toBe('good')
    }
    for (const pinnedRelease of [
      { tags: ['v0.0.3'] },
      { digests: ['00'.repeat(32)] },
      { tags: ['v0.0.38'], digests: [] },
      { tags: [], digests: [digest] },
    ]) {
      expect(codeOf({}, DAY, { ...policy, pinnedRelease })).toBe('release/not-pinned')
    }
  })

  it('a real bundle is refused if any byte of its report is changed', () => {
    const refusals = new Set<string>()
    const accepted = Array.from(report.keys()).filter((at) => {
      const result = sevSteps.verify({
        report: flipped(report, at, 1 << (at % 8)),
        vcek,
        roots: amdRoots,
        policy: sevPolicy,
        now: DAY,
      })
      if (!result.good) refusals.add(result.failure.code)
      return result.good
    })
    expect(accepted).toEqual([])
    expect([...refusals].sort()).toEqual(
      [
        'report/reserved-bytes',
        'report/signature-algorithm',
        'report/signature-invalid',
        'report/version-unsupported',
        'report/chip-key-masked',
        'vcek/hwid-mismatch',
        'vcek/product-mismatch',
        'vcek/tcb-mismatch',
      ]
        .filter((code) => refusals.has(code))
        .sort(),
    )
    expect(refusals).toContain('report/signature-invalid')
    for (let at = 0; at < report.length; at += 61)
      expect(verify(withReport(flipped(report, at)))).toMatchObject({ good: false })
  })

  it('a real bundle is refused if its report is packed differently without a new certificate', () => {
    expect(codeOf(withReport(report))).toBe('binding/document')
  })

  it('a real bundle is refused if a byte of its VCEK is changed', () => {
    for (let at = 0; at < vcek.length; at += 9) {
      const result = sevSteps.verify({
        report,
        vcek: flipped(vcek, at, 1 << (at % 8)),
        roots: amdRoots,
        policy: sevPolicy,
        now: DAY,
      })
      expect(result, `byte ${at}`).toMatchObject({ good: false })
    }
    for (const at of [0, 400, 1000, vcek.length - 1])
      expect(codeOf({ vcek: flipped(vcek, at).toString('base64') })).toMatch(/^vcek\//)
  })

  it('a VCEK is refused if its product name or a patch level has an invalid type', () => {
    const name = vcek.indexOf('Genoa')
    expect(codeOf({ vcek: flipped(vcek, name, 0x80).toString('base64') })).toBe('vcek/malformed')
    // 1.3.6.1.4.1.3704.1.3.1, and behind it the INTEGER in its OCTET STRING: made negative.
    const level = vcek.indexOf(Buffer.from('2b060104019c78010301', 'hex')) + 10 + 4
    expect(codeOf({ vcek: flipped(vcek, level, 0x80).toString('base64') })).toBe('vcek/malformed')
  })

  it('a real bundle is refused if a signed byte of its Sigstore bundle or the digest is changed', () => {
    const { sigstoreBundle } = bundle
    const parts = (changed: string, where: (text: string) => unknown) => {
      const bytes = Buffer.from(changed, 'base64')
      return [0, 0.31, 0.62, 0.99].map((part) =>
        where(flipped(bytes, Math.floor(part * bytes.length)).toString('base64')),
      )
    }
    const { dsseEnvelope, verificationMaterial } = sigstoreBundle
    const [signature] = dsseEnvelope.signatures
    const [entry] = verificationMaterial.tlogEntries
    const bundles = [
      ...parts(dsseEnvelope.payload, (payload) => ({
        ...sigstoreBundle,
        dsseEnvelope: { ...dsseEnvelope, payload },
      })),
      ...parts(signature?.sig ?? '', (sig) => ({
        ...sigstoreBundle,
        dsseEnvelope: { ...dsseEnvelope, signatures: [{ ...signature, sig }] },
      })),
      ...parts(verificationMaterial.certificate.rawBytes, (rawBytes) => ({
        ...sigstoreBundle,
        verificationMaterial: { ...verificationMaterial, certificate: { rawBytes } },
      })),
      ...parts(entry?.canonicalizedBody ?? '', (canonicalizedBody) => ({
        ...sigstoreBundle,
        verificationMaterial: { ...verificationMaterial, tlogEntries: [{ ...entry, canonicalizedBody }] },
      })),
    ]
    expect(bundles).toHaveLength(16)
    for (const changed of bundles) expect(codeOf({ sigstoreBundle: changed })).toMatch(/^sigstore\//)
    expect(codeOf({ digest: '00'.repeat(32) })).toBe('sigstore/subject-digest-mismatch')
    expect(codeOf({ sigstoreBundle: null })).toBe('sigstore/bundle-malformed')
  })

  describe('a real bundle with another TLS certificate', () => {
    const attested = keyOf(bundle.enclaveCert)
    const [hpke, hatt, names] = [hpkeLabels, documentLabels, hostNames]
    const certified = (extensions: Buffer[], changes: Partial<writer.CertificateFields> = {}) =>
      claimedCertificate(changes.publicKey ?? attested, extensions, {
        notBefore: DAY - HOUR,
        notAfter: DAY + HOUR,
        ...changes,
      })
    const codeWith = (enclaveCert: string) => codeOf({ enclaveCert })

    it('is accepted for its key, with the certificate chain not checked', () => {
      expect(
        verify({ enclaveCert: certified([names(...hpke, ...hatt)]) }).steps.find(
          ({ id }) => id === 'certificate/chain',
        ),
      ).toMatchObject({ outcome: 'not-checked' })
      expect(codeWith(certified([names(...hatt.toReversed(), ...hpke.toReversed())]))).toBe('good')
    })

    it('states the same facts for any claims of the certificate', () => {
      const facts = statedFacts(verify())
      fc.assert(
        fc.property(wrappers(attested, DAY), (enclaveCert) => {
          const verdict = verify({ enclaveCert })
          expect(statedFacts(verdict)).toEqual(facts)
          expect(verdict.validUntil).toBe(DAY + HOUR)
        }),
        { numRuns: 50 },
      )
    })

    it('is refused for another key', () => {
      const other = createPublicKey({
        key: Buffer.from(parseCertificate(vcek).publicKeyInfo),
        format: 'der',
        type: 'spki',
      })
      expect(codeWith(certified([names(...hpke, ...hatt)], { publicKey: other }))).toBe('binding/tls-key')
    })

    it('is refused for other names', () => {
      const [first = '', second = ''] = hpke
      expect(
        codeWith(
          certified([
            writer.subjectAlternativeName([...hpke, ...hatt, '*.tinfoil.sh'].map((dns) => ({ dns }))),
          ]),
        ),
      ).toBe('certificate/host')
      expect(codeWith(certified([writer.keyUsage('digitalSignature')]))).toBe('certificate/host')
      expect(codeWith(certified([names(...hatt)]))).toBe('binding/hpke-key')
      expect(codeWith(certified([names(first, ...hatt)]))).toBe('binding/hpke-key')
      expect(codeWith(certified([names(first.replace('00gvsx', '00gvsz'), second, ...hatt)]))).toBe(
        'binding/hpke-key',
      )
      expect(codeWith(certified([names(...hpke)]))).toBe('binding/document')
      expect(codeWith(certified([names(...hpke, ...hatt.slice(1))]))).toBe('binding/document')
      expect(
        codeWith(certified([names(...hpke, ...hatt.map((name) => name.replace('gnrdsy', 'gnrdsz')))])),
      ).toBe('binding/document')
    })

    it('is refused if it is no valid server certificate', () => {
      const all = names(...hpke, ...hatt)
      expect(codeWith(certified([all, writer.basicConstraints(true)]))).toBe('certificate/unsuitable')
      expect(codeWith(certified([all, writer.extendedKeyUsage('codeSigning')]))).toBe(
        'certificate/unsuitable',
      )
      expect(codeWith(certified([all, writer.extension('1.2.3', nul(), true)]))).toBe(
        'certificate/unsuitable',
      )
      expect(codeWith(certified([all, all]))).toBe('certificate/malformed')
      for (const value of [
        sequence(),
        sequence(tlv(0x82, Buffer.from('ä.example'))),
        nul(),
        Buffer.alloc(0),
      ]) {
        for (const id of ['2.5.29.14', '2.5.29.15', '2.5.29.17', '2.5.29.19', '2.5.29.35', '2.5.29.37']) {
          const others = id === '2.5.29.17' ? [] : [all]
          // Both may be empty, and what else an authorityKeyIdentifier has is not read.
          if ((id === '2.5.29.19' && value.equals(sequence())) || (id === '2.5.29.35' && value[0] === 0x30))
            continue
          expect([
            id,
            value.toString('hex'),
            codeWith(certified([...others, writer.extension(id, value)])),
          ]).toEqual([id, value.toString('hex'), 'certificate/malformed'])
        }
      }
      expect(codeWith(bundle.enclaveCert.repeat(2))).toBe('certificate/malformed')
      expect(codeWith('')).toBe('certificate/malformed')
      expect(codeWith(certified([all], { notBefore: DAY + 1000 }))).toBe('certificate/not-yet-valid')
      expect(codeWith(certified([all], { notAfter: DAY - 1000 }))).toBe('certificate/expired')
    })
  })

  describe('real reports of other machines', () => {
    const anyMilan: SevPolicy = {
      ...sevPolicy,
      minimumBuild: 0,
      minimumApi: { major: 0, minor: 0 },
      platform: { requireTsme: false, requireEcc: false, requireAliasCheck: false },
      products: { Milan: { minimumTcb: { bootloader: 0, tee: 0, snp: 0, microcode: 0 } } },
    }
    const milanReport = Buffer.from(realEvidence('sev-snp/report_milan.hex').toString(), 'hex')
    const milanVcek = realEvidence('sev-snp/vcek_milan.der')
    const debugReport = realEvidence('sev-snp/milan-debug-report.bin')
    const debugVcek = realEvidence('sev-snp/milan-debug-vcek.der')

    it('a debug guest is refused, although its chip signed it', () => {
      const result = sevSteps.verify({
        report: debugReport,
        vcek: debugVcek,
        roots: amdRoots,
        policy: anyMilan,
        now: DAY,
      })
      expect(result).toMatchObject({
        good: false,
        failure: { step: 'report/debug', code: 'report/debug-guest' },
      })
      expect(result.steps.find(({ id }) => id === 'report/signature')).toMatchObject({ outcome: 'passed' })
      const whole = { ...withReport(debugReport), vcek: debugVcek.toString('base64') }
      expect(codeOf(whole, DAY, { ...policy, sevSnp: anyMilan })).toBe('report/debug-guest')
      expect(codeOf(whole)).toBe('vcek/product-not-accepted')
    })

    it('Milan is accepted if the policy names it, and refused by the preset', () => {
      expect(
        sevSteps.verify({
          report: milanReport,
          vcek: milanVcek,
          roots: amdRoots,
          policy: anyMilan,
          now: DAY,
        }),
      ).toMatchObject({ good: true, value: { evidence: { product: 'Milan' } } })
      expect(
        sevSteps.verify({
          report: milanReport,
          vcek: milanVcek,
          roots: amdRoots,
          policy: sevPolicy,
          now: DAY,
        }),
      ).toMatchObject({ good: false, failure: { code: 'vcek/product-not-accepted' } })
      expect(
        sevSteps.verify({
          report: milanReport,
          vcek: debugVcek,
          roots: amdRoots,
          policy: anyMilan,
          now: DAY,
        }),
      ).toMatchObject({ good: false, failure: { code: 'vcek/hwid-mismatch' } })
    })

    it('an Azure guest is refused for each field that the preset pins', () => {
      const under = (changes: Partial<SevPolicy>) => {
        const result = sevSteps.verify({
          report: realEvidence('2026-08/openpcc-azure-genoa/report.bin'),
          vcek: realEvidence('2026-08/openpcc-azure-genoa/vcek.der'),
          roots: amdRoots,
          policy: { ...sevPolicy, ...changes },
          now: Date.UTC(2026, 7, 1),
        })
        expect(result.steps.find(({ id }) => id === 'report/signature')).toMatchObject({ outcome: 'passed' })
        return result.good ? result.value : result.failure.code
      }
      const guest = { allowSmt: true, allowSingleSocketOnly: true }
      expect(under({})).toBe('report/guest-policy-mismatch')
      expect(under({ guest })).toBe('report/identity-mismatch')
      const report = parseReport(realEvidence('2026-08/openpcc-azure-genoa/report.bin'))
      const identity = {
        ...sevPolicy.identity,
        guestSvn: report.guestSvn,
        idKeyDigest: Buffer.from(report.idKeyDigest).toString('hex'),
        hostData: Buffer.from(report.hostData).toString('hex'),
        familyId: Buffer.from(report.familyId).toString('hex'),
        imageId: Buffer.from(report.imageId).toString('hex'),
        authorKeyDigest: Buffer.from(report.authorKeyDigest).toString('hex'),
      }
      expect(under({ guest, identity })).toBe('report/tsme-off')
    })

    it('they are refused in place of the router’s report', () => {
      const under: AttestationPolicy = { ...policy, sevSnp: anyMilan }
      expect(codeOf({ ...withReport(milanReport), vcek: milanVcek.toString('base64') }, DAY, under)).toBe(
        'binding/tls-key',
      )
    })
  })
})
