import { createHash } from 'node:crypto'

let last: { readonly apiKey: string; readonly mark: string } | undefined

/**
 * What a receipt says of the account's key that its request was sent with: enough to tell keys apart, and nothing of the
 * key, which is of more than a hundred random bits. 16 hex digits.
 */
export function keyMark(apiKey: string): string {
  if (last?.apiKey !== apiKey) last = { apiKey, mark: createHash('sha256').update(`sotto receipt, key ${apiKey}`).digest('hex').slice(0, 16) }
  return last.mark
}
