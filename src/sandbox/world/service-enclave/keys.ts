import { createHash, generateKeyPairSync, type KeyObject } from 'node:crypto'
import { spkiDer } from '../../der/certificate.ts'
import { rawX25519 } from '../enclave.ts'

interface KeyPair {
  readonly publicKey: KeyObject
  readonly privateKey: KeyObject
}

/** The keys of the service's own enclave. They have nothing in common with the keys of the enclave that runs private models. */
export class ServiceEnclaveKeys {
  #hpke: KeyPair = generateKeyPairSync('x25519')
  /** P-256: signs routing receipts too. */
  readonly tls: KeyPair = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  /** P-256, attested by nothing: an attacker's key for forged receipts. */
  readonly forger: KeyPair = generateKeyPairSync('ec', { namedCurve: 'P-256' })

  /** X25519: requests are sealed to it. */
  get hpke(): KeyPair {
    return this.#hpke
  }

  /** 32 bytes. */
  get rawHpke(): Buffer {
    return rawX25519(this.#hpke.publicKey)
  }

  /** DER of the TLS key's SubjectPublicKeyInfo. */
  get spki(): Buffer {
    return spkiDer(this.tls.publicKey)
  }

  /** SHA-256 of the SPKI, 32 bytes. */
  get spkiHash(): Buffer {
    return createHash('sha256').update(this.spki).digest()
  }

  /** Replaces the HPKE key, as on a server that could not open the store of keys. The TLS key stays. */
  rotateHpke(): void {
    this.#hpke = generateKeyPairSync('x25519')
  }
}
