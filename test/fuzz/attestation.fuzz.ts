import { generateKeyPairSync } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { DerError, DerReader } from '../../src/core/attestation/der/index.ts'
import { parseReport, ReportError } from '../../src/core/attestation/sev-snp/index.ts'
import {
  basicConstraints, CertificateError, extendedKeyUsage, isSignedBy, keyUsage, parseCertificate, publicKeyOf, subjectAlternativeNames,
} from '../../src/core/attestation/x509/index.ts'
import { verifyEvidence } from '../../src/core/attestation/index.ts'
import { builtInTrust, evidenceIsThere, presetPolicy, realEvidence } from '../core/attestation/evidence-folder.ts'
import * as writer from '../../src/sandbox/der/certificate.ts'

const numRuns = Number(process.env['SOTTO_FUZZ_RUNS'] ?? 20_000)

const keys = generateKeyPairSync('ec', { namedCurve: 'P-384' })
const name = writer.distinguishedName(['C', 'US'], ['O', 'Fuzz'], ['CN', 'x.example'])
const certificate = writer.certificate({
  serial: 1, issuer: name, subject: name, notBefore: 0, notAfter: Date.UTC(2060, 0, 1), publicKey: keys.publicKey,
  extensions: [
    writer.basicConstraints(true, 0), writer.keyUsage('certificateAndCrlSign'), writer.extendedKeyUsage('codeSigning'),
    writer.subjectAlternativeName([{ dns: 'x.example' }, { uri: 'https://x.example' }]), writer.extension('1.3.6.1.4.1.3704.1.4', Buffer.alloc(64, 7)),
  ],
}, writer.ecdsaSha384(keys.privateKey))

/** Cuts, flips, insertions and repetitions, several at once. */
const edits = fc.array(fc.record({
  kind: fc.constantFrom('flip', 'cut', 'insert', 'repeat'), at: fc.nat(), count: fc.nat({ max: 40 }), bytes: fc.uint8Array({ minLength: 1, maxLength: 8 }),
}), { minLength: 1, maxLength: 4 })

function edited(input: Uint8Array, changes: readonly { kind: string; at: number; count: number; bytes: Uint8Array }[]): Buffer {
  return changes.reduce<Buffer>((bytes, { kind, at: position, count, bytes: other }) => {
    const at = bytes.length === 0 ? 0 : position % bytes.length
    const [before, after] = [bytes.subarray(0, at), bytes.subarray(at)]
    switch (kind) {
      case 'flip': return Buffer.concat([before, other.subarray(0, after.length), after.subarray(other.length)])
      case 'cut': return Buffer.concat([before, after.subarray(count)])
      case 'insert': return Buffer.concat([before, other, after])
      default: return Buffer.concat([before, after.subarray(0, count), after])
    }
  }, Buffer.from(input))
}

function orFault(read: () => unknown, ...allowed: readonly (new (...args: never[]) => Error)[]): void {
  try {
    read()
  } catch (error) {
    if (!allowed.some((kind) => error instanceof kind)) throw error
  }
}

function walk(reader: DerReader): void {
  while (!reader.atEnd()) {
    const tag = reader.nextTag
    if (tag !== undefined && (tag & 0x20) !== 0) walk(reader.enter(tag))
    else reader.any()
  }
}

it('any bytes are DER, or a DerError', () => {
  fc.assert(fc.property(fc.uint8Array({ maxLength: 2000 }), (bytes) => orFault(() => walk(new DerReader(bytes)), DerError)), { numRuns })
  fc.assert(fc.property(edits, (changes) => orFault(() => walk(new DerReader(edited(certificate, changes))), DerError)), { numRuns })
})

it('any bytes are a certificate, or a CertificateError; and one that was changed is not signed', () => {
  fc.assert(fc.property(edits, (changes) => {
    const bytes = edited(certificate, changes)
    orFault(() => {
      const parsed = parseCertificate(bytes)
      basicConstraints(parsed)
      keyUsage(parsed)
      extendedKeyUsage(parsed)
      subjectAlternativeNames(parsed)
      publicKeyOf(parsed)
      if (isSignedBy(parsed, keys.publicKey)) expect(Buffer.compare(parsed.tbs, parseCertificate(certificate).tbs)).toBe(0)
    }, CertificateError)
  }), { numRuns })
})

it('any 1184 bytes are a report, or a ReportError', () => {
  fc.assert(fc.property(fc.uint8Array({ minLength: 1180, maxLength: 1188 }), fc.integer({ min: 0, max: 6 }), (bytes, version) => {
    bytes.set([version, 0, 0, 0])
    bytes.set([1, 0, 0, 0], 0x34)
    orFault(() => parseReport(bytes), ReportError)
  }), { numRuns })
})

describe.skipIf(!evidenceIsThere)('a genuine bundle', () => {
  const evidence = evidenceIsThere ? realEvidence('bundle/genoa-router-bundle.json') : Buffer.alloc(0)
  const policy = presetPolicy()
  const now = Date.UTC(2026, 1, 1)
  const { hpkePublicKey, tlsKeyFingerprint, measurement, release } = verifyEvidence(evidence, builtInTrust, policy, now)

  // Nobody here vouches for the rest of the TLS certificate: an edit of that alone may pass.
  it('that is edited is refused by a code, or proves the very same', () => {
    fc.assert(fc.property(edits, (changes) => {
      const bytes = edited(evidence, changes)
      const verdict = verifyEvidence(bytes, builtInTrust, policy, now)
      if (verdict.good) expect(verdict).toMatchObject({ hpkePublicKey, tlsKeyFingerprint, measurement, release })
      else expect(verdict.failure?.code).not.toBe('verifier/internal')
    }), { numRuns: Math.ceil(numRuns / 10) })
  })
})
