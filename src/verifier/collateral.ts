import { MAX_REVOCATION_LIST_BYTES } from './contract.ts'
import { msg } from './message.ts'
import { isJsonObject, type JsonObject, type JsonValue } from './strict-json.ts'
import { bytesIn, matchIn, MemberError, objectIn, objectsIn, textIn, textOf } from './json-members.ts'
import { EvidenceError } from './text.ts'

/**
 * Vendor-signed data that the verifier needs in addition to the evidence. Anyone can supply it, and this
 * module authenticates none of it.
 */
export interface Collateral {
  /** Recorded responses of Intel's own service. */
  readonly intelPcs?: readonly PcsResponse[]
  /** DER of AMD's revocation list. */
  readonly amdCrl?: Uint8Array
  /** The signed list of virtual hardware that a trust domain may start on. */
  readonly hardwareStatement?: HardwareStatement
}

export interface PcsResponse {
  readonly url: string
  /** By lowercase name. Only the first of several values counts. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array
}

export interface HardwareStatement {
  /** `owner/name` and tag, as the bundle claims them. The signature decides. */
  readonly repository: string
  readonly tag: string
  /** Lowercase hex SHA-256 of the file that the statement is about. */
  readonly digest: string
  readonly sigstoreBundle: JsonValue
}

const FORMATS = 'https://tinfoil.sh/collateral/'
const KIB = 1024
const MAX_ENTRIES = 16
const MAX_RESPONSES = 16
const MAX_HEADERS = 64
const ROLE = /^(?:endorsement|reference-values)$/
const DIGEST = /^[0-9a-f]{64}$/

const readers: Readonly<Record<string, (data: JsonObject) => Collateral>> = {
  'intel-pcs/v1': (data) => ({ intelPcs: objectsIn(data, 'responses', MAX_RESPONSES).map(readResponse) }),
  'amd-crl/v1': (data) => ({ amdCrl: bytesIn(data, 'crl_der_base64', MAX_REVOCATION_LIST_BYTES) }),
  'sigstore-platform/v1': (data) => ({ hardwareStatement: readHardwareStatement(data) }),
}

function readHardwareStatement(data: JsonObject): HardwareStatement {
  const { sigstore_bundle: sigstoreBundle } = data
  // A step of the verdict checks the form of the bundle.
  if (sigstoreBundle === undefined) throw new MemberError('sigstore_bundle')
  return {
    repository: textIn(data, 'repo', 256),
    tag: textIn(data, 'tag', 256),
    digest: matchIn(data, 'digest', DIGEST),
    sigstoreBundle,
  }
}

function readResponse(response: JsonObject): PcsResponse {
  return {
    url: textIn(response, 'url', 2 * KIB),
    headers: readHeaders(objectIn(response, 'headers')),
    body: bytesIn(response, 'body_base64', 160 * KIB),
  }
}

/** Each value is a text, or a list of up to four texts of which the first counts. */
function readHeaders(headers: JsonObject): Record<string, string> {
  const lowered = new Map<string, string>()
  for (const [name, value] of Object.entries(headers)) {
    const [first, ...more] = Array.isArray(value) ? value : [value]
    for (const text of more) textOf(text, name, Infinity)
    const lower = name.toLowerCase()
    // RFC 9110 section 5.1: header names are case-insensitive, so two spellings are the same name.
    if (lowered.has(lower) || lowered.size === MAX_HEADERS || name.length > 128 || more.length > 3)
      throw new MemberError('header')
    lowered.set(lower, textOf(first, 'header', 16 * KIB))
  }
  return Object.fromEntries(lowered)
}

interface Entry {
  readonly id: string
  readonly format: string
  readonly data: JsonValue
}

function readEntry(entry: JsonObject): Entry {
  matchIn(entry, 'role', ROLE)
  const { data } = entry
  const id = textIn(entry, 'id', 128)
  if (data === undefined || id === '') throw new MemberError('data')
  return { id, format: textIn(entry, 'format', KIB), data }
}

/**
 * Reads `[{id, role, format, data}]`. Skips unknown formats: a step that needs such an entry fails because it
 * is missing. A repeated id or a repeated known format is refused, because two readers could disagree about
 * which entry counts.
 *
 * @throws {EvidenceError} if the collateral doesn't have this form
 */
export function readCollateral(json: JsonValue | undefined): Collateral {
  if (json === undefined) return {}
  const seen = new Set<string>()
  let collateral: Collateral = {}
  for (const { id, format, data } of readEntries(json)) {
    const name = format.startsWith(FORMATS) ? format.slice(FORMATS.length) : ''
    const read = Object.hasOwn(readers, name) ? readers[name] : undefined
    for (const mark of [`id ${id}`, ...(read ? [`format ${name}`] : [])]) {
      if (seen.has(mark)) throw new EvidenceError(msg('two pieces of collateral of {mark}', { mark }))
      seen.add(mark)
    }
    if (read) collateral = { ...collateral, ...readOrRefuse(read, data, id) }
  }
  return collateral
}

function readEntries(json: JsonValue): Entry[] {
  try {
    return objectsIn({ collateral: json }, 'collateral', MAX_ENTRIES).map(readEntry)
  } catch {
    throw new EvidenceError(msg('collateral that isn’t a list'))
  }
}

function readOrRefuse(read: (data: JsonObject) => Collateral, data: JsonValue, id: string): Collateral {
  try {
    if (isJsonObject(data)) return read(data)
  } catch {
    // As any other form.
  }
  throw new EvidenceError(msg('collateral {id} in an unexpected format', { id }))
}
