import {
  EhbpError,
  AEAD_KEY_BYTES,
  AEAD_NONCE_BYTES,
  HASH_BYTES,
  RESPONSE_EXPORT_CONTEXT,
  X25519_KEY_BYTES,
} from './protocol.ts'
import { encap, exportSecret, keySchedule } from './hpke.ts'
import type { KeyPair, Primitives } from './primitives.ts'

/** enc ‖ key ‖ base nonce ‖ exported secret of the response. */
export const SETUP_BYTES = X25519_KEY_BYTES + AEAD_KEY_BYTES + AEAD_NONCE_BYTES + HASH_BYTES
const KEY_AT = X25519_KEY_BYTES
const NONCE_AT = KEY_AT + AEAD_KEY_BYTES
const SECRET_AT = NONCE_AT + AEAD_NONCE_BYTES

/** The parts of a setup, as views of its bytes. */
export interface RequestSetup {
  readonly encapsulatedKey: Uint8Array
  readonly key: Uint8Array
  readonly baseNonce: Uint8Array
  readonly responseSecret: Uint8Array
}

/**
 * SetupBaseS (RFC 9180, 5.1.1) to a 32-byte X25519 key with a fresh ephemeral pair, and its exported secret.
 * A setup has everything that a request needs except its body, so it can be created in advance. It serves a
 * single request and must stay secret until then.
 *
 * Throws ehbp/key-invalid if the key has another length or is of low order.
 */
export function setUp(
  primitives: Primitives,
  recipientPublicKey: Uint8Array,
  ephemeral: KeyPair = primitives.keyPair(),
): Uint8Array<ArrayBuffer> {
  const sharedSecret = encap(primitives, ephemeral, recipientPublicKey)
  if (sharedSecret === undefined)
    throw new EhbpError('ehbp/key-invalid', 'The recipient’s key is not a usable X25519 public key.')
  const context = keySchedule(primitives, sharedSecret)
  const setup = new Uint8Array(SETUP_BYTES)
  setup.set(ephemeral.publicKey)
  setup.set(context.key, KEY_AT)
  setup.set(context.baseNonce, NONCE_AT)
  const responseSecret = exportSecret(primitives, context, RESPONSE_EXPORT_CONTEXT)
  setup.set(responseSecret, SECRET_AT)
  for (const secret of [sharedSecret, context.key, context.exporterSecret, responseSecret]) secret.fill(0)
  return setup
}

/**
 * Views instead of copies, so that zeroing the setup zeroes all of them. Throws RangeError if the length
 * isn't SETUP_BYTES.
 */
export function partsOf(setup: Uint8Array): RequestSetup {
  if (setup.byteLength !== SETUP_BYTES) throw new RangeError('A setup has 108 bytes.')
  return {
    encapsulatedKey: setup.subarray(0, KEY_AT),
    key: setup.subarray(KEY_AT, NONCE_AT),
    baseNonce: setup.subarray(NONCE_AT, SECRET_AT),
    responseSecret: setup.subarray(SECRET_AT),
  }
}
