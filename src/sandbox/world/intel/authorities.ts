import { createPublicKey, type KeyObject, type KeyPairKeyObjectResult } from 'node:crypto'
import {
  authorityKeyIdentifier,
  basicConstraints,
  certificate,
  crlDistributionPoint,
  distinguishedName,
  ecdsaSha256,
  extension,
  keyUsage,
  subjectKeyIdentifier,
} from '../../der/certificate.ts'
import { sgxExtension, sgxExtensionId, type Machine } from './machine.ts'

/** The names that Intel's certificates carry: a verifier checks them, and only the keys behind them differ here. */
function intelName(commonName: string): Buffer {
  return distinguishedName(
    ['CN', commonName],
    ['O', 'Intel Corporation'],
    ['L', 'Santa Clara'],
    ['ST', 'CA'],
    ['C', 'US'],
  )
}

export const intelRootName = intelName('Intel SGX Root CA')
export const platformCaName = intelName('Intel SGX PCK Platform CA')

export const rootCrlUrl = 'https://certificates.trustedservices.intel.com/IntelSGXRootCA.der'
export const pckCrlUrl =
  'https://api.trustedservices.intel.com/sgx/certification/v4/pckcrl?ca=platform&encoding=der'

/** Self-signed root and the authority that certifies machines. @param rootKeys @param platformKeys P-256 */
export function intelRoots(
  rootKeys: KeyPairKeyObjectResult,
  platformKeys: KeyPairKeyObjectResult,
): { root: Buffer; platformCa: Buffer } {
  const signer = ecdsaSha256(rootKeys.privateKey)
  const authority = (
    subject: Buffer,
    serial: Uint8Array,
    key: KeyObject,
    notBefore: number,
    notAfter: number,
    pathLength: number,
  ) =>
    certificate(
      {
        serial,
        issuer: intelRootName,
        subject,
        notBefore,
        notAfter,
        publicKey: key,
        extensions: [
          authorityKeyIdentifier(rootKeys.publicKey),
          crlDistributionPoint(rootCrlUrl),
          subjectKeyIdentifier(key),
          keyUsage('certificateAndCrlSign'),
          basicConstraints(true, pathLength),
        ],
      },
      signer,
    )
  return {
    root: authority(
      intelRootName,
      serialOf('22650cd65a9d3489f383b49552bf501b392706ac'),
      rootKeys.publicKey,
      Date.UTC(2018, 4, 21, 10, 45, 10),
      Date.UTC(2049, 11, 31, 23, 59, 59),
      1,
    ),
    platformCa: authority(
      platformCaName,
      serialOf('00956f5dcdbd1be1e94049c9d4f433ce01570bde54'),
      platformKeys.publicKey,
      Date.UTC(2018, 4, 21, 10, 50, 10),
      Date.UTC(2033, 4, 21, 10, 50, 10),
      0,
    ),
  }
}

function serialOf(hex: string): Buffer {
  return Buffer.from(hex, 'hex')
}

export interface LeafFields {
  readonly serial: Uint8Array
  readonly publicKey: KeyObject
  /** Unix ms. */
  readonly notBefore: number
  readonly notAfter: number
}

/** The key that signs TCB info and QE identity. */
export function tcbSigningCertificate(fields: LeafFields, rootPrivateKey: KeyObject): Buffer {
  return leaf(
    {
      ...fields,
      issuer: intelRootName,
      subject: intelName('Intel SGX TCB Signing'),
      crl: rootCrlUrl,
      more: [],
    },
    rootPrivateKey,
  )
}

/** PCK: the key that certifies quoting enclaves on one machine, with the machine's identity. */
export function pckCertificate(fields: LeafFields, machine: Machine, platformPrivateKey: KeyObject): Buffer {
  const more = [extension(sgxExtensionId, sgxExtension(machine))]
  return leaf(
    {
      ...fields,
      issuer: platformCaName,
      subject: intelName('Intel SGX PCK Certificate'),
      crl: pckCrlUrl,
      more,
    },
    platformPrivateKey,
  )
}

interface Leaf extends LeafFields {
  readonly issuer: Buffer
  readonly subject: Buffer
  readonly crl: string
  readonly more: readonly Buffer[]
}

function leaf({ crl, more, ...fields }: Leaf, issuerPrivateKey: KeyObject): Buffer {
  return certificate(
    {
      ...fields,
      extensions: [
        authorityKeyIdentifier(createPublicKey(issuerPrivateKey)),
        crlDistributionPoint(crl),
        subjectKeyIdentifier(fields.publicKey),
        keyUsage('signatureAndNonRepudiation'),
        basicConstraints(false),
        ...more,
      ],
    },
    ecdsaSha256(issuerPrivateKey),
  )
}
