import { createHash } from 'node:crypto'
import type { FrozenRequest } from '../../shared/payment-record.ts'
import type { Caller } from '../../shared/receipt.ts'

/** Returns the same value for the same bytes of the same tool: 64 hex digits. */
export function requestFingerprint(
  { kind, localKeyId = '' }: Caller,
  { endpoint, method, path, contentType = '', body }: FrozenRequest,
): string {
  return createHash('sha256')
    .update(JSON.stringify([kind, localKeyId, endpoint, method, path, contentType]))
    .update(body)
    .digest('hex')
}
