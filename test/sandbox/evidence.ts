import { constants, createHash, verify, X509Certificate, type KeyObject } from 'node:crypto'
import { gunzipSync } from 'node:zlib'
import { bundleFromJSON } from '@sigstore/bundle'
import { TrustedRoot } from '@sigstore/protobuf-specs'
import { toSignedEntity, toTrustMaterial, Verifier, type Signer } from '@sigstore/verify'
import type { Sandbox } from '../../src/sandbox/index.ts'

/** The bundle, as a reader that shares no code with Sotto parses it. */
export interface Evidence {
  readonly domain: string
  readonly digest: string
  readonly report: Buffer
  readonly documentHash: string
  readonly vcek: X509Certificate
  readonly tls: X509Certificate
  readonly sigstoreBundle: SigstoreJson
  /** DER of AMD's revocation list. */
  readonly revocationList: Buffer
  readonly statement: {
    subject: { digest: { sha256: string } }[]
    predicateType: string
    predicate: { snp_measurement: string }
  }
}

interface SigstoreJson {
  verificationMaterial: {
    certificate: { rawBytes: string }
    tlogEntries: {
      integratedTime: string
      inclusionProof: { treeSize: string; hashes: string[]; rootHash: string }
    }[]
  }
  dsseEnvelope: { payload: string }
}

interface BundleJson {
  domain: string
  digest: string
  enclaveAttestationReport: { format: string; body: string }
  sigstoreBundle: SigstoreJson
  vcek: string
  enclaveCert: string
  collateral: { format: string; data: { crl_der_base64: string } }[]
}

export async function fetchEvidence(sandbox: Sandbox, maxOutputLength?: number): Promise<Evidence> {
  const response = await fetch(`${sandbox.baseUrl}/private/attestation`)
  const json = (await response.json()) as BundleJson
  const { format, body } = json.enclaveAttestationReport
  return {
    domain: json.domain,
    digest: json.digest,
    report: gunzipSync(Buffer.from(body, 'base64'), maxOutputLength === undefined ? {} : { maxOutputLength }),
    documentHash: createHash('sha256')
      .update(format + body)
      .digest('hex'),
    vcek: new X509Certificate(Buffer.from(json.vcek, 'base64')),
    tls: new X509Certificate(json.enclaveCert),
    sigstoreBundle: json.sigstoreBundle,
    revocationList: Buffer.from(
      json.collateral.find(({ format }) => format === 'https://tinfoil.sh/collateral/amd-crl/v1')?.data
        .crl_der_base64 ?? '',
      'base64',
    ),
    statement: JSON.parse(
      Buffer.from(json.sigstoreBundle.dsseEnvelope.payload, 'base64').toString(),
    ) as Evidence['statement'],
  }
}

/** @throws if the bundle is not signed and logged under these roots */
export function verifySigstore(trustedRoot: string, bundle: unknown): Signer {
  const material = toTrustMaterial(TrustedRoot.fromJSON(JSON.parse(trustedRoot)))
  return new Verifier(material, { ctlogThreshold: 1, tlogThreshold: 1, timestampThreshold: 1 }).verify(
    toSignedEntity(bundleFromJSON(bundle)),
  )
}

export function reportSignatureValid(report: Buffer, vcek: X509Certificate): boolean {
  const component = (offset: number) => Buffer.from(report.subarray(offset, offset + 48)).reverse()
  const signature = Buffer.concat([component(0x2a0), component(0x2a0 + 72)])
  return verify(
    'sha384',
    report.subarray(0, 0x2a0),
    { key: vcek.publicKey, dsaEncoding: 'ieee-p1363' },
    signature,
  )
}

/** @returns whether the key signed the list (RSA-4096, PSS with SHA-384), and its two dates in Unix ms */
export function readRevocationList(
  der: Buffer,
  issuer: KeyObject,
): { signed: boolean; thisUpdate: number; nextUpdate: number } {
  // SEQUENCE { SEQUENCE of the signed part, algorithm, BIT STRING }. All lengths have two bytes, except the
  // algorithm's.
  const signedPart = der.subarray(4, der[5] === 0x82 ? 8 + der.readUInt16BE(6) : 7 + der.readUInt8(6))
  const key = { key: issuer, padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: 48 }
  // UTCTime.
  const dates = [...der.toString('latin1').matchAll(/(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)Z/g)].map(
    ([, year, month, day, hour, minute, second]) =>
      Date.UTC(
        2000 + Number(year),
        Number(month) - 1,
        Number(day),
        Number(hour),
        Number(minute),
        Number(second),
      ),
  )
  return {
    signed: verify('sha384', signedPart, key, der.subarray(-512)),
    thisUpdate: dates[0] ?? NaN,
    nextUpdate: dates[1] ?? NaN,
  }
}

export function measurementOf(report: Buffer): string {
  return report.subarray(0x90, 0xc0).toString('hex')
}

export function tlsFingerprint(evidence: Evidence): string {
  return createHash('sha256')
    .update(evidence.tls.publicKey.export({ type: 'spki', format: 'der' }))
    .digest('hex')
}

/** The value that the DNS labels of one kind encode, joined in the order of their index. */
export function labelled(evidence: Evidence, kind: 'hpke' | 'hatt', suffix: string): Buffer {
  const names = (evidence.tls.subjectAltName ?? '').split(', ').map((name) => name.replace(/^DNS:/, ''))
  const ending = `.${kind}.${suffix}`
  const digits = names
    .filter((name) => name.endsWith(ending))
    .sort()
    .map((name) => name.slice(2, -ending.length))
    .join('')
  const bits = Array.from(digits, (digit) =>
    'abcdefghijklmnopqrstuvwxyz234567'.indexOf(digit).toString(2).padStart(5, '0'),
  ).join('')
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => parseInt(byte, 2)))
}

/** The raw X25519 key that the gateway offers without encryption. */
export async function offeredKey(sandbox: Sandbox): Promise<Buffer> {
  const response = await fetch(`${sandbox.baseUrl}/private/.well-known/hpke-keys`)
  return Buffer.from(await response.arrayBuffer()).subarray(3, 35)
}

export function publicKeyOf(der: Uint8Array): KeyObject {
  return new X509Certificate(der).publicKey
}
