import { randomUUID } from 'node:crypto'

/**
 * Creates a UUID of version 7 (RFC 9562 section 5.7): 48 bits of time, 74 random. IDs that grow with time are
 * adjacent in the database's index. With random ones, every receipt would write its own page.
 * @param at Unix ms
 */
export function receiptId(at: number): string {
  const time = Math.trunc(at).toString(16).padStart(12, '0').slice(-12)
  // The digits after the version are random, except the variant, which is the same in both versions.
  return `${time.slice(0, 8)}-${time.slice(8)}-7${randomUUID().slice(15)}`
}
