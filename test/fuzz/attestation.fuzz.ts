import { generateKeyPairSync } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  basicConstraints,
  CertificateError,
  extendedKeyUsage,
  isSignedBy,
  keyUsage,
  parseCertificate,
  publicKeyOf,
  subjectAlternativeNames,
} from '../../src/verifier/x509/index.ts'
import { verifyEvidence } from '../../src/verifier/index.ts'
import { builtInTrust, evidenceIsThere, presetPolicy, realEvidence } from '../verifier/evidence-folder.ts'
import * as writer from '../../src/sandbox/der/certificate.ts'
import { edited, edits, parserRuns, readOrRefuse } from './hostile-bytes.ts'

const keys = generateKeyPairSync('ec', { namedCurve: 'P-384' })
const name = writer.distinguishedName(['C', 'US'], ['O', 'Fuzz'], ['CN', 'x.example'])
const certificate = writer.certificate(
  {
    serial: 1,
    issuer: name,
    subject: name,
    notBefore: 0,
    notAfter: Date.UTC(2060, 0, 1),
    publicKey: keys.publicKey,
    extensions: [
      writer.basicConstraints(true, 0),
      writer.keyUsage('certificateAndCrlSign'),
      writer.extendedKeyUsage('codeSigning'),
      writer.subjectAlternativeName([{ dns: 'x.example' }, { uri: 'https://x.example' }]),
      writer.extension('1.3.6.1.4.1.3704.1.4', Buffer.alloc(64, 7)),
    ],
  },
  writer.ecdsaSha384(keys.privateKey),
)

it('any bytes are a certificate, or a CertificateError; and one that was changed is not signed', () => {
  fc.assert(
    fc.property(edits, (changes) => {
      const bytes = edited(certificate, changes)
      readOrRefuse(() => {
        const parsed = parseCertificate(bytes)
        basicConstraints(parsed)
        keyUsage(parsed)
        extendedKeyUsage(parsed)
        subjectAlternativeNames(parsed)
        publicKeyOf(parsed)
        if (isSignedBy(parsed, keys.publicKey))
          expect(Buffer.compare(parsed.tbs, parseCertificate(certificate).tbs)).toBe(0)
      }, CertificateError)
    }),
    { numRuns: parserRuns },
  )
})

describe.skipIf(!evidenceIsThere)('a genuine bundle', () => {
  const evidence = evidenceIsThere ? realEvidence('bundle/genoa-router-bundle.json') : Buffer.alloc(0)
  const policy = presetPolicy()
  const now = Date.UTC(2026, 1, 1)
  const { hpkePublicKey, tlsKeyFingerprint, measurement, release } = verifyEvidence(
    evidence,
    builtInTrust,
    policy,
    now,
  )

  // Nothing here vouches for the rest of the TLS certificate, so an edit of only that part may pass.
  it('that is edited is refused by a code, or proves the very same', () => {
    fc.assert(
      fc.property(edits, (changes) => {
        const bytes = edited(evidence, changes)
        const verdict = verifyEvidence(bytes, builtInTrust, policy, now)
        if (verdict.good)
          expect(verdict).toMatchObject({ hpkePublicKey, tlsKeyFingerprint, measurement, release })
        else expect(verdict.failure?.code).not.toBe('verifier/internal')
      }),
      { numRuns: Math.ceil(parserRuns / 50) },
    )
  })
})
