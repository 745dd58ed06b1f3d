import { createHash, hkdfSync, randomBytes, scrypt, timingSafeEqual } from 'node:crypto'
import type { SealedHeader } from './sealed-body.ts'

/** Parameters of RFC 7914 section 2: a guess takes 128 MiB and about 0.4 s. */
export const SCRYPT = { N: 2 ** 17, r: 8, p: 1 } as const

/** The keys of one vault file, derived from its master key and bound to its id. */
export interface VaultKey {
  readonly sealing: Uint8Array
  /** Stored in the file. It distinguishes a wrong key from a damaged file. */
  readonly check: string
}

/**
 * Returns 16 random bytes in lowercase hex. Two sealings never share an id, because it's the salt, and the
 * account of the keychain item.
 */
export function newId(): string {
  return randomBytes(16).toString('hex')
}

/**
 * Derives the master key from a passphrase. NFKC makes the passphrase independent of the keyboard; the id
 * is the salt.
 */
export function masterFromPassphrase(
  passphrase: string,
  header: Required<Pick<SealedHeader, 'id' | 'scrypt'>>,
): Promise<Uint8Array> {
  const { N, r, p } = header.scrypt
  const { promise, resolve, reject } = Promise.withResolvers<Uint8Array>()
  scrypt(
    passphrase.normalize('NFKC'),
    Buffer.from(header.id, 'hex'),
    32,
    { N, r, p, maxmem: 256 * N * r },
    (error, key) => {
      if (error) reject(error)
      else resolve(key)
    },
  )
  return promise
}

/**
 * Derives the keys of one vault file with HKDF-SHA256.
 * @param master 32 bytes; they are zeroed, because nothing else needs them
 * @see RFC 5869
 */
export function vaultKey(master: Uint8Array, header: Pick<SealedHeader, 'id'>): VaultKey {
  const derive = (purpose: string) =>
    new Uint8Array(hkdfSync('sha256', master, Buffer.from(header.id, 'hex'), `sotto vault ${purpose}`, 32))
  const key = { sealing: derive('sealing'), check: Buffer.from(derive('check')).toString('hex') }
  master.fill(0)
  return key
}

/** Whether this key sealed the file, according to the file's check. Compares in constant time. */
export function opens(key: VaultKey, check: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(key.check), digest(check))
}
