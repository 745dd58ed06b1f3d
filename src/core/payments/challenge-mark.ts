import { createHash } from 'node:crypto'
import type { PaymentChallenge } from '../../shared/payment-challenge.ts'

/**
 * Returns hashes that identify a challenge after its token was deleted: of the token, and of the ID under
 * which it's echoed. They prove nothing.
 */
export function marksOf({ token, echo }: PaymentChallenge): string[] {
  return [...new Set([token, echo?.id ?? token])].map((name) =>
    createHash('sha256').update(name).digest('hex'),
  )
}
