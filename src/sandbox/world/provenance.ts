import { createHash, generateKeyPairSync, sign } from 'node:crypto'
import { pem } from '../der/certificate.ts'
import { predicateType } from '../profile.ts'
import { signingCertificate, type FulcioKeys } from './fulcio.ts'
import type { LogEntry, Rekor } from './rekor.ts'
import type { Release } from './release.ts'

const payloadType = 'application/vnd.in-toto+json'

/** Sigstore bundle of version 0.3, in JSON. */
export interface SigstoreBundle {
  readonly mediaType: 'application/vnd.dev.sigstore.bundle.v0.3+json'
  readonly verificationMaterial: {
    readonly tlogEntries: readonly LogEntry[]
    readonly timestampVerificationData: Readonly<Record<string, never>>
    readonly certificate: { readonly rawBytes: string }
  }
  readonly dsseEnvelope: { readonly payload: string; readonly payloadType: string; readonly signatures: readonly { readonly sig: string }[] }
}

/** SHA-256 (hex) of the deployment file: the subject that the statement is about. */
export function deploymentDigest(release: Release): string {
  return createHash('sha256').update(release.deployment).digest('hex')
}

function rtmr(release: Release, register: number): string {
  return createHash('sha384').update(`sotto-sandbox rtmr${register} of ${release.tag}`).digest('hex')
}

/** in-toto Statement v1: this deployment file leads to this launch measurement. */
function statement(release: Release): Buffer {
  return Buffer.from(JSON.stringify({
    _type: 'https://in-toto.io/Statement/v1',
    subject: [{ name: 'sotto-sandbox-deployment.json', digest: { sha256: deploymentDigest(release) } }],
    predicateType,
    predicate: {
      snp_measurement: release.measurement.toString('hex'),
      tdx_measurement: { rtmr1: rtmr(release, 1), rtmr2: rtmr(release, 2) },
      cmdline: `readonly=on sotto-config-hash=${createHash('sha256').update(release.commit).digest('hex')}`,
      hashes: { version: release.tag },
      config: release.deployment.toString('base64'),
    },
  }))
}

/** DSSE version 1: the pre-authentication encoding is what is signed. */
function preAuthenticationEncoding(payload: Buffer): Buffer {
  return Buffer.concat([Buffer.from(`DSSEv1 ${payloadType.length} ${payloadType} ${payload.length} `), payload])
}

/** What a release's workflow leaves behind: the statement signed by an identity of ten minutes, and the log's word for when. */
export function provenance(release: Release, repository: string, keys: FulcioKeys, rekor: Rekor): SigstoreBundle {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const leaf = signingCertificate({ repository, tag: release.tag, commit: release.commit }, publicKey, keys, release.loggedAt)
  const payload = statement(release)
  const sig = sign('sha256', preAuthenticationEncoding(payload), privateKey).toString('base64')
  const envelope = { payload: payload.toString('base64'), payloadType, signatures: [{ sig }] }
  const sha256 = (data: Uint8Array | string) => ({ algorithm: 'sha256', value: createHash('sha256').update(data).digest('hex') })
  const body = Buffer.from(JSON.stringify({
    apiVersion: '0.0.1',
    kind: 'dsse',
    spec: {
      envelopeHash: sha256(JSON.stringify(envelope)),
      payloadHash: sha256(payload),
      signatures: [{ signature: sig, verifier: Buffer.from(pem('CERTIFICATE', leaf)).toString('base64') }],
    },
  }))
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
