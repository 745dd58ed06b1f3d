import { createHash, generateKeyPairSync, type KeyObject, type KeyPairKeyObjectResult } from 'node:crypto'
import type { SandboxPlatform } from '../../shared/sandbox-faults.ts'
import { spkiDer } from '../der/certificate.ts'

/** The secret keys that an enclave generates at boot. */
export interface EnclaveKeys {
  /** X25519: what requests are sealed to. */
  readonly hpke: KeyPairKeyObjectResult
  /** P-384. */
  readonly tls: KeyPairKeyObjectResult
  /**
   * The X25519 key of an attacker, used by the fault `swapped-key`: the attacker could read a request
   * sealed to it.
   */
  readonly impostor: KeyPairKeyObjectResult
}

export function bootEnclave(): EnclaveKeys {
  return {
    hpke: generateKeyPairSync('x25519'),
    tls: generateKeyPairSync('ec', { namedCurve: 'P-384' }),
    impostor: generateKeyPairSync('x25519'),
  }
}

/** The enclave of the private path, on one platform at a time, and with keys of its own on each; a rotation is a boot. */
export class Enclave {
  readonly #keys = new Map<SandboxPlatform, EnclaveKeys>()
  #platform: SandboxPlatform = 'sev-snp'

  get platform(): SandboxPlatform {
    return this.#platform
  }

  moveTo(platform: SandboxPlatform): void {
    this.#platform = platform
  }

  get keys(): EnclaveKeys {
    const stored = this.#keys.get(this.#platform)
    if (stored) return stored
    const keys = bootEnclave()
    this.#keys.set(this.#platform, keys)
    return keys
  }

  /** The next to ask for the keys finds new ones. */
  rotate(): void {
    this.#keys.delete(this.#platform)
  }
}

/** The last 32 bytes of the SPKI (RFC 8410 section 4). */
export function rawX25519(publicKey: KeyObject): Buffer {
  return spkiDer(publicKey).subarray(-32)
}

/** SHA-256 of the TLS key's SPKI. */
export function tlsFingerprint(keys: EnclaveKeys): Buffer {
  return createHash('sha256').update(spkiDer(keys.tls.publicKey)).digest()
}

/** report_data of the document's version 2: SHA-256 of the TLS key's SPKI, then the raw HPKE key. */
export function reportData(keys: EnclaveKeys): Buffer {
  return Buffer.concat([tlsFingerprint(keys), rawX25519(keys.hpke.publicKey)])
}
