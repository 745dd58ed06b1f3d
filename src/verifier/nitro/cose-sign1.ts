import type { KeyObject } from 'node:crypto'
import { msg } from '../message.ts'
import { CborError, decodeCbor, type CborValue } from '../cbor/index.ts'
import { EvidenceError, type Text } from '../text.ts'
import { isSignature } from '../x509/index.ts'

/** RFC 9052 section 4.2. AWS documents the tag and sends none. */
const COSE_SIGN1_TAG = 18
/** The one canonical encoding of `{1: -35}`: ES384 (RFC 9053 section 2.1), and no other parameter. */
const ES384_HEADER = Buffer.from('a1013822', 'hex')
/** AWS: the payload has 1 to 16384 bytes. r and s of P-384 have 48 each. */
const MAX_PAYLOAD = 16_384
const SIGNATURE_BYTES = 96
/** Payload, signature, header, and the heads of all these. */
export const MAX_SIGNED_BYTES = MAX_PAYLOAD + 256

export type CoseFault = 'malformed' | 'algorithm' | 'unprotected-header'

/** No COSE_Sign1 message that is read here. Its text is what was observed, as the step of the verdict tells it. */
export class CoseError extends EvidenceError {
  override name = 'CoseError'
  readonly fault: CoseFault
  constructor(fault: CoseFault, observed: Text) {
    super(observed)
    this.fault = fault
  }
}

/** A message as its bytes say; nothing of it is authenticated. */
export interface CoseSign1 {
  readonly payload: Uint8Array
  /** r and s, big-endian (RFC 9053 section 2.1). */
  readonly signature: Uint8Array
}

/** Reads a COSE_Sign1 message of ES384 with nothing after it, tagged or not. Throws CoseError. */
export function readCoseSign1(bytes: Uint8Array): CoseSign1 {
  if (bytes.length > MAX_SIGNED_BYTES)
    throw new CoseError('malformed', msg('{count} bytes', { count: bytes.length }))
  const message = decodeMessage(bytes)
  if (!Array.isArray(message) || message.length !== 4)
    throw new CoseError('malformed', msg('no list of four parts'))
  const parts: readonly CborValue[] = message
  const [header, unprotected, payload, signature] = parts
  if (
    !(header instanceof Uint8Array) ||
    !(unprotected instanceof Map) ||
    !(payload instanceof Uint8Array) ||
    !(signature instanceof Uint8Array)
  ) {
    throw new CoseError('malformed', msg('a part of another type'))
  }
  if (Buffer.compare(header, ES384_HEADER) !== 0)
    throw new CoseError(
      'algorithm',
      msg('a signed header of {count} bytes that doesn’t name only ES384', { count: header.length }),
    )
  if (unprotected.size > 0)
    throw new CoseError('unprotected-header', msg('{count} unsigned parameters', { count: unprotected.size }))
  if (payload.length < 1 || payload.length > MAX_PAYLOAD)
    throw new CoseError('malformed', msg('a payload of {count} bytes', { count: payload.length }))
  if (signature.length !== SIGNATURE_BYTES)
    throw new CoseError('malformed', msg('a signature of {count} bytes', { count: signature.length }))
  return { payload, signature }
}

function decodeMessage(bytes: Uint8Array): CborValue {
  try {
    return decodeCbor(bytes, COSE_SIGN1_TAG)
  } catch (error) {
    throw error instanceof CborError ? new CoseError('malformed', error.observed) : error
  }
}

/** Whether the key signed the message. OpenSSL refuses an r or s that is not within 1 and the order of the curve. @param key P-384 */
export function isCoseSignedBy({ payload, signature }: CoseSign1, key: KeyObject): boolean {
  return isSignature('sha384', signatureStructure(payload), { key, dsaEncoding: 'ieee-p1363' }, signature)
}

/** Sig_structure (RFC 9052 section 4.4): `["Signature1", protected header, external data: none, payload]`. */
function signatureStructure(payload: Uint8Array): Buffer {
  return Buffer.concat([
    Buffer.of(0x84, 0x6a),
    Buffer.from('Signature1'),
    Buffer.of(0x40 | ES384_HEADER.length),
    ES384_HEADER,
    Buffer.of(0x40),
    byteStringHead(payload.length),
    payload,
  ])
}

/** @param length at most 65535 */
function byteStringHead(length: number): Buffer {
  if (length < 24) return Buffer.of(0x40 | length)
  return length < 0x100 ? Buffer.of(0x58, length) : Buffer.of(0x59, length >> 8, length & 0xff)
}
