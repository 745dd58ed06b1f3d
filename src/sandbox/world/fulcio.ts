import { createHash, randomBytes, sign, type KeyObject } from 'node:crypto'
import {
  authorityKeyIdentifier,
  certificate,
  ecdsaSha384,
  extendedKeyUsage,
  extension,
  keyUsage,
  spkiDer,
  subjectAlternativeName,
  subjectKeyIdentifier,
  tbsCertificate,
  type CertificateFields,
} from '../der/certificate.ts'
import { octetString, sequence, utf8String } from '../der/der.ts'
import { oidcIssuer } from '../profile.ts'
import { fulcioIntermediateName, logId } from './sigstore-roots.ts'

/** The run of a GitHub Actions workflow, as its identity token tells Fulcio. */
export interface WorkflowRun {
  /** `owner/name`. */
  readonly repository: string
  readonly tag: string
  /** 40 hex digits. */
  readonly commit: string
  /** The ref that it ran on; `refs/tags/<tag>` if missing. */
  readonly ref?: string
  /** Its file below `.github/workflows/`; `build.yml` if missing. */
  readonly workflow?: string
  /** `github-hosted` if missing. */
  readonly runnerEnvironment?: string
  /** The certificate's alternative name, if it differs from the workflow that the other members name. */
  readonly identity?: string
}

const fulcio = '1.3.6.1.4.1.57264.1'
const workflowName = 'Build and publish'

/** https://github.com/sigstore/fulcio/blob/main/docs/oid-info.md: arcs 1 to 6 are bare text, from 8 on UTF8String. */
function identityExtensions(run: WorkflowRun): Buffer[] {
  const { repository, tag, commit, ref = `refs/tags/${tag}` } = run
  const workflow = `https://github.com/${repository}/.github/workflows/${run.workflow ?? 'build.yml'}@${ref}`
  const bare: readonly string[] = [oidcIssuer, 'push', commit, workflowName, repository, ref]
  const typed: readonly (readonly [number, string])[] = [
    [8, oidcIssuer],
    [9, workflow],
    [10, commit],
    [11, run.runnerEnvironment ?? 'github-hosted'],
    [12, `https://github.com/${repository}`],
    [13, commit],
    [14, ref],
    [15, '900100200'],
    [16, `https://github.com/${repository.split('/')[0] ?? ''}`],
    [17, '100200300'],
    [18, workflow],
    [19, commit],
    [20, 'push'],
    [21, `https://github.com/${repository}/actions/runs/21000000001/attempts/1`],
    [22, 'public'],
  ]
  return [
    subjectAlternativeName([{ uri: run.identity ?? workflow }], true),
    ...bare.map((text, index) => extension(`${fulcio}.${index + 1}`, Buffer.from(text))),
    ...typed.map(([arc, text]) => extension(`${fulcio}.${arc}`, utf8String(text))),
  ]
}

const sctListExtension = '1.3.6.1.4.1.11129.2.4.2'

function uint(value: number, bytes: number): Buffer {
  const buffer = Buffer.alloc(bytes)
  buffer.writeUIntBE(value, 0, bytes)
  return buffer
}

/** RFC 6962 section 3.2: a promise of the log over the certificate as it is without the promise. */
function signedCertificateTimestamp(
  tbs: Buffer,
  issuerKey: KeyObject,
  ctLogPrivateKey: KeyObject,
  ctLogPublicKey: KeyObject,
  at: number,
): Buffer {
  const noExtensions = uint(0, 2)
  const timestamp = Buffer.alloc(8)
  timestamp.writeBigUInt64BE(BigInt(at))
  const precertificate = Buffer.concat([
    createHash('sha256').update(spkiDer(issuerKey)).digest(),
    uint(tbs.length, 3),
    tbs,
  ])
  // version v1, signature type certificate_timestamp, time, entry type precert_entry
  const signature = sign(
    'sha256',
    Buffer.concat([Buffer.of(0, 0), timestamp, uint(1, 2), precertificate, noExtensions]),
    ctLogPrivateKey,
  )
  // hash sha256 (4), signature ecdsa (3): RFC 5246 section 7.4.1.4.1
  const sct = Buffer.concat([
    Buffer.of(0),
    logId(ctLogPublicKey),
    timestamp,
    noExtensions,
    Buffer.of(4, 3),
    uint(signature.length, 2),
    signature,
  ])
  const list = Buffer.concat([uint(sct.length, 2), sct])
  return extension(sctListExtension, octetString(uint(list.length, 2), list))
}

export interface FulcioKeys {
  readonly intermediatePublicKey: KeyObject
  readonly intermediatePrivateKey: KeyObject
  readonly ctLogPublicKey: KeyObject
  readonly ctLogPrivateKey: KeyObject
}

/** A certificate for one signing, valid for ten minutes from `at` (Unix ms), with the log's SCT in it. @param publicKey P-256 */
export function signingCertificate(
  run: WorkflowRun,
  publicKey: KeyObject,
  keys: FulcioKeys,
  at: number,
): Buffer {
  const signer = ecdsaSha384(keys.intermediatePrivateKey)
  const fields: CertificateFields = {
    serial: Buffer.concat([Buffer.of(0x5a), randomBytes(19)]),
    issuer: fulcioIntermediateName,
    // Fulcio's subject is empty: the identity is in the critical alternative name.
    subject: sequence(),
    notBefore: at,
    notAfter: at + 600_000,
    publicKey,
    extensions: [
      keyUsage('digitalSignature'),
      extendedKeyUsage('codeSigning'),
      subjectKeyIdentifier(publicKey),
      authorityKeyIdentifier(keys.intermediatePublicKey),
      ...identityExtensions(run),
    ],
  }
  const sct = signedCertificateTimestamp(
    tbsCertificate(fields, signer),
    keys.intermediatePublicKey,
    keys.ctLogPrivateKey,
    keys.ctLogPublicKey,
    at + 296,
  )
  return certificate({ ...fields, extensions: [...fields.extensions, sct] }, signer)
}
