import { timingSafeEqual } from 'node:crypto'
import type { AttestationCode } from '../codes.ts'
import { msg } from '../message.ts'
import { fail, notChecked, passed, passUnless, type Finding } from '../steps.ts'
import type { Text } from '../text.ts'
import { CertificateError, parseCertificate, type Certificate, type CertifiedKey } from '../x509/index.ts'
import { verifyIntermediate, verifyLeaf, verifyRoot } from './chain.ts'
import { CoseError, readCoseSign1, type CoseFault, type CoseSign1 } from './cose-sign1.ts'
import { NitroDocumentError, readNitroDocument, type NitroDocument } from './document.ts'

const messageCodes: Record<CoseFault, AttestationCode> = {
  malformed: 'nitro/malformed',
  algorithm: 'nitro/algorithm',
  'unprotected-header': 'nitro/unprotected-header',
}

/** Parses the COSE_Sign1 message, whose bytes are hostile. Each fault has its own code `nitro/…`. */
export function readMessage(bytes: Uint8Array): Finding<{ readonly message: CoseSign1 }> {
  const expected = msg('a COSE_Sign1 message of ES384 with no unsigned header')
  try {
    return passed(expected, expected, { message: readCoseSign1(bytes) })
  } catch (error) {
    if (error instanceof CoseError) return fail(messageCodes[error.fault], expected, error.observed)
    throw error
  }
}

/** Nothing in the document is authenticated yet. */
export function readContent({ payload }: CoseSign1): Finding<{ readonly parsed: NitroDocument }> {
  const expected = msg('the members that AWS specifies, each within its limits')
  try {
    const parsed = readNitroDocument(payload)
    return passed(expected, msg('of {moduleId}', { moduleId: parsed.moduleId }), { parsed })
  } catch (error) {
    if (error instanceof NitroDocumentError)
      return fail(
        error.fault === 'digest' ? 'nitro/digest-unsupported' : 'nitro/document-malformed',
        expected,
        error.observed,
      )
    throw error
  }
}

/** The root is that of the trust set. The document must contain the same. */
export function checkRoot(
  { issuers: [first, ...others] }: NitroDocument,
  root: Uint8Array,
): Finding<{ readonly anchor: CertifiedKey }> {
  const trusted = msg('AWS’s root, byte for byte')
  if (!first || Buffer.compare(first, root) !== 0)
    return fail('nitro/root-mismatch', trusted, msg('another certificate'))
  const anchor = verifyRoot(parseOrFail('nitro/root-invalid', trusted, root), others.length)
  if ('fault' in anchor) return fail('nitro/root-invalid', trusted, anchor.fault)
  return passed(trusted, trusted, { anchor })
}

export interface NitroChain {
  /** Signs the document. */
  readonly key: CertifiedKey['key']
  /** The time that all certificates have in common (Unix ms). */
  readonly notBefore: number
  readonly notAfter: number
}

/** Verifies each certificate from the root to the machine. Fails with `nitro/certificate-malformed` or `nitro/chain-invalid`. */
export function checkChain(
  { issuers: [, ...others], certificate }: NitroDocument,
  anchor: CertifiedKey,
): Finding<{ readonly chain: NitroChain }> {
  const issued = msg('each certificate issued by the one before it')
  // All are parsed before the first signature is verified: a malformed one costs nothing more.
  const authorities = others.map((der) => parseOrFail('nitro/certificate-malformed', issued, der))
  const leaf = parseOrFail('nitro/certificate-malformed', issued, certificate)
  let issuer = anchor
  for (const [index, authority] of authorities.entries()) {
    const link = verifyIntermediate(authority, issuer, authorities.length - 1 - index)
    if ('fault' in link) return fail('nitro/chain-invalid', issued, link.fault)
    issuer = link
  }
  const machine = verifyLeaf(leaf, issuer)
  if ('fault' in machine) return fail('nitro/chain-invalid', issued, machine.fault)
  const certificates = [anchor.certificate, ...authorities, leaf]
  return passed(issued, msg('{count} certificates', { count: authorities.length + 2 }), {
    chain: {
      key: machine.key,
      notBefore: Math.max(...certificates.map(({ notBefore }) => notBefore)),
      notAfter: Math.min(...certificates.map(({ notAfter }) => notAfter)),
    },
  })
}

function parseOrFail(code: AttestationCode, expected: Text, der: Uint8Array): Certificate {
  try {
    return parseCertificate(der)
  } catch (error) {
    if (error instanceof CertificateError) return fail(code, expected, error.observed)
    throw error
  }
}

/** How far this machine's clock may be behind. The document is created after the nonce, so most are seconds old or less. */
const CLOCK_SKEW_MS = 5 * 60_000

/** The document may be as old as its certificates allow, which AWS issues for three hours. */
export function timeFault(timestamp: number, notAfter: number, now: number): AttestationCode | undefined {
  if (timestamp > now + CLOCK_SKEW_MS) return 'nitro/in-future'
  return now <= notAfter ? undefined : 'nitro/expired'
}

/** Compares the nonces. Fails with `nitro/nonce-missing` or `nitro/nonce-mismatch`, and isn’t checked if none was sent. */
export function checkNonce(stated: Uint8Array | undefined, sent: Uint8Array | undefined): Finding {
  if (!sent)
    return notChecked(
      msg('a document created for this request'),
      msg('no request was sent, so the document may be a replay'),
    )
  const expected = msg('the nonce of this request')
  if (!stated) return fail('nitro/nonce-missing', expected, msg('no nonce'))
  const same = stated.length === sent.length && timingSafeEqual(stated, sent)
  return passUnless(
    same ? undefined : 'nitro/nonce-mismatch',
    expected,
    same ? expected : msg('another nonce'),
  )
}
