import { schnorr } from '@noble/curves/secp256k1.js'
import { createHash } from 'node:crypto'
import { z } from 'zod'

/** NIP-47. */
export const kinds = { info: 13_194, request: 23_194, response: 23_195 } as const

const hex = (digits: number) => z.string().regex(new RegExp(`^[0-9a-f]{${String(digits)}}$`))

/** NIP-01, with limits for events that a wallet sends. */
export const nostrEventSchema = z.object({
  id: hex(64),
  pubkey: hex(64),
  created_at: z.int().min(0),
  kind: z.int().min(0).max(65_535),
  tags: z.array(z.array(z.string().max(4096)).max(64)).max(64),
  content: z.string().max(100_000),
  sig: hex(128),
})
export type NostrEvent = z.infer<typeof nostrEventSchema>

/** Signs an event (NIP-01) whose `pubkey` belongs to the secret. */
export function signEvent(event: Omit<NostrEvent, 'id' | 'sig'>, secret: Uint8Array): NostrEvent {
  const digest = digestOf(event)
  return {
    ...event,
    id: digest.toString('hex'),
    sig: Buffer.from(schnorr.sign(digest, secret)).toString('hex'),
  }
}

/**
 * Whether the event's ID matches its content, and its author signed it. A relay can invent everything else.
 */
export function isAuthentic(event: NostrEvent): boolean {
  const digest = digestOf(event)
  return (
    digest.toString('hex') === event.id &&
    schnorr.verify(Buffer.from(event.sig, 'hex'), digest, Buffer.from(event.pubkey, 'hex'))
  )
}

function digestOf({ pubkey, created_at, kind, tags, content }: Omit<NostrEvent, 'id' | 'sig'>): Buffer {
  return createHash('sha256')
    .update(JSON.stringify([0, pubkey, created_at, kind, tags, content]))
    .digest()
}

/** The first value of the tag. */
export function tagOf(event: NostrEvent, name: string): string | undefined {
  return event.tags.find(([first]) => first === name)?.[1]
}
