import {
  AEAD_AES_256_GCM,
  CipherSuite,
  KDF_HKDF_SHA256,
  KEM_DHKEM_X25519_HKDF_SHA256,
  type RecipientContext,
} from 'hpke'
import { deriveResponseKeys, encryptChunk } from 'ehbp'
import { frame } from './frames.ts'

/** The published packages ask WebCrypto for a key by a method that Node calls experimental. Only that warning is silenced, and only here. */
const emitWarning = process.emitWarning.bind(process)
process.emitWarning = (warning: string | Error, ...rest: []) => {
  if (!String(warning).includes('getPublicKey')) emitWarning(warning, ...rest)
}

const suite = new CipherSuite(KEM_DHKEM_X25519_HKDF_SHA256, KDF_HKDF_SHA256, AEAD_AES_256_GCM)

/** npm `hpke` as the enclave: what it makes of a key pair and an encapsulated key. */
export async function publishedRecipient(
  privateKey: Uint8Array,
  publicKey: Uint8Array,
  encapsulatedKey: Uint8Array,
): Promise<RecipientContext> {
  const pair = {
    privateKey: await suite.DeserializePrivateKey(privateKey, true),
    publicKey: await suite.DeserializePublicKey(publicKey),
  }
  return suite.SetupRecipient(pair, encapsulatedKey, { info: Buffer.from('ehbp request') })
}

/** The plaintexts of framed ciphertexts, opened by npm `hpke`. */
export async function decryptPublished(recipient: RecipientContext, frames: Uint8Array): Promise<Buffer> {
  const opened: Uint8Array[] = []
  for (let rest = Buffer.from(frames); rest.byteLength > 0;) {
    const length = rest.readUInt32BE()
    opened.push(await recipient.Open(rest.subarray(4, 4 + length)))
    rest = rest.subarray(4 + length)
  }
  return Buffer.concat(opened)
}

/** A response as npm `ehbp` seals it. */
export async function sealPublished(
  recipient: RecipientContext,
  encapsulatedKey: Uint8Array,
  responseNonce: Uint8Array,
  plaintexts: Uint8Array[],
): Promise<Buffer> {
  const keys = await deriveResponseKeys(
    await recipient.Export(Buffer.from('ehbp response'), 32),
    encapsulatedKey,
    responseNonce,
  )
  const frames: Buffer[] = []
  for (const [sequence, plaintext] of plaintexts.entries())
    frames.push(frame(await encryptChunk(keys, sequence, plaintext)))
  return Buffer.concat(frames)
}
