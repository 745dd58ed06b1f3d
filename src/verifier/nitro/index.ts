import { timingSafeEqual, type KeyObject } from 'node:crypto'
import type { AttestationCode } from '../codes.ts'
import { msg } from '../message.ts'
import type { Checklist } from '../checklist.ts'
import { isoTime, type Text } from '../text.ts'
import { CertificateError, parseCertificate, type Certificate } from '../x509/index.ts'
import { verifyIntermediate, verifyLeaf, verifyRoot } from './chain.ts'
import { CoseError, isCoseSignedBy, readCoseSign1, type CoseFault, type CoseSign1 } from './cose-sign1.ts'
import { NitroDocumentError, readNitroDocument, type NitroDocument } from './document.ts'
import type { NitroStep } from './plan.ts'

export { CoseError, MAX_SIGNED_BYTES, readCoseSign1, type CoseSign1 } from './cose-sign1.ts'
export { NitroDocumentError, readNitroDocument, type NitroDocument } from './document.ts'
export { checkDebug, checkImage } from './image.ts'
export { checkKeys } from './keys.ts'
export { nitroKeyPlan, nitroPlan, type NitroKeyStep, type NitroStep } from './plan.ts'

export interface NitroInput {
  /** The COSE_Sign1 message, unpacked. */
  readonly document: Uint8Array
  /** DER of AWS's root. */
  readonly root: Uint8Array
  /** Unix ms. */
  readonly now: number
  /** What the document was asked for with. Without one, a recorded document is as good as a new one. */
  readonly nonce?: Uint8Array | undefined
}

/** An authenticated document, and until when the certificates that authenticate it last (Unix ms). */
export interface NitroEvidence {
  readonly document: NitroDocument
  readonly notAfter: number
}

/**
 * Takes the steps of `nitroPlan` up to `nitro/nonce`: AWS's chain to the machine's certificate, its signature, time and nonce. What passes
 * was signed by AWS's hardware for this request, if a nonce is given. Each failure has its own code `nitro/…`. `checkImage` applies the
 * policy. AWS publishes no revocation list ("We do not use CRL"): the leaf lives three hours instead.
 */
export function authenticateNitroDocument(
  checks: Checklist<NitroStep>,
  { document: bytes, root, now, nonce }: NitroInput,
): NitroEvidence {
  const message = takeMessage(checks, bytes)
  const document = takeDocument(checks, message)
  const { key, notBefore, notAfter } = checkChain(checks, document, root)
  const { timestamp } = document
  const period = { from: isoTime(notBefore), to: isoTime(notAfter) }
  checks.record(
    'nitro/chain-validity',
    notBefore <= timestamp && timestamp <= notAfter ? undefined : 'nitro/certificate-not-valid-then',
    msg('valid at {time}', { time: isoTime(timestamp) }),
    msg('from {from} to {to}', period),
  )
  const signed = isCoseSignedBy(message, key)
  checks.record(
    'nitro/signature',
    signed ? undefined : 'nitro/signature-invalid',
    msg('a signature by the certified key'),
    signed ? msg('a signature by the certified key') : msg('an invalid signature'),
  )
  checks.record(
    'nitro/time',
    timeFault(timestamp, notAfter, now),
    msg('created by {time} and still valid', { time: isoTime(now) }),
    msg('created at {time}, valid from {from} to {to}', { time: isoTime(timestamp), ...period }),
  )
  checkNonce(checks, document.nonce, nonce)
  return { document, notAfter }
}

const messageCodes: Record<CoseFault, AttestationCode> = {
  malformed: 'nitro/malformed',
  algorithm: 'nitro/algorithm',
  'unprotected-header': 'nitro/unprotected-header',
}

function takeMessage(checks: Checklist<NitroStep>, bytes: Uint8Array): CoseSign1 {
  const expected = msg('a COSE_Sign1 message of ES384 with no unsigned header')
  try {
    const message = readCoseSign1(bytes)
    checks.pass('nitro/message', expected, expected)
    return message
  } catch (error) {
    if (error instanceof CoseError)
      checks.fail('nitro/message', messageCodes[error.fault], expected, error.observed)
    throw error
  }
}

function takeDocument(checks: Checklist<NitroStep>, { payload }: CoseSign1): NitroDocument {
  const expected = msg('the members that AWS specifies, each within its limits')
  try {
    const document = readNitroDocument(payload)
    checks.pass('nitro/document', expected, msg('of {moduleId}', { moduleId: document.moduleId }))
    return document
  } catch (error) {
    if (error instanceof NitroDocumentError)
      checks.fail(
        'nitro/document',
        error.fault === 'digest' ? 'nitro/digest-unsupported' : 'nitro/document-malformed',
        expected,
        error.observed,
      )
    throw error
  }
}

/** Returns the key that signs, and the time that all certificates have in common (Unix ms). */
function checkChain(
  checks: Checklist<NitroStep>,
  document: NitroDocument,
  root: Uint8Array,
): { key: KeyObject; notBefore: number; notAfter: number } {
  const [first, ...others] = document.issuers
  // The root is taken from the trust set and not from the document, which has to say the same.
  const trusted = msg('AWS’s root, byte for byte')
  if (!first || Buffer.compare(first, root) !== 0)
    return checks.fail('nitro/root', 'nitro/root-mismatch', trusted, msg('another certificate'))
  const anchor = parseOrFail(checks, 'nitro/root', 'nitro/root-invalid', trusted, root)
  const judged = verifyRoot(anchor, others.length)
  if ('fault' in judged) return checks.fail('nitro/root', 'nitro/root-invalid', trusted, judged.fault)
  checks.pass('nitro/root', trusted, trusted)

  const issued = msg('each certificate issued by the one before it')
  // All are parsed before the first signature is verified: what is malformed costs nothing more.
  const authorities = others.map((der) =>
    parseOrFail(checks, 'nitro/chain', 'nitro/certificate-malformed', issued, der),
  )
  const leaf = parseOrFail(checks, 'nitro/chain', 'nitro/certificate-malformed', issued, document.certificate)
  let issuer = judged
  for (const [index, authority] of authorities.entries()) {
    const link = verifyIntermediate(authority, issuer, authorities.length - 1 - index)
    if ('fault' in link) return checks.fail('nitro/chain', 'nitro/chain-invalid', issued, link.fault)
    issuer = link
  }
  const machine = verifyLeaf(leaf, issuer)
  if ('fault' in machine) return checks.fail('nitro/chain', 'nitro/chain-invalid', issued, machine.fault)
  checks.pass('nitro/chain', issued, msg('{count} certificates', { count: authorities.length + 2 }))
  const chain = [anchor, ...authorities, leaf]
  return {
    key: machine.key,
    notBefore: Math.max(...chain.map((certificate) => certificate.notBefore)),
    notAfter: Math.min(...chain.map((certificate) => certificate.notAfter)),
  }
}

function parseOrFail(
  checks: Checklist<NitroStep>,
  step: NitroStep,
  code: AttestationCode,
  expected: Text,
  der: Uint8Array,
): Certificate {
  try {
    return parseCertificate(der)
  } catch (error) {
    if (error instanceof CertificateError) checks.fail(step, code, expected, error.observed)
    throw error
  }
}

/** By how much this machine's clock may be behind: an answer to a nonce is made after the question, so most are seconds old or less. */
const CLOCK_SKEW_MS = 5 * 60_000

/** A verdict on now needs a document of now: it may be as old as the certificates that vouch for it allow, which AWS issues for three hours. */
function timeFault(timestamp: number, notAfter: number, now: number): AttestationCode | undefined {
  if (timestamp > now + CLOCK_SKEW_MS) return 'nitro/in-future'
  return now <= notAfter ? undefined : 'nitro/expired'
}

function checkNonce(
  checks: Checklist<NitroStep>,
  stated: Uint8Array | undefined,
  asked: Uint8Array | undefined,
): void {
  if (!asked)
    return checks.notChecked(
      'nitro/nonce',
      msg('a document created for this request'),
      msg('no request was sent, so the document may be a replay'),
    )
  const expected = msg('the nonce of this request')
  if (!stated) checks.fail('nitro/nonce', 'nitro/nonce-missing', expected, msg('no nonce'))
  const same = stated.length === asked.length && timingSafeEqual(stated, asked)
  checks.record(
    'nitro/nonce',
    same ? undefined : 'nitro/nonce-mismatch',
    expected,
    same ? expected : msg('another nonce'),
  )
}
