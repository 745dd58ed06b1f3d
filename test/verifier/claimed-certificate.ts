import { createPublicKey, type KeyObject } from 'node:crypto'
import fc from 'fast-check'
import { certificatesFromPem, parseCertificate } from '../../src/verifier/x509/index.ts'
import * as writer from '../../src/sandbox/der/certificate.ts'

/** The names in the TLS certificate of the genuine bundle of January 2026. */
export const hpkeLabels = [
  '00gvsxqh2o46lm7mke34vddi5ol2dxi65vxki2v7dlqdroe.hpke.tinfoil.sh',
  '012fyma6q.hpke.tinfoil.sh',
]
export const documentLabels = [
  '00gnrdsyzugq3ggzbymfsgkn3cgfsdqmbyg42tszlbgu3ta.hatt.tinfoil.sh',
  '01zrvmqytkylfmm2gky3bguzweojqgi4dqy3cguydkzrthb.hatt.tinfoil.sh',
  '02qtgmtfgvsdsni.hatt.tinfoil.sh',
]

export const hostNames = (...others: string[]): Buffer =>
  writer.subjectAlternativeName(['inference.tinfoil.sh', ...others].map((dns) => ({ dns })))

export function keyOf(pem: string): KeyObject {
  const [der = new Uint8Array()] = certificatesFromPem(pem)
  return createPublicKey({
    key: Buffer.from(parseCertificate(der).publicKeyInfo),
    format: 'der',
    type: 'spki',
  })
}

/** A certificate for a key that no authority signed. Anyone can make one, so only its key proves anything. */
export function claimedCertificate(
  publicKey: KeyObject,
  extensions: Buffer[],
  changes: Partial<writer.CertificateFields> & Pick<writer.CertificateFields, 'notBefore' | 'notAfter'>,
): string {
  return writer.pem(
    writer.certificate(
      {
        serial: 1,
        issuer: writer.distinguishedName(['CN', 'nobody']),
        subject: writer.distinguishedName(['CN', 'x']),
        publicKey,
        extensions,
        ...changes,
      },
      { algorithm: writer.ecdsaSha256(publicKey).algorithm, sign: () => Buffer.alloc(70) },
    ),
  )
}

const HOUR = 3_600_000

/** Certificates for the attested key with dates, names and signatures of an attacker's choice, valid at `now` for more than an hour. */
export function wrappers(publicKey: KeyObject, now: number): fc.Arbitrary<string> {
  return fc
    .record({
      before: fc.integer({ min: 1, max: 20_000 }),
      after: fc.integer({ min: 2, max: 20_000 }),
      serial: fc.integer({ min: 1, max: 2 ** 31 }),
      issuer: fc.stringMatching(/^[A-Za-z]{1,20}$/),
      subject: fc.stringMatching(/^[A-Za-z]{1,20}$/),
      labels: fc.shuffledSubarray([...hpkeLabels, ...documentLabels], {
        minLength: hpkeLabels.length + documentLabels.length,
      }),
      extensions: fc.subarray([
        writer.keyUsage('digitalSignature'),
        writer.extendedKeyUsage('serverAuthentication'),
        writer.basicConstraints(false),
      ]),
    })
    .map(({ before, after, serial, issuer, subject, labels, extensions }) =>
      claimedCertificate(publicKey, [hostNames(...labels), ...extensions], {
        serial,
        issuer: writer.distinguishedName(['CN', issuer]),
        subject: writer.distinguishedName(['CN', subject]),
        notBefore: now - before * HOUR,
        notAfter: now + after * HOUR,
      }),
    )
}
