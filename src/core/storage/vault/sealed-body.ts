import { createHash, randomBytes } from 'node:crypto'
import { xchacha20poly1305 } from '@noble/ciphers/chacha.js'
import { z } from 'zod'
import type { VaultKey } from './vault-key.ts'

/**
 * The members next to the header in everything that this vault seals: XChaCha20-Poly1305
 * (draft-irtf-cfrg-xchacha-03) with a new random nonce for each sealing, and the header as associated data.
 * `digest` needs no secret: it distinguishes a damaged file from a wrong passphrase before a key is
 * derived.
 */
const NONCE_BYTES = 24

export const sealingId = z.string().regex(/^[0-9a-f]{32}$/)
const hex32 = z.string().regex(/^[0-9a-f]{64}$/)
/**
 * Limits of 16 MiB to 1 GiB: an attacker who can change the file must not be able to make guesses cheap, or
 * to exhaust the memory.
 */
export const scryptSchema = z.strictObject({
  N: z
    .int()
    .min(2 ** 14)
    .max(2 ** 20)
    .refine((n) => Number.isInteger(Math.log2(n))),
  r: z.literal(8),
  p: z.literal(1),
})

export const sealedBodySchema = z.strictObject({
  check: hex32,
  nonce: z.base64(),
  sealed: z.base64(),
  digest: hex32,
})
export type SealedBody = z.infer<typeof sealedBodySchema>

/** Identifies the sealing. With a passphrase, also sets the cost of a guess. */
export interface SealedHeader {
  readonly format: string
  readonly kind: string
  readonly id: string
  readonly scrypt?: { readonly N: number; readonly r: number; readonly p: number }
}

/** The plaintext is overwritten. */
export function sealBody(header: SealedHeader, key: VaultKey, plaintext: Uint8Array): SealedBody {
  const nonce = randomBytes(NONCE_BYTES)
  const sealed = xchacha20poly1305(key.sealing, nonce, associatedData(header)).encrypt(plaintext)
  plaintext.fill(0)
  const body = {
    check: key.check,
    nonce: nonce.toString('base64'),
    sealed: Buffer.from(sealed).toString('base64'),
  }
  return { ...body, digest: digestOf(header, body) }
}

/** Returns null if the body was changed without the key. */
export function decryptBody(
  header: SealedHeader,
  { nonce, sealed }: SealedBody,
  key: VaultKey,
): Uint8Array | null {
  try {
    return xchacha20poly1305(key.sealing, Buffer.from(nonce, 'base64'), associatedData(header)).decrypt(
      Buffer.from(sealed, 'base64'),
    )
  } catch {
    return null
  }
}

/** Whether the digest matches: the body is intact, or an attacker recalculated the digest. */
export function undamaged(header: SealedHeader, body: SealedBody): boolean {
  return digestOf(header, body) === body.digest
}

/** The members in a fixed order, independent of their order in the file. */
function associatedData({ format, kind, id, scrypt }: SealedHeader): Uint8Array {
  return Buffer.from(JSON.stringify([format, kind, id, ...(scrypt ? [scrypt.N, scrypt.r, scrypt.p] : [])]))
}

function digestOf(header: SealedHeader, { check, nonce, sealed }: Omit<SealedBody, 'digest'>): string {
  return createHash('sha256')
    .update(associatedData(header))
    .update(JSON.stringify([check, nonce, sealed]))
    .digest('hex')
}
