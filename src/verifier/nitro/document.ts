import { msg } from '../message.ts'
import { CborError, decodeCbor, type CborMap, type CborValue } from '../cbor/index.ts'
import { EvidenceError, type Text } from '../text.ts'

/**
 * The statements of an enclave's hypervisor, as the document claims them. None of them is authenticated here.
 */
export interface NitroDocument {
  readonly moduleId: string
  /** Unix ms. */
  readonly timestamp: number
  /** Platform configuration registers by index, each of 32, 48 or 64 bytes. */
  readonly pcrs: ReadonlyMap<number, Uint8Array>
  /** DER certificates: of the signing key, and of its issuers from the root down. */
  readonly certificate: Uint8Array
  readonly issuers: readonly Uint8Array[]
  /** Data that the enclave supplied for the signed document. */
  readonly publicKey?: Uint8Array
  readonly userData?: Uint8Array
  readonly nonce?: Uint8Array
}

/**
 * A document that breaks AWS's rules. Its text is the observed value; for `digest`, the algorithm's name
 * unchanged. An attacker controls that text until a checklist makes it legible.
 */
export class NitroDocumentError extends EvidenceError {
  override name = 'NitroDocumentError'
  readonly fault: 'malformed' | 'digest'
  constructor(fault: 'malformed' | 'digest', observed: Text) {
    super(observed)
    this.fault = fault
  }
}

/** AWS, "Nitro Enclaves Attestation Process", sections 2.2 and 3.2.2. */
const MEMBERS = new Set<number | string>([
  'module_id',
  'digest',
  'timestamp',
  'pcrs',
  'certificate',
  'cabundle',
  'public_key',
  'user_data',
  'nonce',
])
const DIGEST = 'SHA384'
const MAX_PCRS = 32
const PCR_BYTES = [32, 48, 64]
const MAX_CERTIFICATE = 1024
const MAX_PUBLIC_KEY = 1024
const MAX_USER_DATA = 512
/**
 * AWS states no limit. Its chains have four certificates above the leaf, and each costs a signature check.
 */
const MAX_ISSUERS = 8

/**
 * Reads the payload of an attestation document: every member that AWS defines, and no other. Throws
 * NitroDocumentError.
 */
export function readNitroDocument(payload: Uint8Array): NitroDocument {
  const map = decodeMap(payload)
  for (const member of map.keys())
    if (!MEMBERS.has(member)) throw malformed(msg('the unknown member {member}', { member: String(member) }))
  const digest = map.get('digest')
  if (typeof digest !== 'string') throw malformed(msg('no digest'))
  if (digest !== DIGEST) throw new NitroDocumentError('digest', digest)
  const publicKey = optionalBytes(map, 'public_key', 1, MAX_PUBLIC_KEY)
  const userData = optionalBytes(map, 'user_data', 0, MAX_USER_DATA)
  const nonce = optionalBytes(map, 'nonce', 0, MAX_USER_DATA)
  return {
    moduleId: readModuleId(map),
    timestamp: readTimestamp(map),
    pcrs: readPcrs(map),
    certificate: bytesWithin(map.get('certificate'), 'certificate', 1, MAX_CERTIFICATE),
    issuers: readIssuers(map),
    ...(publicKey && { publicKey }),
    ...(userData && { userData }),
    ...(nonce && { nonce }),
  }
}

function decodeMap(payload: Uint8Array): CborMap {
  let value: CborValue
  try {
    value = decodeCbor(payload)
  } catch (error) {
    throw error instanceof CborError ? malformed(error.observed) : error
  }
  if (!(value instanceof Map)) throw malformed(msg('no map'))
  return value
}

function readModuleId(map: CborMap): string {
  const id = map.get('module_id')
  if (typeof id !== 'string' || id === '') throw malformed(msg('no module_id'))
  return id
}

function readTimestamp(map: CborMap): number {
  const timestamp = map.get('timestamp')
  if (typeof timestamp !== 'number' || timestamp <= 0) throw malformed(msg('no timestamp'))
  return timestamp
}

function readPcrs(map: CborMap): ReadonlyMap<number, Uint8Array> {
  const stated = map.get('pcrs')
  if (!(stated instanceof Map) || stated.size < 1 || stated.size > MAX_PCRS)
    throw malformed(msg('no map of 1 to 32 pcrs'))
  const pcrs = new Map<number, Uint8Array>()
  for (const [index, value] of stated) {
    if (typeof index !== 'number' || index < 0 || index >= MAX_PCRS)
      throw malformed(msg('a pcr without an index from 0 to 31'))
    if (!(value instanceof Uint8Array) || !PCR_BYTES.includes(value.length))
      throw malformed(msg('a pcr{index} that doesn’t have 32, 48 or 64 bytes', { index }))
    pcrs.set(index, value)
  }
  return pcrs
}

function readIssuers(map: CborMap): readonly Uint8Array[] {
  const bundle = map.get('cabundle')
  if (!Array.isArray(bundle) || bundle.length < 1 || bundle.length > MAX_ISSUERS)
    throw malformed(msg('no cabundle of 1 to {most} certificates', { most: MAX_ISSUERS }))
  const items: readonly CborValue[] = bundle
  return items.map((item) => bytesWithin(item, 'cabundle', 1, MAX_CERTIFICATE))
}

function bytesWithin(value: CborValue | undefined, name: string, least: number, most: number): Uint8Array {
  if (!(value instanceof Uint8Array)) throw malformed(msg('no {name} in bytes', { name }))
  if (value.length < least || value.length > most)
    throw malformed(msg('a {name} of {count} bytes', { name, count: value.length }))
  return value
}

/** The hypervisor writes null if the enclave supplied nothing. */
function optionalBytes(map: CborMap, name: string, least: number, most: number): Uint8Array | undefined {
  const value = map.get(name)
  return value === undefined || value === null ? undefined : bytesWithin(value, name, least, most)
}

function malformed(observed: Text): NitroDocumentError {
  return new NitroDocumentError('malformed', observed)
}
