import { crc32, gunzipSync } from 'node:zlib'
import type { AttestationCode } from './codes.ts'
import { msg } from './message.ts'
import {
  hasExactNumbers,
  isJsonObject,
  parseStrictJson,
  type JsonObject,
  type JsonValue,
} from './strict-json.ts'
import type { Platform } from './policy.ts'
import { decodeBase64 } from './base64.ts'
import { readCollateral, type Collateral } from './collateral.ts'
import { AWS_NITRO_ENCLAVE_V1, SEV_SNP_GUEST_V2, TDX_GUEST_V2 } from './measurement.ts'
import { MAX_SIGNED_BYTES } from './nitro/index.ts'
import { parseOnce, parseTextOnce } from './parse-once.ts'
import { REPORT_BYTES } from './sev-snp/index.ts'
import { fail, passed, Steps } from './steps.ts'
import { EvidenceError, type Text } from './text.ts'

/**
 * A genuine bundle has about 17 KiB, or 60 KiB with Intel's collateral. Larger evidence is refused unread.
 */
export const MAX_EVIDENCE_BYTES = 256 * 1024

interface Format {
  readonly platform: Platform
  /**
   * Unpacks like `unpackReport`. AMD and Intel enclaves create their report once and serve it to every
   * client.
   */
  readonly unpack: (body: string) => Uint8Array
}
/**
 * Limits the unpacked size. An AMD report has a fixed length. A quote and a Nitro document carry their
 * certificates.
 */
const unpacking = (maxReport: number) => parseTextOnce((body) => unpackReport(body, maxReport))
const formats: ReadonlyMap<string, Format> = new Map([
  [SEV_SNP_GUEST_V2, { platform: 'sevSnp', unpack: unpacking(REPORT_BYTES) }],
  [TDX_GUEST_V2, { platform: 'tdx', unpack: unpacking(16 * 1024) }],
  [AWS_NITRO_ENCLAVE_V1, { platform: 'nitro', unpack: unpacking(MAX_SIGNED_BYTES) }],
])

function formatOf(platform: Platform): string {
  return [...formats].find(([, format]) => format.platform === platform)?.[0] ?? ''
}

const MAX_FORMAT = 1024
const MAX_VCEK = 16 * 1024
const MAX_CERTIFICATE_PEM = 32 * 1024
const MAX_HOST = 253
const DIGEST = /^[0-9a-f]{64}$/
/** A service has one document at a time, and documents are the largest of the cached inputs. */
const PARSED_DOCUMENTS = 4

/** The members that every bundle has, as the bundle claims them. None of them is authenticated here. */
interface CommonParts {
  readonly domain: string
  readonly format: string
  /** Packed as in the document: base64 of gzip. */
  readonly body: string
  /** Unpacked: an SEV-SNP report, a TDX quote, or a Nitro attestation document. */
  readonly report: Uint8Array
  /** PEM. */
  readonly enclaveCertificate: string
  readonly collateral: Collateral
}

export interface ReleaseParts {
  /** Lowercase hex SHA-256 of the release that the enclave claims to run. */
  readonly digest: string
  readonly sigstoreBundle: JsonValue
}

/**
 * The v2 bundle of a platform. Only AMD's carries the chip's certificate, in DER. For Nitro the policy lists
 * the allowed code, so there is no release.
 */
export type EvidenceDocument = CommonParts &
  (
    | { readonly platform: 'sevSnp'; readonly release: ReleaseParts; readonly vcek: Uint8Array }
    | { readonly platform: 'tdx'; readonly release: ReleaseParts }
    | { readonly platform: 'nitro' }
  )

/**
 * Evidence that is refused while it is read, with the code `evidence/malformed` or `evidence/too-large`.
 * Thrown by `unpackReport`; readDocument fails a step with it.
 */
export class DocumentError extends EvidenceError {
  override name = 'DocumentError'
  readonly code: AttestationCode
  constructor(code: AttestationCode, observed: Text) {
    super(observed)
    this.code = code
  }
}

export interface DocumentInput {
  /** The bundle as received: untrusted. */
  readonly evidence: Uint8Array
  /** The platforms with rules in the policy and a root in the trust set. */
  readonly accepted: readonly Platform[]
}

/**
 * Reads `{domain, enclaveAttestationReport: {format, body}, digest, sigstoreBundle, vcek, enclaveCert,
 * collateral?}`, each part within its own limit. `vcek` is read only with SEV-SNP, `digest` and
 * `sigstoreBundle` only without Nitro. Other members aren't read.
 */
export const documentSteps = Steps.of<DocumentInput>()
  .add({
    id: 'evidence/document',
    title: 'Evidence document has the expected format',
    run({ evidence }) {
      const expected = msg('a JSON document of at most 256 KiB with every part')
      return passed(expected, expected, { read: readOrFail(expected, () => readParts(evidence)) })
    },
  })
  .add({
    id: 'evidence/format',
    title: 'Evidence is from a supported platform',
    run({ read: { format: name, parts }, accepted }) {
      const format = formats.get(name)
      const expected = accepted.map(formatOf).join(', ') || msg('no supported platform')
      if (!format || !parts || !accepted.includes(format.platform))
        return fail('evidence/format-unsupported', expected, name)
      return passed(expected, name, { packed: parts, format })
    },
  })
  .add({
    id: 'evidence/report',
    title: 'Evidence contains an attestation report',
    run({ packed, format }) {
      const expected = msg('gzip of a report, in base64')
      const report = readOrFail(expected, () => format.unpack(packed.body))
      const document: EvidenceDocument = { ...packed, report }
      return passed(expected, expected, { document })
    },
  })

function readOrFail<T>(expected: Text, read: () => T): T {
  try {
    return read()
  } catch (error) {
    if (error instanceof DocumentError) return fail(error.code, expected, error.observed)
    throw error
  }
}

type PackedDocument = EvidenceDocument extends infer Document
  ? Document extends EvidenceDocument
    ? Omit<Document, 'report'>
    : never
  : never

/** The members that a document of its format needs. For an unknown format, only the format is read. */
const readParts = parseOnce((evidence): { format: string; parts?: PackedDocument } => {
  if (evidence.length > MAX_EVIDENCE_BYTES)
    throw new DocumentError('evidence/too-large', msg('{count} bytes', { count: evidence.length }))
  const document = parseObject(evidence)
  const quote = document['enclaveAttestationReport']
  if (!isJsonObject(quote)) throw malformed(msg('no enclaveAttestationReport'))
  const format = textMember(quote, 'format', MAX_FORMAT)
  const common = {
    domain: textMember(document, 'domain', MAX_HOST),
    format,
    body: textMember(quote, 'body', MAX_EVIDENCE_BYTES),
    enclaveCertificate: textMember(document, 'enclaveCert', MAX_CERTIFICATE_PEM),
    collateral: collateralOf(document),
  }
  switch (formats.get(format)?.platform) {
    case 'sevSnp':
      return {
        format,
        parts: { platform: 'sevSnp', ...common, release: releaseOf(document), vcek: vcekOf(document) },
      }
    case 'tdx':
      return { format, parts: { platform: 'tdx', ...common, release: releaseOf(document) } }
    case 'nitro':
      return { format, parts: { platform: 'nitro', ...common } }
    case undefined:
      return { format }
  }
}, PARSED_DOCUMENTS)

function releaseOf(document: JsonObject): ReleaseParts {
  const digest = textMember(document, 'digest', 64)
  if (!DIGEST.test(digest)) throw malformed(msg('a digest that isn’t 64 lowercase hex digits'))
  const { sigstoreBundle } = document
  if (sigstoreBundle === undefined) throw malformed(msg('no sigstoreBundle'))
  return { digest, sigstoreBundle }
}

function vcekOf(document: JsonObject): Uint8Array {
  const vcek = decodeBase64(textMember(document, 'vcek', MAX_VCEK))
  if (!vcek) throw malformed(msg('a vcek that isn’t base64'))
  return vcek
}

function collateralOf({ collateral }: JsonObject): Collateral {
  try {
    return readCollateral(collateral)
  } catch (error) {
    throw malformed(error instanceof EvidenceError ? error.observed : msg('collateral that can’t be read'))
  }
}

function parseObject(evidence: Uint8Array): JsonObject {
  let value: JsonValue
  try {
    value = parseStrictJson(evidence)
  } catch {
    throw malformed(msg('a text that isn’t strict JSON in UTF-8'))
  }
  if (!isJsonObject(value)) throw malformed(msg('JSON that isn’t an object'))
  if (!hasExactNumbers(value)) throw malformed(msg('a number beyond 2^53'))
  return value
}

function textMember(object: JsonObject, name: string, limit: number): string {
  const value = object[name]
  if (typeof value !== 'string') throw malformed(msg('no {name}', { name }))
  if (value.length > limit)
    throw new DocumentError(
      'evidence/too-large',
      msg('{name} of {count} characters', { name, count: value.length }),
    )
  return value
}

/** CRC-32 and length of the unpacked data (RFC 1952 section 2.3.1). */
const GZIP_TRAILER_BYTES = 8

/**
 * Unpacks the body of a v2 document: base64 of a single gzip member with nothing after it. Inflates at most
 * `limit` bytes, and leaves the exact length to the parser of the report.
 *
 * @throws {DocumentError} `evidence/malformed` or `evidence/too-large`
 */
export function unpackReport(body: string, limit: number): Uint8Array {
  // Incompressible data grows by a few bytes in gzip, and by a third in base64.
  if (body.length > 2 * limit + 1024)
    throw new DocumentError('evidence/too-large', msg('a body of {count} characters', { count: body.length }))
  const packed = decodeBase64(body)
  if (!packed) throw malformed(msg('a body that isn’t base64'))
  const report = inflate(packed, limit)
  const trailer = Buffer.alloc(GZIP_TRAILER_BYTES)
  trailer.writeUInt32LE(crc32(report), 0)
  trailer.writeUInt32LE(report.length, 4)
  if (!packed.subarray(-GZIP_TRAILER_BYTES).equals(trailer))
    throw malformed(msg('bytes after the packed report'))
  return report
}

function inflate(packed: Buffer, limit: number): Buffer {
  try {
    return gunzipSync(packed, { maxOutputLength: limit, chunkSize: limit + 1 })
  } catch (error) {
    const tooLarge = error instanceof RangeError && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE'
    throw tooLarge
      ? new DocumentError('evidence/too-large', msg('a body that unpacks to over {limit} bytes', { limit }))
      : malformed(msg('a body that isn’t gzip'))
  }
}

function malformed(observed: Text): DocumentError {
  return new DocumentError('evidence/malformed', observed)
}
