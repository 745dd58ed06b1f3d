import type { PaymentState } from '../../../shared/purchase.ts'
import type { Topup } from '../../../shared/topup.ts'
import type { PaymentRecord } from '../../../shared/payment-record.ts'
import { addressUri, lightningUri, unitsOf, type PaymentNetwork } from '../uri.ts'
import type { TopupRecord } from '../../storage/index.ts'

/** States of a payment in which no money has moved. */
const NOT_BEGUN: ReadonlySet<PaymentState> = new Set(['quoted', 'declined', 'failed', 'expired'])

export interface Shown {
  readonly network: PaymentNetwork
  /** False in the sandbox. */
  readonly payable: boolean
  /** The service's name. */
  readonly label: string
  /** Unix ms. */
  readonly now: number
}

/** Whether a payment by Sotto may still arrive. A person who closed it doesn't wait for it. */
export function isAwaited(payment: PaymentRecord | undefined): boolean {
  return paidFromHere(payment) && payment?.state !== 'closed'
}

/** Whether the connected wallet may have paid it. */
export function paidFromHere(payment: PaymentRecord | undefined): boolean {
  return payment !== undefined && !NOT_BEGUN.has(payment.state)
}

/**
 * Builds the window's view of a top-up. It contains the invoice or address only while a person may pay it:
 * before it expires, if it matches the request, and unless a payment was detected or Sotto may have paid it.
 */
export function topupView(record: TopupRecord, payment: PaymentRecord | undefined, shown: Shown): Topup {
  const {
    id,
    invoiceId,
    accountId,
    method,
    state,
    amount,
    currency,
    createdAt,
    expiresAt,
    settledAt,
    coinAmount,
    received,
    lightningInvoice,
    address,
    problem,
  } = record
  const uri = isPayable(record, payment, shown.now) ? uriOf(record, shown) : undefined
  return {
    id,
    invoiceId,
    accountId,
    method,
    state,
    amount,
    currency,
    createdAt,
    payable: shown.payable,
    ...(expiresAt !== undefined && { expiresAt }),
    ...(settledAt !== undefined && { settledAt }),
    ...(coinAmount !== undefined && { coinAmount }),
    ...(received !== undefined && { received }),
    ...(problem !== undefined && { problem }),
    ...(uri !== undefined && {
      uri,
      ...(lightningInvoice !== undefined && { lightningInvoice }),
      ...(address !== undefined && { address }),
    }),
    ...(payment && payment.state !== 'quoted' && payment.state !== 'declined' && { payment: payment.state }),
    ...(payment?.feeMsat !== undefined && { feeMsat: payment.feeMsat.toString() }),
  }
}

/**
 * Whether it, or the rest of it, can still be paid: it's new, matches the request, hasn't expired, and may
 * not have been paid by Sotto already. A Lightning invoice can't be paid in part.
 * @param now Unix ms
 */
export function isPayable(
  { state, problem, expiresAt, received }: TopupRecord,
  payment: PaymentRecord | undefined,
  now: number,
): boolean {
  return (
    state === 'new' &&
    problem === undefined &&
    (expiresAt === undefined || now < expiresAt) &&
    !paidFromHere(payment) &&
    (received === undefined || received.due !== undefined)
  )
}

function uriOf(
  { method, lightningInvoice, address, coinAmount, received }: TopupRecord,
  { network, label }: Shown,
): string | undefined {
  if (method === 'btc-lightning')
    return lightningInvoice === undefined ? undefined : lightningUri(lightningInvoice, network)
  const units = unitsOf(method, received ? (received.due ?? '') : (coinAmount ?? ''))
  return address === undefined || units === null
    ? undefined
    : addressUri({ coin: method, network, address, units, label })
}
