import { randomUUID } from 'node:crypto'

/**
 * A UUID of version 7 (RFC 9562 section 5.7): 48 bits of time, 74 random. Receipts are found by their ids, and ids that grow
 * with time stand beside one another in that index: of random ones every receipt writes a page of its own.
 * @param at Unix ms
 */
export function receiptId(at: number): string {
  const time = Math.trunc(at).toString(16).padStart(12, '0').slice(-12)
  // What stands after the version is random, or the variant, which is the same.
  return `${time.slice(0, 8)}-${time.slice(8)}-7${randomUUID().slice(15)}`
}
