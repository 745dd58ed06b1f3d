import { toSignedEntity, type SignedEntity } from '@sigstore/verify'
import { z } from 'zod'
import type { JsonValue } from '../../../shared/strict-json.ts'
import { decodeBase64 } from '../base64.ts'
import { SigstoreRefusal } from './refusal.ts'

const KIB = 1024

/** proto3's JSON form of an int64. Twelve digits keep every number exact and every time a valid Date. */
const count = z.string().regex(/^\d{1,12}$/)
/** Base64 of so many bytes at most; decoded once the whole has its form. */
const bytes = (limit: number) => z.string().max(Math.ceil(limit / 3) * 4)
const absent = z.undefined().optional()

const logEntryForm = z.object({
  logIndex: count,
  logId: z.object({ keyId: bytes(64) }),
  kindVersion: z.object({ kind: z.string().max(64), version: z.string().max(16) }),
  integratedTime: count.optional(),
  inclusionPromise: z.object({ signedEntryTimestamp: bytes(KIB) }).optional(),
  inclusionProof: z.object({
    logIndex: count,
    rootHash: bytes(32),
    treeSize: count,
    // A tree of 2^64 leaves has paths of 64 hashes.
    hashes: z.array(bytes(32)).max(64).default([]),
    checkpoint: z.object({ envelope: z.string().max(16 * KIB) }),
  }),
  canonicalizedBody: bytes(256 * KIB),
})

/** Sigstore bundle v0.3 around a DSSE envelope. The library is handed what this lets through, and nothing else. */
const bundleForm = z.object({
  mediaType: z.enum(['application/vnd.dev.sigstore.bundle.v0.3+json', 'application/vnd.dev.sigstore.bundle+json;version=0.3']),
  verificationMaterial: z.object({
    certificate: z.object({ rawBytes: bytes(16 * KIB) }),
    x509CertificateChain: absent,
    publicKey: absent,
    tlogEntries: z.array(logEntryForm).max(8).default([]),
    timestampVerificationData: z.object({
      rfc3161Timestamps: z.array(z.object({ signedTimestamp: bytes(16 * KIB) })).max(8).default([]),
    }).optional(),
  }),
  messageSignature: absent,
  dsseEnvelope: z.object({
    payload: bytes(1024 * KIB),
    payloadType: z.string().max(256),
    signatures: z.array(z.object({ sig: bytes(KIB), keyid: z.string().max(256).optional() })),
  }),
})

/** What the library takes for a bundle: it is made here from what was read, so that nothing is read twice, or by two readers. */
type LibraryBundle = Parameters<typeof toSignedEntity>[0]
export type LogEntry = SignedEntity['tlogEntries'][number]

export interface BundleParts {
  readonly entity: SignedEntity
  /** DER. */
  readonly certificate: Buffer
  readonly entries: readonly LogEntry[]
  readonly payload: Buffer
  readonly payloadType: string
}

/**
 * Reads the form of a bundle; nothing of it is authenticated yet.
 * Throws SigstoreRefusal `sigstore/bundle-malformed`.
 */
export function readBundle(json: JsonValue): BundleParts {
  const form = bundleForm.safeParse(json)
  if (!form.success) {
    const [issue] = form.error.issues
    throw new SigstoreRefusal('sigstore/bundle-malformed', `at ${issue?.path.join('.') || 'its top'}: ${issue?.message ?? 'not a bundle'}`)
  }
  // DSSE allows several signatures: then which of them was checked, and which logged, would be a matter of the reader.
  const { length } = form.data.dsseEnvelope.signatures
  if (length !== 1) throw new SigstoreRefusal('sigstore/bundle-malformed', `${length} signatures instead of one`)
  const { certificate: { rawBytes }, tlogEntries, timestampVerificationData } = form.data.verificationMaterial
  const { payload: packed, payloadType, signatures } = form.data.dsseEnvelope
  const certificate = decode(rawBytes)
  const entries = tlogEntries.map(toLogEntry)
  const payload = decode(packed)
  const bundle: LibraryBundle = {
    mediaType: form.data.mediaType,
    verificationMaterial: {
      content: { $case: 'certificate', certificate: { rawBytes: certificate } },
      tlogEntries: entries,
      timestampVerificationData: {
        rfc3161Timestamps: timestampVerificationData?.rfc3161Timestamps.map(({ signedTimestamp }) => ({ signedTimestamp: decode(signedTimestamp) })) ?? [],
      },
    },
    content: { $case: 'dsseEnvelope', dsseEnvelope: { payload, payloadType, signatures: signatures.map(({ sig, keyid = '' }) => ({ sig: decode(sig), keyid })) } },
  }
  try {
    return { entity: toSignedEntity(bundle), certificate, entries, payload, payloadType }
  } catch {
    throw new SigstoreRefusal('sigstore/bundle-malformed', 'a certificate, log entry or timestamp that cannot be read')
  }
}

function toLogEntry({ logId, integratedTime = '0', inclusionPromise, inclusionProof, canonicalizedBody, ...entry }: z.infer<typeof logEntryForm>): LogEntry {
  const { rootHash, hashes, ...proof } = inclusionProof
  return {
    ...entry,
    logId: { keyId: decode(logId.keyId) },
    integratedTime,
    inclusionPromise: inclusionPromise && { signedEntryTimestamp: decode(inclusionPromise.signedEntryTimestamp) },
    inclusionProof: { ...proof, rootHash: decode(rootHash), hashes: hashes.map(decode) },
    canonicalizedBody: decode(canonicalizedBody),
  }
}

function decode(text: string): Buffer {
  const decoded = decodeBase64(text)
  if (!decoded) throw new SigstoreRefusal('sigstore/bundle-malformed', 'a part that is not base64')
  return decoded
}
