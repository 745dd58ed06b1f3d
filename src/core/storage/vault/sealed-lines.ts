import { randomBytes } from 'node:crypto'
import { xchacha20poly1305 } from '@noble/ciphers/chacha.js'
import { decryptWithPassphrase, sealUnderPassphrase } from './passphrase-text.ts'

/**
 * A format for content that is too large for one text. The first line is sealed under a passphrase, like
 * everything that the vault seals so, and has a random key. The other lines are XChaCha20-Poly1305 under
 * that key. The number of each line and whether it's the last are associated data, so that no line can be
 * removed, duplicated, moved or cut off undetected.
 */
const NONCE_BYTES = 24
const KEY_BYTES = 32
const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/

export interface LineSealer {
  /** The first line. */
  readonly head: string
  next(text: string): string
  last(text: string): string
}

export interface LineOpener {
  /** Returns `damaged` if this isn't the expected line. No further line may be accepted after that. */
  next(line: string): { readonly text: string; readonly last: boolean } | 'damaged'
}

/**
 * Begins a sequence of lines under a new key. `format` names their content, and is authenticated with each
 * line.
 */
export async function sealLines(format: string, passphrase: string): Promise<LineSealer> {
  const key = randomBytes(KEY_BYTES)
  // sealUnderPassphrase overwrites its input.
  const head = await sealUnderPassphrase(format, passphrase, Buffer.from(key))
  let number = 0
  function seal(text: string, last: boolean): string {
    const nonce = randomBytes(NONCE_BYTES)
    const sealed = xchacha20poly1305(key, nonce, placeOf(format, number++, last)).encrypt(Buffer.from(text))
    return Buffer.concat([nonce, sealed]).toString('base64')
  }
  return { head, next: (text) => seal(text, false), last: (text) => seal(text, true) }
}

/**
 * Opens the first line like `decryptWithPassphrase`. The result opens the lines after it one by one, in
 * their order.
 */
export async function decryptLines(
  format: string,
  passphrase: string,
  head: string,
): Promise<LineOpener | 'damaged' | 'wrong-passphrase'> {
  const key = await decryptWithPassphrase(format, passphrase, head)
  if (key === 'damaged' || key === 'wrong-passphrase') return key
  if (key.length !== KEY_BYTES) return 'damaged'
  let number = 0
  return {
    next(line) {
      if (!BASE64.test(line)) return 'damaged'
      const bytes = Buffer.from(line, 'base64')
      const at = number++
      for (const last of [false, true]) {
        const text = opened(key, bytes, placeOf(format, at, last))
        if (text !== null) return { text, last }
      }
      return 'damaged'
    },
  }
}

function placeOf(format: string, number: number, last: boolean): Uint8Array {
  return Buffer.from(JSON.stringify([format, number, last]))
}

function opened(key: Uint8Array, bytes: Uint8Array, place: Uint8Array): string | null {
  try {
    return Buffer.from(
      xchacha20poly1305(key, bytes.subarray(0, NONCE_BYTES), place).decrypt(bytes.subarray(NONCE_BYTES)),
    ).toString('utf8')
  } catch {
    return null
  }
}
