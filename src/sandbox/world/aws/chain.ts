import { generateKeyPairSync, randomBytes, type KeyObject, type KeyPairKeyObjectResult } from 'node:crypto'
import {
  authorityKeyIdentifier,
  basicConstraints,
  certificate,
  crlDistributionPoint,
  distinguishedName,
  ecdsaSha384,
  keyUsage,
  subjectKeyIdentifier,
} from '../../der/certificate.ts'

const region = 'us-east-1'
export const instanceId = 'i-0a1b2c3d4e5f60718'
export const enclaveId = 'enc0190a1b2c3d4e5f6'

const rootName = distinguishedName(['C', 'US'], ['O', 'Amazon'], ['OU', 'AWS'], ['CN', 'aws.nitro-enclaves'])
const regionalName = distinguishedName(
  ['C', 'US'],
  ['O', 'Amazon'],
  ['OU', 'AWS'],
  ['CN', `2f442bd2442676f0.${region}.aws.nitro-enclaves`],
)
const zonalName = distinguishedName(
  ['CN', `aa7d944093e8ba36.zonal.${region}.aws.nitro-enclaves`],
  ['OU', 'AWS'],
  ['O', 'Amazon'],
  ['C', 'US'],
  ['ST', 'WA'],
  ['L', 'Seattle'],
)
const seattle = [
  ['C', 'US'],
  ['ST', 'Washington'],
  ['L', 'Seattle'],
  ['O', 'Amazon'],
  ['OU', 'AWS'],
] as const
const instanceName = distinguishedName(...seattle, ['CN', `${instanceId}.${region}.aws.nitro-enclaves`])
const enclaveName = distinguishedName(...seattle, ['CN', `${instanceId}-${enclaveId}.${region}.aws`])

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour

/** AWS's self-signed root, in its form. @param keys P-384 */
export function nitroRoot(keys: KeyPairKeyObjectResult): Buffer {
  return certificate(
    {
      serial: Buffer.from('f93175681b90afe11d46ccb4e4e7f856', 'hex'),
      issuer: rootName,
      subject: rootName,
      notBefore: Date.UTC(2019, 9, 28, 13, 28, 5),
      notAfter: Date.UTC(2049, 9, 28, 14, 28, 5),
      publicKey: keys.publicKey,
      extensions: [
        basicConstraints(true),
        subjectKeyIdentifier(keys.publicKey),
        keyUsage('signatureCertificateAndCrlSign'),
      ],
    },
    ecdsaSha384(keys.privateKey),
  )
}

export interface NitroChain {
  /** Root first, the issuer of the leaf last: the document's `cabundle`. */
  readonly authorities: readonly Buffer[]
  readonly leaf: Buffer
  readonly leafPrivateKey: KeyObject
}

/** Region, zone, instance and enclave, each certified by the one before; the leaf lives three hours. @param now Unix ms */
export function nitroChain(
  root: Buffer,
  rootKey: KeyPairKeyObjectResult,
  leafExpired: boolean,
  now: number,
): NitroChain {
  const regional = p384()
  const zonal = p384()
  const instance = p384()
  const enclave = p384()
  const authority = (
    name: Buffer,
    key: KeyPairKeyObjectResult,
    issuer: Buffer,
    issuerKey: KeyPairKeyObjectResult,
    pathLength: number,
    crl: string,
    notBefore: number,
    notAfter: number,
  ) =>
    certificate(
      {
        serial: randomBytes(16),
        issuer,
        subject: name,
        notBefore,
        notAfter,
        publicKey: key.publicKey,
        extensions: [
          basicConstraints(true, pathLength),
          authorityKeyIdentifier(issuerKey.publicKey),
          subjectKeyIdentifier(key.publicKey),
          keyUsage('signatureCertificateAndCrlSign'),
          crlDistributionPoint(crl),
        ],
      },
      ecdsaSha384(issuerKey.privateKey),
    )
  const leafNotBefore = leafExpired ? now - 4 * hour : now - minute
  return {
    authorities: [
      root,
      authority(
        regionalName,
        regional,
        rootName,
        rootKey,
        2,
        'http://aws-nitro-enclaves-crl.s3.amazonaws.com/crl/ab4960cc-7d63-42bd-9e9f-59338cb67f84.crl',
        now - 5 * day,
        now + 15 * day,
      ),
      authority(
        zonalName,
        zonal,
        regionalName,
        regional,
        1,
        `http://crl-${region}-aws-nitro-enclaves.s3.${region}.amazonaws.com/crl/571379f4-0958-4ee7-8616-d0e25db52a14.crl`,
        now - day,
        now + 4 * day,
      ),
      certificate(
        {
          serial: randomBytes(20),
          issuer: zonalName,
          subject: instanceName,
          notBefore: now - 12 * hour,
          notAfter: now + 12 * hour,
          publicKey: instance.publicKey,
          extensions: [basicConstraints(true, 0), keyUsage('certificateSign')],
        },
        ecdsaSha384(zonal.privateKey),
      ),
    ],
    leaf: certificate(
      {
        serial: randomBytes(16),
        issuer: instanceName,
        subject: enclaveName,
        notBefore: leafNotBefore,
        notAfter: leafNotBefore + 3 * hour,
        publicKey: enclave.publicKey,
        extensions: [basicConstraints(false), keyUsage('signatureAndNonRepudiation', false)],
      },
      ecdsaSha384(instance.privateKey),
    ),
    leafPrivateKey: enclave.privateKey,
  }
}

function p384(): KeyPairKeyObjectResult {
  return generateKeyPairSync('ec', { namedCurve: 'P-384' })
}
