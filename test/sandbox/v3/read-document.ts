import { createHash } from 'node:crypto'
import { bundleFromJSON } from '@sigstore/bundle'
import { TrustedRoot } from '@sigstore/protobuf-specs'
import { toSignedEntity, toTrustMaterial, Verifier, type Signer } from '@sigstore/verify'
import { z } from 'zod'

const hex = (bytes: number) => z.string().regex(new RegExp(`^[0-9a-f]{${String(2 * bytes)}}$`))
const base64 = z.string().transform((text, context) => {
  const bytes = Buffer.from(text, 'base64')
  if (bytes.toString('base64') !== text) context.addIssue('not canonical base64')
  return bytes
})
const hash = hex(32)

const collateralSchema = z.strictObject({
  id: z.string().min(1),
  role: z.enum(['endorsement', 'reference-values']),
  format: z.string().regex(/^https:\/\/tinfoil\.sh\/collateral\/[a-z-]+\/v1$/),
  subjects: z.array(z.string()).optional(),
  data: z.record(z.string(), z.unknown()),
})

/** Exactly the members that document v3 has. */
const documentSchema = z.strictObject({
  format: z.literal('https://tinfoil.sh/predicate/attestation/v3'),
  challenge: z.strictObject({
    nonce: hash,
    report_data: hex(64),
    report_data_algorithm: z.literal('https://tinfoil.sh/report-data/v1'),
  }),
  cpu_evidence: z.strictObject({
    format: z.enum(['https://tinfoil.sh/format/sev-snp-report/v1', 'https://tinfoil.sh/format/tdx-quote/v1']),
    report_base64: base64,
    endorsed: z.strictObject({ crypto_material_hash: hash, device_evidence_hash: hash }),
  }),
  crypto_material: base64,
  device_evidence: base64,
  collateral: z.array(collateralSchema),
})
export type ReadDocument = z.infer<typeof documentSchema>

export const cryptoMaterialSchema = z.strictObject({
  format: z.literal('https://tinfoil.sh/crypto-material/v1'),
  items: z.tuple([
    z.strictObject({
      id: z.literal('tls'),
      format: z.literal('https://tinfoil.sh/key/spki-fp-sha256/v1'),
      data: hash,
    }),
    z.strictObject({
      id: z.literal('hpke'),
      format: z.literal('https://tinfoil.sh/key/x25519-hpke/v1'),
      data: hash,
    }),
  ]),
})
export const deviceEvidenceSchema = z.strictObject({
  format: z.literal('https://tinfoil.sh/device-evidence/v1'),
  items: z.tuple([]),
})

export const amdEndorsementSchema = z.strictObject({ vcek_der_base64: base64, cert_chain_pem: z.string() })
export const amdListSchema = z.strictObject({ crl_der_base64: base64 })
export const intelSchema = z.strictObject({
  responses: z.array(
    z.strictObject({ url: z.url(), headers: z.record(z.string(), z.array(z.string())), body_base64: base64 }),
  ),
})
const bundle = z.looseObject({
  dsseEnvelope: z.strictObject({
    payload: base64,
    payloadType: z.string(),
    signatures: z.array(z.unknown()).length(1),
  }),
})
const releaseSchema = z.strictObject({
  repo: z.string(),
  tag: z.string(),
  digest: hash,
  sigstore_bundle: bundle,
})
const witnessSchema = z.strictObject({ sigstore_bundle: bundle })

export const statementSchema = z.strictObject({
  _type: z.literal('https://in-toto.io/Statement/v1'),
  subject: z.tuple([z.strictObject({ name: z.string(), digest: z.strictObject({ sha256: hash }) })]),
  predicateType: z.string(),
  predicate: z.looseObject({}),
})

export function sha256(...parts: readonly Uint8Array[]): Buffer {
  return createHash('sha256').update(Buffer.concat(parts)).digest()
}

/** The hash that hardware must bind, computed from the description of the format. */
export function expectedReportData(nonce: Uint8Array, document: ReadDocument): Buffer {
  const label = Buffer.from('https://tinfoil.sh/report-data/v1', 'ascii')
  return Buffer.concat([
    sha256(label, nonce, sha256(document.crypto_material), sha256(document.device_evidence)),
    Buffer.alloc(32),
  ])
}

export function readDocument(text: string): ReadDocument {
  return documentSchema.parse(JSON.parse(text))
}

/** The only entry with this id. */
export function entryOf(document: ReadDocument, id: string): ReadDocument['collateral'][number] {
  const [entry, ...more] = document.collateral.filter((item) => item.id === id)
  if (!entry || more.length > 0) throw new Error(`not one entry ${id}`)
  return entry
}

export interface SignedEntry {
  readonly release: { readonly repo: string; readonly tag: string; readonly digest: string } | null
  readonly statement: z.infer<typeof statementSchema>
  readonly signer: Signer
  /** The log's time, Unix ms. */
  readonly loggedAt: number
}

const logTimeSchema = z.object({
  verificationMaterial: z.object({
    tlogEntries: z.tuple([z.object({ integratedTime: z.string().transform(Number) })]),
  }),
})

/** A signed entry, verified by Sigstore's own library. @throws if its bundle isn't signed under this root */
export function readSignedEntry(document: ReadDocument, id: string, trustedRoot: string): SignedEntry {
  const { data } = entryOf(document, id)
  const release = id.endsWith('-freshness') ? null : releaseSchema.parse(data)
  const { sigstore_bundle: signed } = release ?? witnessSchema.parse(data)
  const json: unknown = JSON.parse(JSON.stringify(data['sigstore_bundle']))
  const material = toTrustMaterial(TrustedRoot.fromJSON(JSON.parse(trustedRoot)))
  const signer = new Verifier(material, {
    ctlogThreshold: 1,
    tlogThreshold: 1,
    timestampThreshold: 1,
  }).verify(toSignedEntity(bundleFromJSON(json)))
  const [{ integratedTime }] = logTimeSchema.parse(json).verificationMaterial.tlogEntries
  return {
    release,
    statement: statementSchema.parse(JSON.parse(signed.dsseEnvelope.payload.toString('utf8'))),
    signer,
    loggedAt: integratedTime * 1000,
  }
}
