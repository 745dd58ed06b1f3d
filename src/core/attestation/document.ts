import { crc32, gunzipSync } from 'node:zlib'
import type { AttestationCode } from '../../shared/attestation-codes.ts'
import { isJsonObject, parseStrictJson, type JsonObject, type JsonValue } from '../../shared/strict-json.ts'
import { decodeBase64 } from './base64.ts'
import type { Checklist, PlannedStep } from './checklist.ts'
import { REPORT_BYTES } from './sev-snp/index.ts'

/** A genuine bundle has about 17 KiB. More than this is not looked at. */
export const MAX_EVIDENCE_BYTES = 256 * 1024

export const SEV_SNP_GUEST_V2 = 'https://tinfoil.sh/predicate/sev-snp-guest/v2'

const MAX_FORMAT = 1024
/** A report that does not compress at all stays below this, in base64. */
const MAX_BODY = 4 * 1024
const MAX_VCEK = 16 * 1024
const MAX_CERTIFICATE_PEM = 32 * 1024
const MAX_HOST = 253
const DIGEST = /^[0-9a-f]{64}$/

export const documentPlan = [
  { id: 'evidence/document', title: 'The evidence is a document of the expected form' },
  { id: 'evidence/format', title: 'The evidence is of a platform that is verified here' },
  { id: 'evidence/report', title: 'The evidence contains an attestation report' },
] as const satisfies readonly PlannedStep[]

type DocumentStep = (typeof documentPlan)[number]['id']

/** The v2 bundle as its bytes say; nothing of it is authenticated. */
export interface EvidenceDocument {
  readonly domain: string
  readonly format: string
  /** As it stands in the document: base64 of gzip. */
  readonly body: string
  /** Unpacked. */
  readonly report: Uint8Array
  /** Lowercase hex SHA-256 of the release that the enclave is said to run. */
  readonly digest: string
  readonly sigstoreBundle: JsonValue
  /** DER of the chip's certificate. */
  readonly vcek: Uint8Array
  /** PEM. */
  readonly enclaveCertificate: string
}

/** Why evidence is refused while it is read. Thrown inside this folder, and by `unpackReport`. */
export class DocumentError extends Error {
  override name = 'DocumentError'
  readonly code: AttestationCode
  constructor(code: AttestationCode, observed: string) {
    super(observed)
    this.code = code
  }
}

/**
 * Reads `{domain, enclaveAttestationReport: {format, body}, digest, sigstoreBundle, vcek, enclaveCert}`, each part within a limit of its own.
 * Members beside these are not read. Ends at the first failure.
 */
export function readDocument(checks: Checklist<DocumentStep>, evidence: Uint8Array): EvidenceDocument {
  const document = attempt(checks, 'evidence/document', 'a JSON document of at most 256 KiB with every part', () => readParts(evidence))
  checks.record('evidence/format', document.format === SEV_SNP_GUEST_V2 ? undefined : 'evidence/format-unsupported', SEV_SNP_GUEST_V2, document.format)
  const report = attempt(checks, 'evidence/report', 'gzip of a report, in base64', () => unpackReport(document.body))
  return { ...document, report }
}

function attempt<T>(checks: Checklist<DocumentStep>, step: DocumentStep, expected: string, read: () => T): T {
  try {
    const value = read()
    checks.pass(step, expected, expected)
    return value
  } catch (error) {
    if (error instanceof DocumentError) checks.fail(step, error.code, expected, error.message)
    throw error
  }
}

function readParts(evidence: Uint8Array): Omit<EvidenceDocument, 'report'> {
  if (evidence.length > MAX_EVIDENCE_BYTES) throw new DocumentError('evidence/too-large', `${evidence.length} bytes`)
  const document = parseObject(evidence)
  const quote = document['enclaveAttestationReport']
  const digest = textMember(document, 'digest', 64)
  const vcek = decodeBase64(textMember(document, 'vcek', MAX_VCEK))
  if (!isJsonObject(quote)) throw malformed('no enclaveAttestationReport')
  if (!DIGEST.test(digest)) throw malformed('a digest that is not 64 lowercase hex digits')
  if (!vcek) throw malformed('a vcek that is not base64')
  const { sigstoreBundle } = document
  if (sigstoreBundle === undefined) throw malformed('no sigstoreBundle')
  return {
    domain: textMember(document, 'domain', MAX_HOST),
    format: textMember(quote, 'format', MAX_FORMAT),
    body: textMember(quote, 'body', MAX_EVIDENCE_BYTES),
    digest,
    sigstoreBundle,
    vcek,
    enclaveCertificate: textMember(document, 'enclaveCert', MAX_CERTIFICATE_PEM),
  }
}

/** A byte order mark is no JSON, and bytes that are not UTF-8 are not replaced. */
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

function parseObject(evidence: Uint8Array): JsonObject {
  let value: JsonValue
  try {
    value = parseStrictJson(utf8.decode(evidence))
  } catch {
    throw malformed('a text that is not strict JSON in UTF-8')
  }
  if (!isJsonObject(value)) throw malformed('JSON that is no object')
  return value
}

function textMember(object: JsonObject, name: string, limit: number): string {
  const value = object[name]
  if (typeof value !== 'string') throw malformed(`no ${name}`)
  if (value.length > limit) throw new DocumentError('evidence/too-large', `${name} of ${value.length} characters`)
  return value
}

/** CRC-32 and length of what was packed (RFC 1952 section 2.3.1). */
const GZIP_TRAILER_BYTES = 8

/**
 * Unpacks the body of a v2 document: base64 of one gzip member with nothing after it. Inflates no further than the length of a report.
 * Throws DocumentError `evidence/malformed` or `evidence/too-large`. The length of what comes out is the report's own matter.
 */
export function unpackReport(body: string): Uint8Array {
  if (body.length > MAX_BODY) throw new DocumentError('evidence/too-large', `a body of ${body.length} characters`)
  const packed = decodeBase64(body)
  if (!packed) throw malformed('a body that is not base64')
  const report = inflate(packed)
  const trailer = Buffer.alloc(GZIP_TRAILER_BYTES)
  trailer.writeUInt32LE(crc32(report), 0)
  trailer.writeUInt32LE(report.length, 4)
  if (!packed.subarray(-GZIP_TRAILER_BYTES).equals(trailer)) throw malformed('bytes after the packed report')
  return report
}

function inflate(packed: Buffer): Buffer {
  try {
    return gunzipSync(packed, { maxOutputLength: REPORT_BYTES })
  } catch (error) {
    const tooLarge = error instanceof RangeError && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE'
    throw tooLarge ? new DocumentError('evidence/too-large', `a body that unpacks to over ${REPORT_BYTES} bytes`) : malformed('a body that is not gzip')
  }
}

function malformed(observed: string): DocumentError {
  return new DocumentError('evidence/malformed', observed)
}
