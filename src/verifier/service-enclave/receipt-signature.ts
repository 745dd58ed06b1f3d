import { constants, type KeyObject, type VerifyKeyObjectInput } from 'node:crypto'
import type { Routing } from '../routing.ts'
import { isJsonObject } from '../strict-json.ts'
import { bytesIn, textIn } from '../json-members.ts'
import { parseUnambiguousJson } from '../v3/exact-json.ts'
import { isSignature, publicKeyFromSpki } from '../x509/index.ts'

/** The signature of an RSA key of 8192 bits has 1368 characters in base64. */
const MAX_SIGNATURE_TEXT = 4096
const MAX_SIGNATURE = 1024
const OVER = 'receipt_json_utf8'
const MIN_RSA_BITS = 2048
const RSA_SALT_BYTES = 32

export interface ReceiptSignature {
  readonly algorithm: string
  readonly signature: Uint8Array
}

/**
 * Reads `{alg, over, sig}`; hostile. `over` must name the receipt's text, because nothing else is verified.
 * @returns undefined if it isn't a signature of a receipt
 */
export function readSignature(text: string): ReceiptSignature | undefined {
  if (text.length > MAX_SIGNATURE_TEXT) return undefined
  try {
    const signature = parseUnambiguousJson(Buffer.from(text))
    if (!isJsonObject(signature) || signature['over'] !== OVER) return undefined
    return { algorithm: textIn(signature, 'alg', 32), signature: bytesIn(signature, 'sig', MAX_SIGNATURE) }
  } catch {
    return undefined
  }
}

type Scheme = {
  readonly algorithm: string
  /** With the parameters of the algorithm. */
  readonly key: VerifyKeyObjectInput
}

/**
 * The key's type decides on the algorithm, and the signature must name the same one.
 *
 * @param spki DER of the attested TLS key
 * @param text the receipt as it was received: its UTF-8 bytes are signed
 * @returns why the signature is refused
 */
export function verifyReceiptSignature(
  spki: Uint8Array,
  text: string,
  { algorithm, signature }: ReceiptSignature,
): Extract<Routing['refusal'], 'key' | 'algorithm' | 'signature'> | undefined {
  const key = publicKeyFromSpki(spki)
  const scheme = key && schemeOf(key)
  if (!scheme) return 'key'
  if (algorithm !== scheme.algorithm) return 'algorithm'
  return isSignature('sha256', Buffer.from(text), scheme.key, signature) ? undefined : 'signature'
}

function schemeOf(key: KeyObject): Scheme | undefined {
  const { namedCurve, modulusLength } = key.asymmetricKeyDetails ?? {}
  if (key.asymmetricKeyType === 'ec' && namedCurve === 'prime256v1') {
    return { algorithm: 'ECDSA-SHA256', key: { key, dsaEncoding: 'der' } }
  }
  if (key.asymmetricKeyType === 'rsa' && modulusLength !== undefined && modulusLength >= MIN_RSA_BITS) {
    return {
      algorithm: 'RSA-PSS-SHA256',
      key: { key, padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: RSA_SALT_BYTES },
    }
  }
  return undefined
}
