import { createHash, generateKeyPairSync, type KeyObject } from 'node:crypto'
import { spkiDer } from '../der/certificate.ts'

interface KeyPair { readonly publicKey: KeyObject; readonly privateKey: KeyObject }

/** The keys that an enclave makes at boot and shows to nobody. */
export interface EnclaveKeys {
  /** X25519: what requests are sealed to. */
  readonly hpke: KeyPair
  /** P-384. */
  readonly tls: KeyPair
  /** Somebody else's X25519 key, in use where the fault `swapped-key` is on: who is deceived by it is read by it. */
  readonly impostor: KeyPair
}

export function bootEnclave(): EnclaveKeys {
  return {
    hpke: generateKeyPairSync('x25519'),
    tls: generateKeyPairSync('ec', { namedCurve: 'P-384' }),
    impostor: generateKeyPairSync('x25519'),
  }
}

/** The one enclave of the private path; a rotation is a boot. */
export class Enclave {
  #keys: EnclaveKeys | undefined

  get keys(): EnclaveKeys {
    return this.#keys ??= bootEnclave()
  }

  /** The next to ask for the keys finds new ones. */
  rotate(): void {
    this.#keys = undefined
  }
}

/** The last 32 bytes of the SPKI (RFC 8410 section 4). */
export function rawX25519(publicKey: KeyObject): Buffer {
  return spkiDer(publicKey).subarray(-32)
}

/** report_data of the document's version 2: SHA-256 of the TLS key's SPKI, then the raw HPKE key. */
export function reportData(keys: EnclaveKeys): Buffer {
  return Buffer.concat([createHash('sha256').update(spkiDer(keys.tls.publicKey)).digest(), rawX25519(keys.hpke.publicKey)])
}
