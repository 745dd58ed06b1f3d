import { native } from './native.ts'
import type { KeyPair, Primitives } from './primitives.ts'
import { AEAD_KEY_BYTES, AEAD_NONCE_BYTES, HASH_BYTES, REQUEST_INFO, X25519_KEY_BYTES } from './protocol.ts'

/**
 * HPKE (RFC 9180), the sender's side of base mode, only for the suite and the `info` of EHBP: DHKEM(X25519,
 * HKDF-SHA256) 0x0020, HKDF-SHA256 0x0001, AES-256-GCM 0x0002. Functions have the RFC's names.
 */
export interface HpkeContext {
  readonly key: Uint8Array
  readonly baseNonce: Uint8Array
  readonly exporterSecret: Uint8Array
}

/** I2OSP(kem_id, 2), followed by kdf_id and aead_id for the HPKE suite (RFC 9180, 4.1 and 5.1). */
const KEM_SUITE_ID = Buffer.from('KEM\x00\x20', 'latin1')
const HPKE_SUITE_ID = Buffer.from('HPKE\x00\x20\x00\x01\x00\x02', 'latin1')
const MODE_BASE = Uint8Array.of(0x00)

const EMPTY = new Uint8Array()
/** The salt that HKDF-Extract uses if there is none (RFC 5869, 2.2). */
const NO_SALT = new Uint8Array(HASH_BYTES)
/** The counter of HKDF-Expand's first block. No output here is longer than that block (RFC 5869, 2.3). */
const FIRST_BLOCK = Uint8Array.of(0x01)

/** The prefix of the input of LabeledExtract and LabeledExpand (RFC 9180, 4). */
const label = (suiteId: Uint8Array, name: string) =>
  Buffer.concat([Buffer.from('HPKE-v1'), suiteId, Buffer.from(name)])
const expandLabel = (suiteId: Uint8Array, name: string, length: number) =>
  Buffer.concat([Uint8Array.of(0, length), label(suiteId, name)])

const EAE_PRK = label(KEM_SUITE_ID, 'eae_prk')
const SHARED_SECRET = expandLabel(KEM_SUITE_ID, 'shared_secret', HASH_BYTES)
const SECRET = label(HPKE_SUITE_ID, 'secret')
const KEY = expandLabel(HPKE_SUITE_ID, 'key', AEAD_KEY_BYTES)
const BASE_NONCE = expandLabel(HPKE_SUITE_ID, 'base_nonce', AEAD_NONCE_BYTES)
const EXPORTER_SECRET = expandLabel(HPKE_SUITE_ID, 'exp', HASH_BYTES)
const EXPORT_32 = expandLabel(HPKE_SUITE_ID, 'sec', HASH_BYTES)

/** mode || psk_id_hash || info_hash (RFC 9180, 5.1). All parts are the same for every request. */
const KEY_SCHEDULE_CONTEXT = Buffer.concat([
  MODE_BASE,
  native.hmac(NO_SALT, label(HPKE_SUITE_ID, 'psk_id_hash')),
  native.hmac(NO_SALT, label(HPKE_SUITE_ID, 'info_hash'), Buffer.from(REQUEST_INFO)),
])

/**
 * Encap (RFC 9180, 4.1) with a given ephemeral pair; `enc` is the pair's public key. Returns the 32-byte
 * shared secret. Returns undefined if the recipient's key isn't 32 bytes long or is of low order (7.1.4).
 */
export function encap(
  primitives: Primitives,
  ephemeral: KeyPair,
  recipientPublicKey: Uint8Array,
): Uint8Array | undefined {
  if (recipientPublicKey.byteLength !== X25519_KEY_BYTES) return undefined
  const dh = agree(ephemeral, recipientPublicKey)
  if (dh === undefined) return undefined
  const eaePrk = primitives.hmac(NO_SALT, EAE_PRK, dh)
  return primitives.hmac(eaePrk, SHARED_SECRET, ephemeral.publicKey, recipientPublicKey, FIRST_BLOCK)
}

/** KeySchedule (RFC 9180, 5.1) in base mode with info `ehbp request`. */
export function keySchedule({ hmac }: Primitives, sharedSecret: Uint8Array): HpkeContext {
  const secret = hmac(sharedSecret, SECRET, EMPTY)
  return {
    key: hmac(secret, KEY, KEY_SCHEDULE_CONTEXT, FIRST_BLOCK),
    baseNonce: hmac(secret, BASE_NONCE, KEY_SCHEDULE_CONTEXT, FIRST_BLOCK).subarray(0, AEAD_NONCE_BYTES),
    exporterSecret: hmac(secret, EXPORTER_SECRET, KEY_SCHEDULE_CONTEXT, FIRST_BLOCK),
  }
}

/** Context.Export(exporter_context, 32) (RFC 9180, 5.3). */
export function exportSecret(
  { hmac }: Primitives,
  { exporterSecret }: HpkeContext,
  exporterContext: string,
): Uint8Array {
  return hmac(exporterSecret, EXPORT_32, Buffer.from(exporterContext), FIRST_BLOCK)
}

/** OpenSSL and @noble throw on a low-order point. The RFC's own check covers implementations that don't. */
function agree(ephemeral: KeyPair, recipientPublicKey: Uint8Array): Uint8Array | undefined {
  let dh: Uint8Array
  try {
    dh = ephemeral.agree(recipientPublicKey)
  } catch {
    return undefined
  }
  let bits = 0
  for (const byte of dh) bits |= byte
  return bits === 0 ? undefined : dh
}
