import { z } from 'zod'
import type { ErrorCode } from '../../../shared/error-codes.ts'
import type { LookedUp, PaymentOutcome } from '../lightning-wallet.ts'
import type { Answer } from './questions.ts'

const msat = z.int().min(0)
const preimage = z.string().toLowerCase().regex(/^[0-9a-f]{64}$/)

/** Errors of NIP-47 that are given before anything is paid. What is not named here leaves it open whether it was paid. */
const refusals: Readonly<Record<string, ErrorCode>> = {
  RATE_LIMITED: 'wallet/rate-limited',
  NOT_IMPLEMENTED: 'wallet/cannot-pay',
  INSUFFICIENT_BALANCE: 'wallet/insufficient-balance',
  QUOTA_EXCEEDED: 'wallet/quota',
  RESTRICTED: 'wallet/refused',
  UNAUTHORIZED: 'wallet/refused',
  UNSUPPORTED_ENCRYPTION: 'wallet/encryption',
}

/** Why a wallet does not do what it was asked, where it certainly did not. */
export function refusalOf(code: string): ErrorCode | undefined {
  return Object.hasOwn(refusals, code) ? refusals[code] : undefined
}

const paidSchema = z.object({ preimage, fees_paid: msat.nullish().catch(null) })

/**
 * What became of a payment by the wallet's answer. A wallet that says PAYMENT_FAILED, INTERNAL or OTHER, says it without a
 * preimage, or says nothing, may have a payment in flight: then it is unknown.
 */
export function outcomeOf(answer: Answer): PaymentOutcome {
  switch (answer.kind) {
    case 'result': {
      const paid = paidSchema.safeParse(answer.result)
      if (!paid.success) return { outcome: 'unknown' }
      return { outcome: 'paid', preimage: paid.data.preimage, ...feeOf(paid.data.fees_paid) }
    }
    case 'error': {
      const code = refusalOf(answer.code)
      return code === undefined ? { outcome: 'unknown' } : { outcome: 'not-paid', code }
    }
    case 'unsent':
      return { outcome: 'not-paid', code: 'wallet/unreachable' }
    case 'silent':
    case 'unreadable':
      return { outcome: 'unknown' }
  }
}

const transactionSchema = z.object({
  type: z.enum(['incoming', 'outgoing']).nullish(),
  state: z.string().max(40).nullish(),
  payment_hash: z.string().max(100).nullish(),
  preimage: preimage.nullish().catch(null),
  fees_paid: msat.nullish().catch(null),
  settled_at: z.number().nullish().catch(null),
})

/**
 * What the wallet says of a payment hash. It is believed of the payment that was asked about alone: an invoice of the
 * wallet's own, or another payment's, says nothing.
 */
export function lookedUpOf(answer: Answer, paymentHash: string): LookedUp {
  if (answer.kind === 'error') return { state: answer.code === 'NOT_FOUND' ? 'not-found' : 'unreachable' }
  if (answer.kind !== 'result') return { state: 'unreachable' }
  const read = transactionSchema.safeParse(answer.result)
  if (!read.success) return { state: 'unreachable' }
  const { type, state, payment_hash: hash, preimage: shown, fees_paid: fee, settled_at: settledAt } = read.data
  if (hash && hash.toLowerCase() !== paymentHash) return { state: 'unreachable' }
  const settled: LookedUp = { state: 'settled', ...(shown && { preimage: shown }), ...feeOf(fee) }
  // Wallets from before there were states say when it was settled, or show the preimage.
  if (state === 'settled' || (!state && ((settledAt ?? 0) > 0 || shown))) return type === 'incoming' && !shown ? { state: 'not-found' } : settled
  if (type === 'incoming') return { state: 'not-found' }
  switch (state) {
    case 'failed':
    case 'expired':
      return { state }
    case 'accepted':
      return { state: 'held' }
    default:
      return { state: 'pending' }
  }
}

const balanceSchema = z.object({ balance: msat })

/** msat; undefined where it cannot be read. */
export function balanceOf(result: unknown): bigint | undefined {
  const read = balanceSchema.safeParse(result)
  return read.success ? BigInt(read.data.balance) : undefined
}

const budgetSchema = z.object({ used_budget: msat, total_budget: msat, renews_at: z.int().min(0).nullish().catch(null) })

/** What the connection may spend, by the wallet. */
export interface WalletBudget {
  /** msat. */
  readonly used: bigint
  readonly total: bigint
  /** Unix ms. */
  readonly renewsAt?: number
}

/** Undefined where there is no budget, or it cannot be read. */
export function budgetOf(result: unknown): WalletBudget | undefined {
  const read = budgetSchema.safeParse(result)
  if (!read.success) return undefined
  const { used_budget: used, total_budget: total, renews_at: renewsAt } = read.data
  return { used: BigInt(used), total: BigInt(total), ...(renewsAt && { renewsAt: renewsAt * 1000 }) }
}

function feeOf(fee: number | null | undefined): { readonly feeMsat?: bigint } {
  return typeof fee === 'number' ? { feeMsat: BigInt(fee) } : {}
}
