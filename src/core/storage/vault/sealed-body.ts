import { createHash, randomBytes } from 'node:crypto'
import { xchacha20poly1305 } from '@noble/ciphers/chacha.js'
import { z } from 'zod'
import type { VaultKey } from './vault-key.ts'

/**
 * What stands beside a header in whatever this vault seals: XChaCha20-Poly1305 (draft-irtf-cfrg-xchacha-03) with a new random
 * nonce at every sealing and the header as associated data. `digest` is no secret's: it tells a damaged file from a wrong
 * passphrase before there is a key.
 */
const NONCE_BYTES = 24

export const sealingId = z.string().regex(/^[0-9a-f]{32}$/)
const hex32 = z.string().regex(/^[0-9a-f]{64}$/)
/** Whoever can change the file must be able neither to make a guess cheap nor to take all memory: 16 MiB to 1 GiB. */
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

/** What identifies the sealing, and of a passphrase's the cost of a guess. */
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

/** null where it was changed by somebody without the key. */
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

/** Whether it is as it was written, or was changed by somebody who took trouble. */
export function undamaged(header: SealedHeader, body: SealedBody): boolean {
  return digestOf(header, body) === body.digest
}

/** The members in one order, whatever their order in the file. */
function associatedData({ format, kind, id, scrypt }: SealedHeader): Uint8Array {
  return Buffer.from(JSON.stringify([format, kind, id, ...(scrypt ? [scrypt.N, scrypt.r, scrypt.p] : [])]))
}

function digestOf(header: SealedHeader, { check, nonce, sealed }: Omit<SealedBody, 'digest'>): string {
  return createHash('sha256')
    .update(associatedData(header))
    .update(JSON.stringify([check, nonce, sealed]))
    .digest('hex')
}
