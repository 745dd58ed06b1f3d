import { z } from 'zod'
import type { AttestationCode } from '../codes.ts'
import type { Platform } from '../policy.ts'
import { msg } from '../message.ts'
import { isJsonObject, type JsonValue } from '../strict-json.ts'
import { EvidenceError, type Text } from '../text.ts'
import { readCollateral, type V3Collateral } from './collateral.ts'
import { parseUnambiguousJson } from './exact-json.ts'
import { base64Of, hexOf, jsonObject, text } from './schema.ts'

/** A genuine document has about 100 KB, and eight GPUs double that. */
export const MAX_V3_BYTES = 4 * 1024 * 1024
export const ATTESTATION_V3 = 'https://tinfoil.sh/predicate/attestation/v3'
export const REPORT_DATA_V1 = 'https://tinfoil.sh/report-data/v1'
const CRYPTO_MATERIAL = 'https://tinfoil.sh/crypto-material/v1'
const DEVICE_EVIDENCE = 'https://tinfoil.sh/device-evidence/v1'

const MAX_SECTION = 2 * 1024 * 1024
const MAX_REPORT = 16 * 1024
const MAX_ITEMS = 64

const platformOf: ReadonlyMap<string, Exclude<Platform, 'nitro'>> = new Map([
  ['https://tinfoil.sh/format/sev-snp-report/v1', 'sevSnp'],
  ['https://tinfoil.sh/format/tdx-quote/v1', 'tdx'],
] as const)

const documentSchema = z.strictObject({
  format: z.literal(ATTESTATION_V3),
  challenge: z.strictObject({ nonce: hexOf(32), report_data: hexOf(64), report_data_algorithm: text }),
  cpu_evidence: z.strictObject({
    format: text,
    report_base64: base64Of(MAX_REPORT),
    endorsed: z.strictObject({ crypto_material_hash: hexOf(32), device_evidence_hash: hexOf(32) }),
  }),
  crypto_material: base64Of(MAX_SECTION),
  device_evidence: base64Of(MAX_SECTION),
  collateral: z.array(jsonObject).max(MAX_ITEMS),
})

const cryptoMaterialSchema = z.strictObject({
  format: z.literal(CRYPTO_MATERIAL),
  items: z
    .array(
      z.strictObject({
        id: text,
        format: text,
        data: z
          .string()
          .regex(/^(?:[0-9a-f]{2})+$/)
          .max(4096),
      }),
    )
    .max(MAX_ITEMS),
})
const deviceEvidenceSchema = z.strictObject({
  format: z.literal(DEVICE_EVIDENCE),
  items: z
    .array(z.strictObject({ id: text, kind: text, vendor: text, format: text, evidence: z.json() }))
    .max(MAX_ITEMS),
})

export type CryptoItem = z.infer<typeof cryptoMaterialSchema>['items'][number]
export type DeviceItem = z.infer<typeof deviceEvidenceSchema>['items'][number]

/** An attestation document v3 as its bytes claim. None of it is authenticated here. Hex is lowercase. */
export interface V3Document {
  readonly nonce: string
  /** The report data that the document claims the report signs: 64 bytes. */
  readonly reportData: string
  readonly platform: Exclude<Platform, 'nitro'>
  /** An SEV-SNP report or a TDX quote. */
  readonly report: Uint8Array
  /** The hashes that the document claims for the sections. */
  readonly endorsed: { readonly cryptoMaterial: string; readonly deviceEvidence: string }
  /** The exact bytes that are hashed. The parsed content is below. */
  readonly sections: { readonly cryptoMaterial: Uint8Array; readonly deviceEvidence: Uint8Array }
  readonly keys: readonly CryptoItem[]
  readonly devices: readonly DeviceItem[]
  readonly collateral: V3Collateral
}

/** Why a document can't be read, as a code of `v3/document`. */
export class V3DocumentError extends EvidenceError {
  override name = 'V3DocumentError'
  readonly code: AttestationCode
  constructor(code: AttestationCode, observed: Text) {
    super(observed)
    this.code = code
  }
}

/**
 * Reads an attestation document v3 (section 2 of its description). Every member must be known, because an
 * older reader would otherwise ignore a rule that a newer enclave states.
 * @throws {V3DocumentError} envelope/…
 */
export function readV3Document(bytes: Uint8Array): V3Document {
  if (bytes.length > MAX_V3_BYTES) throw malformed(msg('{count} bytes', { count: bytes.length }))
  const json = parse(bytes)
  if (!isJsonObject(json)) throw malformed(msg('JSON that isn’t an object'))
  const { format } = json
  if (typeof format === 'string' && format !== ATTESTATION_V3)
    throw new V3DocumentError('envelope/unsupported-format', format)
  // For some weeks in 2026, enclaves sent this older form with the same format name.
  if (isJsonObject(json['report_data']) && isJsonObject(json['cpu']))
    throw new V3DocumentError('envelope/superseded-v3', msg('the members of June 2026'))
  const read = documentSchema.safeParse(json)
  if (!read.success) throw malformed(placeOf(read.error))
  const {
    challenge,
    cpu_evidence: cpu,
    crypto_material: cryptoMaterial,
    device_evidence: deviceEvidence,
    collateral,
  } = read.data
  if (challenge.report_data_algorithm !== REPORT_DATA_V1)
    throw new V3DocumentError('envelope/unsupported-format', challenge.report_data_algorithm)
  const platform = platformOf.get(cpu.format)
  if (!platform) throw new V3DocumentError('envelope/unsupported-format', cpu.format)
  return {
    nonce: challenge.nonce,
    reportData: challenge.report_data,
    platform,
    report: cpu.report_base64,
    endorsed: {
      cryptoMaterial: cpu.endorsed.crypto_material_hash,
      deviceEvidence: cpu.endorsed.device_evidence_hash,
    },
    sections: { cryptoMaterial, deviceEvidence },
    keys: itemsOf(cryptoMaterialSchema, cryptoMaterial),
    devices: itemsOf(deviceEvidenceSchema, deviceEvidence),
    collateral: collateralOf(collateral),
  }
}

function itemsOf<Item extends { readonly id: string }>(
  schema: z.ZodType<{ readonly items: readonly Item[] }>,
  section: Uint8Array,
): readonly Item[] {
  const read = schema.safeParse(parse(section, 'envelope/malformed-section'))
  if (!read.success) throw new V3DocumentError('envelope/malformed-section', placeOf(read.error))
  const { items } = read.data
  if (new Set(items.map(({ id }) => id)).size < items.length)
    throw new V3DocumentError('envelope/malformed-section', msg('two items with one ID'))
  return items
}

function collateralOf(entries: Parameters<typeof readCollateral>[0]): V3Collateral {
  try {
    return readCollateral(entries)
  } catch (error) {
    throw new V3DocumentError(
      'envelope/malformed-collateral',
      error instanceof EvidenceError ? error.observed : msg('collateral that can’t be read'),
    )
  }
}

function parse(bytes: Uint8Array, code: AttestationCode = 'envelope/malformed'): JsonValue {
  try {
    return parseUnambiguousJson(bytes)
  } catch {
    throw new V3DocumentError(code, msg('a text that isn’t strict JSON in UTF-8'))
  }
}

function malformed(observed: Text): V3DocumentError {
  return new V3DocumentError('envelope/malformed', observed)
}

/** The location of the first fault: a path of members, which an attacker may have chosen. */
export function placeOf({ issues: [first] }: z.ZodError): Text {
  const unknown = first?.code === 'unrecognized_keys' ? first.keys : []
  return msg('member {path}', { path: [...(first?.path ?? []), ...unknown.slice(0, 1)].join('.') })
}
