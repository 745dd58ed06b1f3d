import { createHash, type KeyObject, type KeyPairKeyObjectResult } from 'node:crypto'
import {
  authorityKeyIdentifier,
  basicConstraints,
  certificate,
  distinguishedName,
  ecdsaSha384,
  extendedKeyUsage,
  keyUsage,
  spkiDer,
  subjectKeyIdentifier,
} from '../der/certificate.ts'

const organization = 'sigstore.sotto-sandbox.example'
export const fulcioIntermediateName = distinguishedName(
  ['O', organization],
  ['CN', 'sotto-sandbox-sigstore-intermediate'],
)
const fulcioRootName = distinguishedName(['O', organization], ['CN', 'sotto-sandbox-sigstore'])
export const rekorHost = 'rekor.sotto-sandbox.example'

const notBefore = Date.UTC(2022, 3, 13, 20, 6, 15)
const notAfter = Date.UTC(2046, 9, 5, 13, 56, 58)

/** Fulcio's root and the intermediate that signs for workflows. @param root @param intermediate P-384 */
export function fulcioRoots(
  root: KeyPairKeyObjectResult,
  intermediate: KeyPairKeyObjectResult,
): { root: Buffer; intermediate: Buffer } {
  const signer = ecdsaSha384(root.privateKey)
  return {
    root: certificate(
      {
        serial: 1,
        issuer: fulcioRootName,
        subject: fulcioRootName,
        notBefore,
        notAfter,
        publicKey: root.publicKey,
        extensions: [
          keyUsage('certificateAndCrlSign'),
          basicConstraints(true, 1),
          subjectKeyIdentifier(root.publicKey),
        ],
      },
      signer,
    ),
    intermediate: certificate(
      {
        serial: 2,
        issuer: fulcioRootName,
        subject: fulcioIntermediateName,
        notBefore,
        notAfter,
        publicKey: intermediate.publicKey,
        extensions: [
          keyUsage('certificateAndCrlSign'),
          extendedKeyUsage('codeSigning'),
          basicConstraints(true, 0),
          subjectKeyIdentifier(intermediate.publicKey),
          authorityKeyIdentifier(root.publicKey),
        ],
      },
      signer,
    ),
  }
}

/** RFC 6962 section 3.2, and Rekor alike: a log's id is the SHA-256 of its SubjectPublicKeyInfo. */
export function logId(key: KeyObject): Buffer {
  return createHash('sha256').update(spkiDer(key)).digest()
}

interface SigstoreTrust {
  readonly fulcioRoot: Uint8Array
  readonly fulcioIntermediate: Uint8Array
  readonly ctLogPublicKey: KeyObject
  readonly rekorPublicKey: KeyObject
}

/** Sigstore's trusted_root.json (dev.sigstore.trustroot.v1.TrustedRoot), as text. There is no timestamp authority. */
export function trustedRootJson(trust: SigstoreTrust): string {
  const validFor = { start: new Date(notBefore).toISOString() }
  const log = (baseUrl: string, key: KeyObject) => ({
    baseUrl,
    hashAlgorithm: 'SHA2_256',
    publicKey: { rawBytes: spkiDer(key).toString('base64'), keyDetails: 'PKIX_ECDSA_P256_SHA_256', validFor },
    logId: { keyId: logId(key).toString('base64') },
  })
  return JSON.stringify({
    mediaType: 'application/vnd.dev.sigstore.trustedroot+json;version=0.1',
    tlogs: [log(`https://${rekorHost}`, trust.rekorPublicKey)],
    certificateAuthorities: [
      {
        subject: { organization, commonName: 'sotto-sandbox-sigstore' },
        uri: 'https://fulcio.sotto-sandbox.example',
        certChain: {
          certificates: [trust.fulcioIntermediate, trust.fulcioRoot].map((der) => ({
            rawBytes: Buffer.from(der).toString('base64'),
          })),
        },
        validFor,
      },
    ],
    ctlogs: [log('https://ctfe.sotto-sandbox.example/2022', trust.ctLogPublicKey)],
    timestampAuthorities: [],
  })
}
