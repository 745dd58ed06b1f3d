import { z } from 'zod'
import { msg } from '../message.ts'
import type { JsonObject } from '../strict-json.ts'
import type { PcsResponse } from '../collateral.ts'
import { EvidenceError } from '../text.ts'
import { certificatesFromPem } from '../x509/index.ts'
import { base64Of, hexOf, jsonObject, text } from './schema.ts'

/** A signed statement about a release, and the document's claims about it. */
export interface SignedArtifact {
  readonly repository: string
  readonly tag: string
  /** Lowercase hex SHA-256 of the file that the statement is about. */
  readonly digest: string
  readonly sigstoreBundle: JsonObject
}

/** The data supplied with the evidence. Each part is worth only what its own signature proves. */
export interface V3Collateral {
  readonly vcek?: { readonly vcek: Uint8Array; readonly ask: Uint8Array; readonly ark: Uint8Array }
  readonly amdCrl?: Uint8Array
  readonly intelPcs?: readonly PcsResponse[]
  readonly code?: SignedArtifact
  readonly platform?: SignedArtifact
  /** A recent statement that a release is still in use. Its entry's ID names the code or the platform. */
  readonly codeFreshness?: JsonObject
  readonly platformFreshness?: JsonObject
}

const KIB = 1024
const FORMATS = 'https://tinfoil.sh/collateral/'

const entrySchema = z.strictObject({
  id: text,
  role: z.enum(['endorsement', 'reference-values']),
  format: text,
  subjects: z.array(text).max(64).optional(),
  data: jsonObject,
})
type Entry = z.infer<typeof entrySchema>

const vcekSchema = z.strictObject({
  vcek_der_base64: base64Of(16 * KIB),
  cert_chain_pem: z.string().max(32 * KIB),
})
const crlSchema = z.strictObject({ crl_der_base64: base64Of(64 * KIB) })
const pcsSchema = z.strictObject({
  responses: z
    .array(
      z.strictObject({
        url: text,
        headers: z.record(
          text,
          z
            .array(z.string().max(16 * KIB))
            .min(1)
            .max(4),
        ),
        body_base64: base64Of(160 * KIB),
      }),
    )
    .max(16),
})
const artifactSchema = z.strictObject({
  repo: text,
  tag: z.string().max(256),
  digest: hexOf(32),
  sigstore_bundle: jsonObject,
})
const freshnessSchema = z.strictObject({ sigstore_bundle: jsonObject })

type Reader = { readonly role: Entry['role']; readonly read: (entry: Entry) => V3Collateral }

/** Unknown formats, and known formats with another role, are accepted but ignored. */
const readers: ReadonlyMap<string, Reader> = new Map<string, Reader>([
  [
    'amd-vcek/v1',
    {
      role: 'endorsement',
      read: (entry) => {
        const vcek = vcekOf(vcekSchema.parse(entry.data))
        return isOfCpu(entry) ? { vcek } : {}
      },
    },
  ],
  [
    'amd-crl/v1',
    {
      role: 'endorsement',
      read: (entry) => {
        const { crl_der_base64: amdCrl } = crlSchema.parse(entry.data)
        return isOfCpu(entry) ? { amdCrl } : {}
      },
    },
  ],
  [
    'intel-pcs/v1',
    {
      role: 'endorsement',
      read: (entry) => {
        const intelPcs = pcsSchema.parse(entry.data).responses.map(responseOf)
        return isOfCpu(entry) ? { intelPcs } : {}
      },
    },
  ],
  ['sigstore-code/v1', { role: 'reference-values', read: ({ data }) => ({ code: artifactOf(data) }) }],
  [
    'sigstore-platform/v1',
    { role: 'reference-values', read: ({ data }) => ({ platform: artifactOf(data) }) },
  ],
  [
    'sigstore-freshness/v1',
    {
      role: 'reference-values',
      read: ({ id, data }) => {
        const { sigstore_bundle: bundle } = freshnessSchema.parse(data)
        if (id === 'code-freshness') return { codeFreshness: bundle }
        return id === 'platform-freshness' ? { platformFreshness: bundle } : {}
      },
    },
  ],
])

/**
 * Reads the list of collateral. Reads each entry of a known format, so that a malformed entry refuses the
 * document. The first of several entries for the same purpose counts.
 *
 * @throws {EvidenceError}
 */
export function readCollateral(list: readonly JsonObject[]): V3Collateral {
  const seen = new Set<string>()
  let collateral: V3Collateral = {}
  for (const item of list) {
    const entry = readEntry(item)
    if (seen.has(entry.id))
      throw new EvidenceError(msg('two pieces of collateral with the ID {id}', { id: entry.id }))
    seen.add(entry.id)
    const reader = entry.format.startsWith(FORMATS)
      ? readers.get(entry.format.slice(FORMATS.length))
      : undefined
    if (reader?.role === entry.role) collateral = { ...readOrRefuse(reader, entry), ...collateral }
  }
  return collateral
}

function readEntry(item: JsonObject): Entry {
  const read = entrySchema.safeParse(item)
  if (!read.success) throw new EvidenceError(msg('a piece of collateral without the required members'))
  return read.data
}

function readOrRefuse({ read }: Reader, entry: Entry): V3Collateral {
  try {
    return read(entry)
  } catch {
    throw new EvidenceError(msg('collateral {id} in an unexpected format', { id: entry.id }))
  }
}

/** An entry without subjects applies to no part. */
function isOfCpu({ subjects = [] }: Entry): boolean {
  return subjects.includes('cpu')
}

function vcekOf({
  vcek_der_base64: vcek,
  cert_chain_pem: chain,
}: z.infer<typeof vcekSchema>): NonNullable<V3Collateral['vcek']> {
  const [ask, ark, ...more] = certificatesFromPem(chain)
  if (!ask || !ark || more.length > 0) throw new EvidenceError(msg('not a chain of two certificates'))
  return { vcek, ask, ark }
}

function responseOf({
  url,
  headers,
  body_base64: body,
}: z.infer<typeof pcsSchema>['responses'][number]): PcsResponse {
  const lowered = new Map<string, string>()
  for (const [name, [first = '']] of Object.entries(headers)) {
    // RFC 9110 section 5.1: header names are case-insensitive, so two spellings are the same name.
    if (lowered.has(name.toLowerCase())) throw new EvidenceError(msg('one header twice'))
    lowered.set(name.toLowerCase(), first)
  }
  return { url, headers: Object.fromEntries(lowered), body }
}

function artifactOf(data: JsonObject): SignedArtifact {
  const { repo, tag, digest, sigstore_bundle: sigstoreBundle } = artifactSchema.parse(data)
  return { repository: repo, tag, digest, sigstoreBundle }
}
