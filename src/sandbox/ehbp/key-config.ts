import type { KeyObject } from 'node:crypto'
import { rawX25519 } from '../world/enclave.ts'
import { aeadId, kdfId, kemId } from './hpke-recipient.ts'

export const keyConfigType = 'application/ohttp-keys'

/** `key_id u8 || kem u16 || public key 32 || length of suites u16 || kdf u16 || aead u16`: 41 bytes, without RFC 9458's outer length. */
export function keyConfig(publicKey: KeyObject): Buffer {
  return Buffer.concat([Buffer.of(0, 0, kemId), rawX25519(publicKey), Buffer.of(0, 4, 0, kdfId, 0, aeadId)])
}
