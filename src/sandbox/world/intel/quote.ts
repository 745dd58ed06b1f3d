import { createHash, generateKeyPairSync, sign, type KeyObject } from 'node:crypto'
import { spkiDer } from '../../der/certificate.ts'
import { applyPatches, type Patches } from '../report.ts'
import { mrSeam, tdAttributes, xfam, quotingEnclave } from './quoting-enclave.ts'

/** Intel TDX DCAP quoting library API, appendix 3: a quote of version 4, all integers little-endian. */
const headerBytes = 48
const bodyBytes = 584

const version = 4
const ecdsaP256 = 2
const teeTdx = 0x81
export const intelVendor = Buffer.from('939a7233f79c4ca9940a0db3957f0607', 'hex')

/** TD_ATTRIBUTES with DEBUG in addition to the allowed bits. */
const debugAttributes = Buffer.from('0100001000000000', 'hex')

interface TrustDomain {
  /** 16 bytes. */
  readonly teeTcb: Uint8Array
  readonly debug: boolean
  /** Each 48 bytes. */
  readonly mrtd: Uint8Array
  readonly rtmr: readonly [Uint8Array, Uint8Array, Uint8Array, Uint8Array]
  /** 64 bytes. */
  readonly reportData: Uint8Array
  /** Over header and body; the body begins at 48. */
  readonly patches?: Patches | undefined
}

function quoteBody(domain: TrustDomain): Buffer {
  const body = Buffer.alloc(bodyBytes)
  body.set(domain.teeTcb, 0)
  body.set(mrSeam, 16)
  // MRSIGNERSEAM and SEAMATTRIBUTES are zero for Intel's own module.
  body.set(domain.debug ? debugAttributes : tdAttributes, 120)
  body.set(xfam, 128)
  body.set(domain.mrtd, 136)
  // MRCONFIGID, MROWNER and MROWNERCONFIG stay zero.
  domain.rtmr.forEach((register, index) => body.set(register, 328 + 48 * index))
  body.set(domain.reportData, 520)
  return body
}

function quoteHeader(instanceId: Uint8Array): Buffer {
  const header = Buffer.alloc(headerBytes)
  header.writeUInt16LE(version, 0)
  header.writeUInt16LE(ecdsaP256, 2)
  header.writeUInt32LE(teeTdx, 4)
  header.set(intelVendor, 12)
  header.set(instanceId, 28)
  return header
}

/** QE certification data of two kinds: a report of the quoting enclave, and a chain in PEM. */
const qeReportCertification = 6
const pckChain = 5

function certificationData(kind: number, data: Buffer): Buffer {
  const head = Buffer.alloc(6)
  head.writeUInt16LE(kind, 0)
  head.writeUInt32LE(data.length, 2)
  return Buffer.concat([head, data])
}

/** The last 64 bytes of the SPKI of a P-256 key: x || y. */
function rawP256(publicKey: KeyObject): Buffer {
  return spkiDer(publicKey).subarray(-64)
}

function ecdsa(data: Uint8Array, key: KeyObject): Buffer {
  return sign('sha256', data, { key, dsaEncoding: 'ieee-p1363' })
}

/** Bytes that Intel's quoting enclave hashes together with its attestation key. */
const authenticationData = Buffer.from(Array.from({ length: 32 }, (_, index) => index))

interface QuoteSigner {
  readonly pckPrivateKey: KeyObject
  /** PEM of leaf, platform CA and root. */
  readonly pckChain: string
  /** 16 bytes. */
  readonly instanceId: Uint8Array
}

/** A quote over a trust domain: signed by an attestation key, which the quoting enclave reports, whose report the machine's PCK signs. */
export function tdxQuote(domain: TrustDomain, signer: QuoteSigner): Buffer {
  const attestationKeys = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const signed = Buffer.concat([quoteHeader(signer.instanceId), quoteBody(domain)])
  applyPatches(signed, domain.patches)
  const attestationKey = rawP256(attestationKeys.publicKey)
  const report = quotingEnclave(
    createHash('sha256').update(attestationKey).update(authenticationData).digest(),
  )
  const authenticationBytes = Buffer.alloc(2)
  authenticationBytes.writeUInt16LE(authenticationData.length)
  const certification = certificationData(
    qeReportCertification,
    Buffer.concat([
      report,
      ecdsa(report, signer.pckPrivateKey),
      authenticationBytes,
      authenticationData,
      certificationData(pckChain, Buffer.from(`${signer.pckChain}\0`, 'latin1')),
    ]),
  )
  const signature = Buffer.concat([ecdsa(signed, attestationKeys.privateKey), attestationKey, certification])
  const signatureBytes = Buffer.alloc(4)
  signatureBytes.writeUInt32LE(signature.length)
  return Buffer.concat([signed, signatureBytes, signature])
}
