import { z } from 'zod'
import type { ErrorCode } from '../../../shared/error-codes.ts'
import type { LookedUp, PaymentOutcome, PaymentProof } from '../lightning-wallet.ts'
import { proofIn } from './proof.ts'
import type { Answer } from './questions.ts'

const msat = z.int().min(0)

/** Errors by which a wallet reports that it didn't pay (NIP-47). Any other error leaves it open. */
const refusals: Readonly<Record<string, ErrorCode>> = {
  RATE_LIMITED: 'wallet/rate-limited',
  NOT_IMPLEMENTED: 'wallet/cannot-pay',
  INSUFFICIENT_BALANCE: 'wallet/insufficient-balance',
  QUOTA_EXCEEDED: 'wallet/budget-exceeded',
  RESTRICTED: 'wallet/refused',
  UNAUTHORIZED: 'wallet/refused',
  UNSUPPORTED_ENCRYPTION: 'wallet/encryption',
}

/** Returns the reason that a wallet states for a refusal; undefined for any other error. */
export function refusalOf(code: string): ErrorCode | undefined {
  return Object.hasOwn(refusals, code) ? refusals[code] : undefined
}

const feeSchema = z.object({ fees_paid: msat })

/**
 * Returns the outcome of a payment by the wallet's answer. Only a proving preimage makes it paid, and only a
 * request that wasn't sent makes it unpaid. Every other answer leaves it open, because a payment may be in
 * flight.
 * @param paymentHash 64 lowercase hex digits
 */
export function outcomeOf(answer: Answer, paymentHash: string): PaymentOutcome {
  const proof = proofOf(answer, paymentHash)
  if (proof) return { outcome: 'paid', ...proof }
  if (answer.kind === 'unsent') return { outcome: 'not-paid', code: 'wallet/unreachable' }
  const code = answer.kind === 'error' ? refusalOf(answer.code) : undefined
  return code === undefined ? { outcome: 'unknown' } : { outcome: 'refused', code }
}

/** Returns the proof that an answer contains, with the fee if the wallet states it. */
export function proofOf(answer: Answer, paymentHash: string): PaymentProof | undefined {
  const preimage = 'decrypted' in answer ? proofIn(answer.decrypted, paymentHash) : undefined
  if (preimage === undefined) return undefined
  const fee = answer.kind === 'result' ? feeSchema.safeParse(answer.result).data?.fees_paid : undefined
  return { preimage, ...feeOf(fee) }
}

const transactionSchema = z.object({
  type: z.string().max(40).nullish(),
  state: z.string().max(40).nullish(),
  payment_hash: z.string().max(100).nullish(),
  fees_paid: z.unknown().optional(),
  settled_at: z.unknown().optional(),
})

/** Unix seconds, as a number or as text. */
const momentSchema = z.union([z.number().positive(), z.string().regex(/^[1-9]\d{0,12}$/)])

/**
 * Returns the wallet's statement about a payment hash. A proving preimage settles it, whatever the rest of
 * the answer contains. The rest counts only for the requested payment: an invoice of the wallet's own, or
 * another payment, proves nothing.
 * @param paymentHash 64 lowercase hex digits
 */
export function lookedUpOf(answer: Answer, paymentHash: string): LookedUp {
  const proof = proofOf(answer, paymentHash)
  if (proof) return { state: 'settled', ...proof }
  if (answer.kind === 'error') return { state: answer.code === 'NOT_FOUND' ? 'not-found' : 'unreachable' }
  if (answer.kind !== 'result') return { state: 'unreachable' }
  const read = transactionSchema.safeParse(answer.result)
  if (!read.success) return { state: 'unreachable' }
  const { type, state, payment_hash: hash, fees_paid: fee, settled_at: settledAt } = read.data
  if (hash && hash.toLowerCase() !== paymentHash) return { state: 'unreachable' }
  if (type?.toLowerCase() === 'incoming') return { state: 'not-found' }
  switch (state?.toLowerCase()) {
    case 'failed':
      return { state: 'failed' }
    case 'expired':
      return { state: 'expired' }
    case 'accepted':
      return { state: 'held' }
    case 'settled':
      return { state: 'settled', ...feeOf(fee) }
    case undefined:
      // Older wallets have no states, but state when it was settled.
      return momentSchema.safeParse(settledAt).success
        ? { state: 'settled', ...feeOf(fee) }
        : { state: 'pending' }
    default:
      return { state: 'pending' }
  }
}

const balanceSchema = z.object({ balance: msat })

/** Returns msat; undefined if it's unreadable. */
export function balanceOf(result: unknown): bigint | undefined {
  const read = balanceSchema.safeParse(result)
  return read.success ? BigInt(read.data.balance) : undefined
}

const budgetSchema = z.object({ used_budget: msat, total_budget: msat, renews_at: z.unknown().optional() })

/** The amount that the connection may spend, according to the wallet. */
export interface WalletBudget {
  /** msat. */
  readonly used: bigint
  readonly total: bigint
  /** Unix ms. */
  readonly renewsAt?: number
}

/** Returns undefined if there is no readable budget. */
export function budgetOf(result: unknown): WalletBudget | undefined {
  const read = budgetSchema.safeParse(result)
  if (!read.success) return undefined
  const { used_budget: used, total_budget: total, renews_at: renewsAt } = read.data
  return {
    used: BigInt(used),
    total: BigInt(total),
    ...(typeof renewsAt === 'number' &&
      Number.isSafeInteger(renewsAt) &&
      renewsAt > 0 && { renewsAt: renewsAt * 1000 }),
  }
}

function feeOf(fee: unknown): { readonly feeMsat?: bigint } {
  const read = msat.safeParse(fee)
  return read.success ? { feeMsat: BigInt(read.data) } : {}
}
