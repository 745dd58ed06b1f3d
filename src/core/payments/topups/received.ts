import type { Received, TopupMethodName } from '../../../shared/topup.ts'
import { coinsOf, unitsOf } from '../uri.ts'
import type { TopupInvoice } from '../../gateway/service/account/topup-invoice.ts'
import type { TopupRecord } from '../../storage/index.ts'

/** A processor may add its own network fee for a second payment. */
const MORE_PERCENT = 5n
const MORE_SAT = 2_000n
/**
 * A larger multiple isn't an overpayment, but an amount in another unit. One unit of a coin is worth at least
 * ten units of any currency that a person can request in.
 */
const MOST_TIMES = 10n

/**
 * Returns the amount that the service reports as received for an invoice. Undefined if it has never reported
 * any. Money that was reported once still counts, because Sotto must not request the whole amount twice.
 *
 * No document specifies whether the amounts are in the coin or in the requested currency, so the unit that
 * fits the invoice is used.
 */
export function receivedOf(record: TopupRecord, answer: TopupInvoice): Received | undefined {
  const readings = [(text: string) => coinUnits(record, text), (text: string) => satUnits(record, text)]
  const total = coinUnits(record, record.coinAmount ?? '')
  const { amountPaid = '', amountDue } = answer
  for (const unitsIn of total === null ? [] : readings) {
    const paid = unitsIn(amountPaid)
    if (total === null || paid === null || paid > MOST_TIMES * total) continue
    if (paid === 0n) break
    // Received money can't decrease. A service that reports less would have a part paid again.
    if (paid < (coinUnits(record, record.received?.paid ?? '0') ?? 0n)) break
    const rest = total > paid ? total - paid : 0n
    const due = amountDue === undefined ? rest : (unitsIn(amountDue) ?? 0n)
    // An attacker who controls the service could request more than the rest, too little to count, or name
    // another address.
    const isValidRest =
      due > 0n && due >= rest && due <= rest + more(record, total) && sameAddress(record, answer)
    return {
      paid: coinsOf(coinOf(record), paid),
      covers: paid < total ? 'part' : paid === total ? 'whole' : 'more',
      ...(isValidRest && { due: coinsOf(coinOf(record), due) }),
    }
  }
  if (answer.money || isMoney(amountPaid)) return withoutDue(record.received ?? {})
  return record.received && withoutDue(record.received)
}

function withoutDue({ due: _, ...received }: Received): Received {
  return received
}

function coinOf({ method }: TopupRecord): Exclude<TopupMethodName, 'btc-lightning'> {
  return method === 'btc-lightning' ? 'btc' : method
}

/** Returns the coin's smallest units; null if the text isn't an amount of the coin. */
function coinUnits(record: TopupRecord, text: string): bigint | null {
  return /^0*(?:\.0*)?$/.test(text) && text !== '' ? 0n : unitsOf(coinOf(record), text)
}

/** Returns an amount in satoshis, if the person requested satoshis for bitcoin. */
function satUnits({ method, currency }: TopupRecord, text: string): bigint | null {
  return currency === 'SATS' && method !== 'ltc' && method !== 'xmr' && /^\d{1,16}$/.test(text)
    ? BigInt(text)
    : null
}

function more({ method }: TopupRecord, total: bigint): bigint {
  const share = (total * MORE_PERCENT) / 100n
  return method === 'btc' || method === 'lbtc' ? share + MORE_SAT : share
}

function sameAddress({ address }: TopupRecord, answer: TopupInvoice): boolean {
  return address !== undefined && (answer.paymentAddress === undefined || answer.paymentAddress === address)
}

/** Whether it's an amount above zero, in any unit. */
function isMoney(text: string): boolean {
  return /[1-9]/.test(text) && !text.startsWith('-')
}
