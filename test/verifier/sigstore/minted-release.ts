import { createHash, generateKeyPairSync, sign, type KeyPairKeyObjectResult } from 'node:crypto'
import { initializeCA, initializeCTLog, initializeTLog, initializeTSA } from '@sigstore/mock'
import { z } from 'zod'
import type { CodePolicy } from '../../../src/shared/policy/code.ts'
import type { JsonObject, JsonValue } from '../../../src/verifier/strict-json.ts'
import { mintRekor2, type Logged } from './minted-rekor2.ts'

/** A Sigstore of our own: real keys and real signatures, by an implementation that is not the verifier's. */
export interface MintedSigstore {
  readonly trustedRoot: JsonObject
  readonly release: (wishes?: ReleaseWishes) => Promise<JsonObject>
  /** The log of the second generation, as the trusted root names it. */
  readonly rekor2Instance: (validFor?: JsonObject) => JsonObject
}

export interface ReleaseWishes {
  readonly subject?: string
  /** By the last arc of Fulcio's extensions: another value, or none. */
  readonly extensions?: Readonly<Record<number, string | undefined>>
  readonly payload?: Buffer
  readonly payloadType?: string
  /** Signed by a key other than the certified one. */
  readonly otherKey?: boolean
  /** Timed by the authority, and not by the log. */
  readonly timestampAuthority?: boolean
  /** Logged in the log of the second generation as an entry of this kind, and timed by the authority. */
  readonly rekor2?: Logged['kind']
}

export const REPOSITORY = 'sotto-test/router'
export const TAG = 'v1.2.3'
export const COMMIT = '0123456789abcdef0123456789abcdef01234567'
export const DIGEST = 'ab'.repeat(32)
export const REGISTERS = { snp: '11'.repeat(48), rtmr1: '22'.repeat(48), rtmr2: '33'.repeat(48) }
export const PREDICATE = 'https://tinfoil.sh/predicate/snp-tdx-multiplatform/v1'
const ISSUER = 'https://token.actions.githubusercontent.com'
const REKOR = 'https://rekor.minted.test'
const SUBJECT = `https://github.com/${REPOSITORY}/.github/workflows/build.yml@refs/tags/${TAG}`

export const mintedPolicy: CodePolicy = {
  repository: REPOSITORY,
  oidcIssuer: ISSUER,
  refPrefix: 'refs/tags/',
  runnerEnvironment: 'github-hosted',
  predicateTypes: [PREDICATE],
}

const extensionsOfRelease: Readonly<Record<number, string>> = {
  1: ISSUER,
  5: REPOSITORY,
  6: `refs/tags/${TAG}`,
  8: ISSUER,
  9: SUBJECT,
  11: 'github-hosted',
  12: `https://github.com/${REPOSITORY}`,
  13: COMMIT,
  14: `refs/tags/${TAG}`,
}

export const statementOfRelease = {
  _type: 'https://in-toto.io/Statement/v1',
  subject: [{ name: 'release.json', digest: { sha256: DIGEST } }],
  predicateType: PREDICATE,
  predicate: {
    snp_measurement: REGISTERS.snp,
    tdx_measurement: { rtmr1: REGISTERS.rtmr1, rtmr2: REGISTERS.rtmr2 },
  } as JsonObject,
}

export const payloadOf = (statement: object) => Buffer.from(JSON.stringify(statement))

export async function mintSigstore(): Promise<MintedSigstore> {
  const keys = { ca: p384(), ct: p256(), log: p256(), tsa: p384() }
  const ctLog = await initializeCTLog(keys.ct)
  const ca = await initializeCA(keys.ca, ctLog)
  const log = await initializeTLog(REKOR, keys.log)
  const rekor2 = mintRekor2()
  // The authority keeps this very object, so that it can be moved on: it writes fractions of a second that not every reader takes.
  const tsaClock = new Date()
  const tsa = await initializeTSA(keys.tsa, tsaClock)
  const since = { validFor: { start: '2020-01-01T00:00:00Z' } }
  const trustedRoot: JsonObject = {
    mediaType: 'application/vnd.dev.sigstore.trustedroot+json;version=0.1',
    tlogs: [logInstance(REKOR, keys.log), rekor2.instance()],
    ctlogs: [logInstance('https://ct.minted.test', keys.ct)],
    certificateAuthorities: [
      { ...since, uri: 'https://fulcio.minted.test', certChain: chain(ca.rootCertificate) },
    ],
    timestampAuthorities: [
      { ...since, uri: 'https://tsa.minted.test', certChain: chain(tsa.intCertificate, tsa.rootCertificate) },
    ],
  }

  const release = async (wishes: ReleaseWishes = {}): Promise<JsonObject> => {
    const {
      subject = SUBJECT,
      payload = payloadOf(statementOfRelease),
      payloadType = 'application/vnd.in-toto+json',
    } = wishes
    const signer = p256()
    const certificate = await ca.issueCertificate({
      publicKey: spki(signer),
      subjectAltName: subject,
      extensions: fulcioExtensions({ ...extensionsOfRelease, ...wishes.extensions }),
    })
    const signature = sign(
      'sha256',
      preAuthEncoding(payloadType, payload),
      (wishes.otherKey ? p256() : signer).privateKey,
    )
    const byAuthority = wishes.timestampAuthority === true || wishes.rekor2 !== undefined
    const logged: unknown = await log.log({
      apiVersion: '0.0.1',
      kind: 'dsse',
      spec: {
        envelopeHash: { algorithm: 'sha256', value: sha256(Buffer.from('envelope')).toString('hex') },
        payloadHash: { algorithm: 'sha256', value: sha256(payload).toString('hex') },
        signatures: [{ signature: signature.toString('base64'), verifier: base64(pem(certificate)) }],
      },
    })
    tsaClock.setTime(Math.floor(Date.now() / 1000) * 1000)
    const timestamp =
      byAuthority &&
      (await tsa.timestamp({
        artifactHash: sha256(signature),
        hashAlgorithmOID: '2.16.840.1.101.3.4.2.1',
        nonce: 1,
        policyOID: '1.3.6.1.4.1.57264.2',
        certReq: false,
      }))
    return {
      mediaType: 'application/vnd.dev.sigstore.bundle.v0.3+json',
      verificationMaterial: {
        certificate: { rawBytes: base64(certificate) },
        tlogEntries: [
          wishes.rekor2
            ? rekor2.entry({
                kind: wishes.rekor2,
                payload,
                signedBytes: preAuthEncoding(payloadType, payload),
                signature,
                certificate: Buffer.from(base64(certificate), 'base64'),
              })
            : logEntry(logged, !byAuthority),
        ],
        ...(timestamp && {
          timestampVerificationData: { rfc3161Timestamps: [{ signedTimestamp: base64(timestamp) }] },
        }),
      },
      dsseEnvelope: {
        payload: base64(payload),
        payloadType,
        signatures: [{ sig: signature.toString('base64') }],
      },
    }
  }
  return { trustedRoot, release, rekor2Instance: rekor2.instance }
}

const loggedForm = z.object({
  body: z.string(),
  integratedTime: z.int(),
  logID: z.string(),
  logIndex: z.int(),
  verification: z.object({
    inclusionProof: z.object({
      logIndex: z.int(),
      rootHash: z.string(),
      treeSize: z.int(),
      hashes: z.array(z.string()),
      checkpoint: z.string(),
    }),
    signedEntryTimestamp: z.string(),
  }),
})

/** Rekor's answer, by a random id, as the entry of a bundle. */
function logEntry(answer: unknown, timed: boolean): JsonValue {
  const [logged] = Object.values(z.record(z.string(), loggedForm).parse(answer))
  const {
    body,
    integratedTime,
    logID,
    logIndex,
    verification: { inclusionProof: proof, signedEntryTimestamp },
  } = logged!
  return {
    logIndex: String(logIndex),
    logId: { keyId: Buffer.from(logID, 'hex').toString('base64') },
    kindVersion: { kind: 'dsse', version: '0.0.1' },
    ...(timed && { integratedTime: String(integratedTime), inclusionPromise: { signedEntryTimestamp } }),
    inclusionProof: {
      logIndex: String(proof.logIndex),
      rootHash: Buffer.from(proof.rootHash, 'hex').toString('base64'),
      treeSize: String(proof.treeSize),
      hashes: proof.hashes,
      checkpoint: { envelope: proof.checkpoint },
    },
    canonicalizedBody: body,
  }
}

function logInstance(baseUrl: string, keys: KeyPairKeyObjectResult): JsonValue {
  return {
    baseUrl,
    hashAlgorithm: 'SHA2_256',
    publicKey: {
      rawBytes: base64(spki(keys)),
      keyDetails: 'PKIX_ECDSA_P256_SHA_256',
      validFor: { start: '2020-01-01T00:00:00Z' },
    },
    logId: { keyId: sha256(spki(keys)).toString('base64') },
  }
}

function fulcioExtensions(values: Readonly<Record<number, string | undefined>>) {
  return Object.entries(values).flatMap(([arc, value]) =>
    value === undefined ? [] : [{ oid: `1.3.6.1.4.1.57264.1.${arc}`, value, legacy: Number(arc) < 8 }],
  )
}

/** DSSE v1.0.2, "PAE definition". */
function preAuthEncoding(type: string, payload: Buffer): Buffer {
  return Buffer.concat([Buffer.from(`DSSEv1 ${Buffer.byteLength(type)} ${type} ${payload.length} `), payload])
}

const p256 = () => generateKeyPairSync('ec', { namedCurve: 'P-256' })
const p384 = () => generateKeyPairSync('ec', { namedCurve: 'P-384' })
const spki = (keys: KeyPairKeyObjectResult) =>
  Buffer.from(keys.publicKey.export({ format: 'der', type: 'spki' }))
const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest()
const chain = (...certificates: ArrayBufferView[]) => ({
  certificates: certificates.map((der) => ({ rawBytes: base64(der) })),
})
const pem = (der: ArrayBufferView) =>
  Buffer.from(`-----BEGIN CERTIFICATE-----\n${base64(der)}\n-----END CERTIFICATE-----\n`)

function base64({ buffer, byteOffset, byteLength }: ArrayBufferView): string {
  return Buffer.from(buffer, byteOffset, byteLength).toString('base64')
}
