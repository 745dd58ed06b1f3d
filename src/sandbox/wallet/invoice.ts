import { bech32 } from '@scure/base'

/** What a wallet has to know of an invoice to pay it. */
export interface PayableInvoice {
  readonly invoice: string
  /** 64 hex digits. */
  readonly paymentHash: string
  readonly amountMsat: bigint
}

const msatPer: Readonly<Record<string, bigint>> = { m: 100_000_000n, u: 100_000n, n: 100n }
const signatureWords = 104
const timestampWords = 7
const paymentHashTag = 1

/** Reads an invoice (BOLT 11) of regtest. @returns undefined for anything else, and for one without an amount in whole msat */
export function readPayable(text: string): PayableInvoice | undefined {
  const invoice = text.toLowerCase()
  const { digits, unit } = /^lnbcrt(?<digits>[1-9]\d*)(?<unit>[munp]?)1/.exec(invoice)?.groups ?? {}
  if (digits === undefined || unit === undefined) return undefined
  const amount = BigInt(digits) * (unit === '' ? 100_000_000_000n : (msatPer[unit] ?? 1n))
  const paymentHash = paymentHashOf(invoice)
  if (paymentHash === undefined || (unit === 'p' && amount % 10n !== 0n)) return undefined
  return { invoice, paymentHash, amountMsat: unit === 'p' ? amount / 10n : amount }
}

function paymentHashOf(invoice: string): string | undefined {
  const decoded = bech32.decodeUnsafe(invoice, false)
  if (!decoded) return undefined
  const words = decoded.words.slice(timestampWords, -signatureWords)
  for (let at = 0; at + 3 <= words.length;) {
    const [tag, high = 0, low = 0] = words.slice(at, at + 3)
    const value = words.slice(at + 3, at + 3 + high * 32 + low)
    if (tag === paymentHashTag && value.length === 52)
      return Buffer.from(bech32.fromWords(value)).toString('hex')
    at += 3 + high * 32 + low
  }
  return undefined
}
