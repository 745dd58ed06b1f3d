import { createHash, generateKeyPairSync, sign } from 'node:crypto'
import type { JsonObject, JsonValue } from '../../../src/verifier/strict-json.ts'

/** The parts of a signed envelope that are logged. */
export interface Logged {
  readonly kind: 'dsse' | 'hashedrekord'
  readonly payload: Buffer
  /** The bytes that the signature covers. */
  readonly signedBytes: Buffer
  readonly signature: Buffer
  /** DER. */
  readonly certificate: Buffer
}

/** A log of the second generation: Ed25519 checkpoints, without a promise or a time. */
export interface MintedRekor2 {
  readonly instance: (validFor?: JsonObject) => JsonObject
  readonly entry: (logged: Logged) => JsonObject
}

const ORIGIN = 'log2026-1.minted.test'

export function mintRekor2(): MintedRekor2 {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519')
  const spki = Buffer.from(publicKey.export({ format: 'der', type: 'spki' }))
  // C2SP signed-note: SHA-256 over the name, a line feed, the kind of key (1: Ed25519), and the key.
  const keyId = sha256(Buffer.from(`${ORIGIN}\n`), Buffer.of(1), spki.subarray(-32))
  const instance = (validFor: JsonObject = { start: '2020-01-01T00:00:00Z' }): JsonObject => ({
    baseUrl: `https://${ORIGIN}`,
    hashAlgorithm: 'SHA2_256',
    publicKey: { rawBytes: spki.toString('base64'), keyDetails: 'PKIX_ED25519', validFor },
    logId: { keyId: keyId.toString('base64') },
  })

  const entry = (logged: Logged): JsonObject => {
    const body = Buffer.from(JSON.stringify(bodyOf(logged)))
    // The third leaf of three: its path is one hash, on the right border.
    const sibling = sha256(Buffer.of(1), leaf(Buffer.from('first')), leaf(Buffer.from('second')))
    const root = sha256(Buffer.of(1), sibling, leaf(body)).toString('base64')
    const note = `${ORIGIN}\n3\n${root}\n`
    const signature = Buffer.concat([
      keyId.subarray(0, 4),
      sign(null, Buffer.from(note), privateKey),
    ]).toString('base64')
    return {
      logIndex: '2',
      logId: { keyId: keyId.toString('base64') },
      kindVersion: { kind: logged.kind, version: '0.0.2' },
      inclusionProof: {
        logIndex: '2',
        treeSize: '3',
        rootHash: root,
        hashes: [sibling.toString('base64')],
        // Witnesses sign in addition to the log. No verifier here knows them.
        checkpoint: {
          envelope: `${note}\n— witness.example/w ${Buffer.alloc(76, 9).toString('base64')}\n— ${ORIGIN} ${signature}\n`,
        },
      },
      canonicalizedBody: body.toString('base64'),
    }
  }
  return { instance, entry }
}

/** Rekor v2, `rekor/v2/entry.proto`. */
function bodyOf({ kind, payload, signedBytes, signature, certificate }: Logged): JsonValue {
  const verifier = {
    keyDetails: 'PKIX_ECDSA_P256_SHA_256',
    x509Certificate: { rawBytes: certificate.toString('base64') },
  }
  const signed = { content: signature.toString('base64'), verifier }
  const digest = (bytes: Buffer) => ({ algorithm: 'SHA2_256', digest: sha256(bytes).toString('base64') })
  return {
    apiVersion: '0.0.2',
    kind,
    spec:
      kind === 'dsse'
        ? { dsseV002: { payloadHash: digest(payload), signatures: [signed] } }
        : { hashedRekordV002: { data: digest(signedBytes), signature: signed } },
  }
}

const leaf = (bytes: Buffer) => sha256(Buffer.of(0), bytes)

function sha256(...parts: Buffer[]): Buffer {
  const hash = createHash('sha256')
  for (const part of parts) hash.update(part)
  return hash.digest()
}
