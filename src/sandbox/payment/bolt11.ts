import { secp256k1 } from '@noble/curves/secp256k1.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { bech32 } from '@scure/base'

interface InvoiceFields {
  readonly amountMsat: bigint
  /** Unix seconds. */
  readonly timestamp: number
  readonly paymentHash: Uint8Array
  readonly paymentSecret: Uint8Array
  readonly description: string
  readonly expirySeconds: number
}

/** Regtest (BOLT 11, human-readable part): no wallet of another network pays it. */
const prefix = 'lnbcrt'

/** Tagged fields (BOLT 11). */
const tags = {
  paymentHash: 1,
  description: 13,
  paymentSecret: 16,
  expiry: 6,
  minFinalCltvExpiryDelta: 24,
  features: 5,
}
/** var_onion_optin and payment_secret, both required: bits 8 and 14. */
const features = [16, 8, 0]

/** A payment request (BOLT 11) for regtest. @param nodeKey secp256k1, 32 bytes */
export function encodeInvoice(fields: InvoiceFields, nodeKey: Uint8Array): string {
  const readable = `${prefix}${amount(fields.amountMsat)}`
  const dataWords = [
    ...number(fields.timestamp, 7),
    ...tagged(tags.paymentHash, bech32.toWords(fields.paymentHash)),
    ...tagged(tags.paymentSecret, bech32.toWords(fields.paymentSecret)),
    ...tagged(tags.description, bech32.toWords(new TextEncoder().encode(fields.description))),
    ...tagged(tags.expiry, number(fields.expirySeconds)),
    ...tagged(tags.minFinalCltvExpiryDelta, number(18)),
    ...tagged(tags.features, features),
  ]
  const signed = new Uint8Array([...new TextEncoder().encode(readable), ...bytesOf(dataWords)])
  const recovered = secp256k1.sign(sha256(signed), nodeKey, { prehash: false, format: 'recovered' })
  // BOLT 11 puts the recovery id behind the signature; the library puts it before.
  const signature = new Uint8Array([...recovered.subarray(1), recovered[0] ?? 0])
  return bech32.encode(readable, [...dataWords, ...bech32.toWords(signature)], false)
}

const multipliers = [
  ['m', 100_000_000n],
  ['u', 100_000n],
  ['n', 100n],
] as const

/** Uses the largest multiplier that divides it; a tenth of a millisatoshi is written in pico-bitcoin. */
function amount(msat: bigint): string {
  if (msat <= 0n) throw new RangeError('an invoice asks for something')
  for (const [letter, unit] of multipliers) if (msat % unit === 0n) return `${msat / unit}${letter}`
  return `${msat * 10n}p`
}

function tagged(tag: number, dataWords: readonly number[]): number[] {
  return [tag, ...number(dataWords.length, 2), ...dataWords]
}

/** Big-endian groups of five bits. */
function number(value: number, length = 0): number[] {
  const dataWords: number[] = []
  for (let rest = value; rest > 0 || dataWords.length < length; rest = Math.floor(rest / 32))
    dataWords.unshift(rest % 32)
  return dataWords
}

/** Converts groups of five bits to bytes, padded with zeros: the signed data. */
function bytesOf(dataWords: readonly number[]): number[] {
  const bytes: number[] = []
  let buffered = 0
  let bits = 0
  for (const word of dataWords) {
    buffered = (buffered << 5) | word
    bits += 5
    if (bits < 8) continue
    bits -= 8
    bytes.push((buffered >> bits) & 0xff)
    buffered &= (1 << bits) - 1
  }
  if (bits > 0) bytes.push((buffered << (8 - bits)) & 0xff)
  return bytes
}
