import { portable } from './portable.ts'
import { native } from '../../src/ehbp/native.ts'
import type { Aead, Primitives } from '../../src/ehbp/primitives.ts'
import { sequenceNonce, EhbpError, type EhbpErrorCode } from '../../src/ehbp/protocol.ts'
import type { ResponseOpener } from '../../src/ehbp/response-opener.ts'

export const implementations: [string, Primitives][] = [
  ['native', native],
  ['portable', portable],
]

export const KEY = Buffer.alloc(32, 7)
export const BASE_NONCE = Buffer.from('0102030405060708090a0b0c', 'hex')

export function frame(ciphertext: Uint8Array): Buffer {
  const header = Buffer.alloc(4)
  header.writeUInt32BE(ciphertext.byteLength)
  return Buffer.concat([header, ciphertext])
}

/** What a server writes: one frame for each plaintext, numbered from 0. */
export function sealFrames(aead: Aead, baseNonce: Uint8Array, plaintexts: Uint8Array[]): Buffer[] {
  return plaintexts.map((plaintext, sequence) => {
    const ciphertext = Buffer.alloc(plaintext.byteLength + 16)
    aead.seal(sequenceNonce(baseNonce, sequence), plaintext, ciphertext, 0)
    return frame(ciphertext)
  })
}

/** All that an opener makes of a body that arrives in these pieces: what it delivered, and how it ended. */
export function decryptAll(
  opener: ResponseOpener,
  pieces: Iterable<Uint8Array>,
): { plaintext: Buffer; code: EhbpErrorCode | 'complete' } {
  const opened: Uint8Array[] = []
  try {
    for (const piece of pieces) opened.push(...opener.push(piece))
    opener.end()
  } catch (cause) {
    if (!(cause instanceof EhbpError)) throw cause
    return { plaintext: Buffer.concat(opened), code: cause.code }
  }
  return { plaintext: Buffer.concat(opened), code: 'complete' }
}

export function codeOf(action: () => unknown): string {
  try {
    action()
  } catch (cause) {
    return cause instanceof EhbpError ? cause.code : String(cause)
  }
  return 'nothing thrown'
}
