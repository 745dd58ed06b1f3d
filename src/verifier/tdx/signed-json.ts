import type { KeyObject } from 'node:crypto'
import { parseStrictJson, type JsonValue } from '../strict-json.ts'
import { isSignature } from '../x509/index.ts'

/** A statement by Intel, and its signature. */
export interface SignedJson {
  /** The exact bytes that are signed. */
  readonly statement: Uint8Array
  /** r and s. */
  readonly signature: Uint8Array
}

const SIGNATURE_HEX = 128
/** The end of every response, after the statement. */
const ENDING = /^,"signature":"([0-9a-f]{128})"\}[ \t\r\n]*$/
const SIGNATURE_MEMBER = ',"signature":"'
const MAX_WHITE_SPACE = 16

/**
 * Splits `{"<member>":<statement>,"signature":"<hex>"}` by its bytes, without a JSON parser: a fixed
 * beginning, the statement, a fixed ending. Returns undefined for any other form.
 *
 * The signature is checked over the statement's bytes, and only they are parsed afterwards, as a single JSON
 * value. So two readers can't disagree about where the statement begins or ends. A JSON parser would accept
 * other texts: members in another order, a second member of the name, white space between them. Such a text
 * isn't of this form, or the bytes in between aren't a single JSON value.
 */
export function splitSignedJson(
  body: Uint8Array,
  member: 'tcbInfo' | 'enclaveIdentity',
): SignedJson | undefined {
  const beginning = Buffer.from(`{"${member}":`)
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength)
  if (!bytes.subarray(0, beginning.length).equals(beginning)) return undefined
  const from = bytes.lastIndexOf(SIGNATURE_MEMBER)
  const ending = SIGNATURE_MEMBER.length + SIGNATURE_HEX + '"}'.length
  if (from < beginning.length || bytes.length - from > ending + MAX_WHITE_SPACE) return undefined
  const hex = ENDING.exec(bytes.toString('latin1', from))?.[1]
  if (hex === undefined) return undefined
  return { statement: bytes.subarray(beginning.length, from), signature: Buffer.from(hex, 'hex') }
}

/** Verifies ECDSA with SHA-256 over the exact bytes of the statement. @param key P-256 */
export function isStatementSignedBy({ statement, signature }: SignedJson, key: KeyObject): boolean {
  return isSignature('sha256', statement, { key, dsaEncoding: 'ieee-p1363' }, signature)
}

/**
 * Reads a statement as a single JSON value in which no object names a member twice. Returns undefined if
 * `read` refuses it.
 */
export function readStatement<T>(
  { statement }: Pick<SignedJson, 'statement'>,
  read: (value: JsonValue) => T,
): T | undefined {
  try {
    return read(parseStrictJson(statement))
  } catch {
    return undefined
  }
}
