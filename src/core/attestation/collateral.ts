import { z } from 'zod'
import type { JsonValue } from '../../shared/strict-json.ts'
import { decodeBase64 } from './base64.ts'

/** What comes with the evidence so that it can be judged: signed by its makers, brought by anybody. Nothing of it is authenticated here. */
export interface Collateral {
  /** Intel's own answers, replayed. */
  readonly intelPcs?: readonly PcsResponse[]
  /** DER of AMD's revocation list. */
  readonly amdCrl?: Uint8Array
  /** The signed list of virtual hardware that a trust domain may start on. */
  readonly hardwareStatement?: HardwareStatement
}

export interface PcsResponse {
  readonly url: string
  /** By lowercase name; of several values, the first. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array
}

export interface HardwareStatement {
  /** What the bundle says of it, `owner/name` and tag; the signature decides. */
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

const base64 = (limit: number) => z.string().max(Math.ceil(limit / 3) * 4).transform((text, context) => {
  const bytes = decodeBase64(text)
  if (bytes) return bytes
  context.addIssue('not base64')
  return z.NEVER
})

const entryForm = z.object({
  id: z.string().min(1).max(128),
  role: z.enum(['endorsement', 'reference-values']),
  format: z.string().max(KIB),
  data: z.json(),
})

const headerForm = z.union([z.string(), z.array(z.string()).min(1).max(4).transform(([first = '']) => first)])
  .refine(({ length }) => length <= 16 * KIB, 'too long')

const pcsForm = z.object({
  responses: z.array(z.object({
    url: z.string().max(2 * KIB),
    headers: z.record(z.string().max(128), headerForm).transform((headers, context) => {
      const lowered = new Map(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))
      // RFC 9110 section 5.1: two spellings are one name.
      if (lowered.size <= 64 && lowered.size === Object.keys(headers).length) return Object.fromEntries(lowered)
      context.addIssue('too many headers, or one twice')
      return z.NEVER
    }),
    body_base64: base64(160 * KIB),
  }).transform(({ body_base64: body, ...response }): PcsResponse => ({ ...response, body }))).max(MAX_RESPONSES),
})
const crlForm = z.object({ crl_der_base64: base64(64 * KIB) })
const statementForm = z.object({
  repo: z.string().max(256),
  tag: z.string().max(256),
  digest: z.string().regex(/^[0-9a-f]{64}$/),
  sigstore_bundle: z.json(),
})

const readers: Readonly<Record<string, (data: JsonValue) => Collateral>> = {
  'intel-pcs/v1': (data) => ({ intelPcs: pcsForm.parse(data).responses }),
  'amd-crl/v1': (data) => ({ amdCrl: crlForm.parse(data).crl_der_base64 }),
  'sigstore-platform/v1': (data) => {
    const { repo: repository, tag, digest, sigstore_bundle: sigstoreBundle } = statementForm.parse(data)
    return { hardwareStatement: { repository, tag, digest, sigstoreBundle } }
  },
}

/**
 * Reads `[{id, role, format, data}]`. Formats that are not read here are passed over: what depends on them is refused for the want of it.
 * An id, or a format that is read, that stands twice is refused: which of the two counts would be a matter of the reader.
 * Throws an Error that says what is wrong.
 */
export function readCollateral(json: JsonValue | undefined): Collateral {
  if (json === undefined) return {}
  const entries = z.array(entryForm).max(MAX_ENTRIES).safeParse(json)
  if (!entries.success) throw new Error('a collateral list that is none')
  const seen = new Set<string>()
  let collateral: Collateral = {}
  for (const { id, format, data } of entries.data) {
    const name = format.startsWith(FORMATS) ? format.slice(FORMATS.length) : ''
    const read = Object.hasOwn(readers, name) ? readers[name] : undefined
    for (const mark of [`id ${id}`, ...(read ? [`format ${name}`] : [])]) {
      if (seen.has(mark)) throw new Error(`two pieces of collateral of ${mark}`)
      seen.add(mark)
    }
    if (read) collateral = { ...collateral, ...readOrRefuse(read, data, id) }
  }
  return collateral
}

function readOrRefuse(read: (data: JsonValue) => Collateral, data: JsonValue, id: string): Collateral {
  try {
    return read(data)
  } catch {
    throw new Error(`collateral ${id} that is not of its format`)
  }
}
