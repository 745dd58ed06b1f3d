import { schnorr } from '@noble/curves/secp256k1.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { z } from 'zod'

const hex = (bytes: number) => z.string().regex(new RegExp(`^[0-9a-f]{${bytes * 2}}$`))

export const eventSchema = z.object({
  id: hex(32),
  pubkey: hex(32),
  created_at: z.int(),
  kind: z.int(),
  tags: z.array(z.array(z.string())),
  content: z.string().max(100_000),
  sig: hex(64),
})
/** NIP-01. */
export type NostrEvent = z.infer<typeof eventSchema>

/** @param at Unix seconds */
export function signEvent(
  kind: number,
  tags: string[][],
  content: string,
  secretKey: Uint8Array,
  at: number,
): NostrEvent {
  const pubkey = publicKeyOf(secretKey)
  const id = eventId({ pubkey, created_at: at, kind, tags, content })
  return {
    id: id.toString('hex'),
    pubkey,
    created_at: at,
    kind,
    tags,
    content,
    sig: Buffer.from(schnorr.sign(id, secretKey)).toString('hex'),
  }
}

/** Whether its id is its content's, and its author signed it. */
export function isSigned(event: NostrEvent): boolean {
  const id = eventId(event)
  return (
    id.toString('hex') === event.id &&
    schnorr.verify(Buffer.from(event.sig, 'hex'), id, Buffer.from(event.pubkey, 'hex'))
  )
}

/** x-only, hexadecimal. */
export function publicKeyOf(secretKey: Uint8Array): string {
  return Buffer.from(schnorr.getPublicKey(secretKey)).toString('hex')
}

function eventId({ pubkey, created_at, kind, tags, content }: Omit<NostrEvent, 'id' | 'sig'>): Buffer {
  return Buffer.from(sha256(Buffer.from(JSON.stringify([0, pubkey, created_at, kind, tags, content]))))
}
