import { createHash, generateKeyPairSync, sign } from 'node:crypto'
import { pem } from '../der/certificate.ts'
import { signingCertificate, type FulcioKeys, type WorkflowRun } from './fulcio.ts'
import type { LogEntry, Rekor } from './rekor.ts'

const payloadType = 'application/vnd.in-toto+json'

/** Sigstore bundle of version 0.3, in JSON. */
export interface SigstoreBundle {
  readonly mediaType: 'application/vnd.dev.sigstore.bundle.v0.3+json'
  readonly verificationMaterial: {
    readonly tlogEntries: readonly LogEntry[]
    readonly timestampVerificationData: Readonly<Record<string, never>>
    readonly certificate: { readonly rawBytes: string }
  }
  readonly dsseEnvelope: {
    readonly payload: string
    readonly payloadType: string
    readonly signatures: readonly { readonly sig: string }[]
  }
}

/** The output of a workflow for a release: a file, and a statement about it. */
export interface SignedRelease extends WorkflowRun {
  /** Unix ms. */
  readonly loggedAt: number
  readonly statement: Buffer
}

interface StatementFields {
  readonly fileName: string
  /** SHA-256, hex. */
  readonly digest: string
  readonly predicateType: string
  readonly predicate: object
}

/** in-toto Statement v1 about one file. */
export function statement({ fileName, digest, predicateType, predicate }: StatementFields): Buffer {
  return Buffer.from(
    JSON.stringify({
      _type: 'https://in-toto.io/Statement/v1',
      subject: [{ name: fileName, digest: { sha256: digest } }],
      predicateType,
      predicate,
    }),
  )
}

/** The pre-authentication encoding, which is signed (DSSE version 1). */
function preAuthenticationEncoding(payload: Buffer): Buffer {
  return Buffer.concat([
    Buffer.from(`DSSEv1 ${payloadType.length} ${payloadType} ${payload.length} `),
    payload,
  ])
}

/** The statement signed by an identity of ten minutes, and the log's word for when. */
export function provenance(release: SignedRelease, keys: FulcioKeys, rekor: Rekor): SigstoreBundle {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const leaf = signingCertificate(release, publicKey, keys, release.loggedAt)
  const payload = release.statement
  const sig = sign('sha256', preAuthenticationEncoding(payload), privateKey).toString('base64')
  const envelope = { payload: payload.toString('base64'), payloadType, signatures: [{ sig }] }
  const sha256 = (data: Uint8Array | string) => ({
    algorithm: 'sha256',
    value: createHash('sha256').update(data).digest('hex'),
  })
  const body = Buffer.from(
    JSON.stringify({
      apiVersion: '0.0.1',
      kind: 'dsse',
      spec: {
        envelopeHash: sha256(JSON.stringify(envelope)),
        payloadHash: sha256(payload),
        signatures: [{ signature: sig, verifier: Buffer.from(pem(leaf)).toString('base64') }],
      },
    }),
  )
  return {
    mediaType: 'application/vnd.dev.sigstore.bundle.v0.3+json',
    verificationMaterial: {
      tlogEntries: [rekor.append(body, release.loggedAt + 1000)],
      timestampVerificationData: {},
      certificate: { rawBytes: leaf.toString('base64') },
    },
    dsseEnvelope: envelope,
  }
}
