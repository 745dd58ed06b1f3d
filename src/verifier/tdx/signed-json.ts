import { verify, type KeyObject } from 'node:crypto'
import { parseStrictJson, type JsonValue } from '../strict-json.ts'

/** A statement of Intel's and its signature. */
export interface SignedJson {
  /** The very bytes that are signed. */
  readonly statement: Uint8Array
  /** r and s. */
  readonly signature: Uint8Array
}

const SIGNATURE_HEX = 128
/** What ends every answer, after the statement. */
const ENDING = /^,"signature":"([0-9a-f]{128})"\}[ \t\r\n]*$/
const SIGNATURE_MEMBER = ',"signature":"'
const MAX_WHITE_SPACE = 16

/**
 * Takes `{"<member>":<statement>,"signature":"<hex>"}` apart, in bytes and without a JSON parser: a fixed beginning, a fixed ending, and
 * what stands between them is the statement. Those bytes are what the signature is checked over, and those alone are parsed afterwards,
 * as one JSON value. So no two readings can disagree about where the statement begins or ends: text that a parser of the whole would have
 * read otherwise (members in another order, a second member of the name, white space between them) is not of this form, or leaves bytes
 * between beginning and ending that are not one JSON value. Undefined where the form is another.
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

/** ECDSA with SHA-256 over the very bytes of the statement; false for a signature that cannot be read. @param key P-256 */
export function isStatementSignedBy({ statement, signature }: SignedJson, key: KeyObject): boolean {
  try {
    return verify('sha256', statement, { key, dsaEncoding: 'ieee-p1363' }, signature)
  } catch {
    return false
  }
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** Reads a statement as the one JSON value that its bytes hold, in which no object names a member twice. Undefined where `read` does not take it. */
export function readStatement<T>(
  { statement }: Pick<SignedJson, 'statement'>,
  read: (value: JsonValue) => T,
): T | undefined {
  try {
    return read(parseStrictJson(utf8.decode(statement)))
  } catch {
    return undefined
  }
}
