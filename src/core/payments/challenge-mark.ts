import { createHash } from 'node:crypto'
import type { PaymentChallenge } from '../../shared/payment-challenge.ts'

/**
 * What tells a challenge again once its token was dropped: hashes of the token, and of the id under which it is echoed. They
 * prove nothing to anybody.
 */
export function marksOf({ token, echo }: PaymentChallenge): string[] {
  return [...new Set([token, echo?.id ?? token])].map((name) =>
    createHash('sha256').update(name).digest('hex'),
  )
}
