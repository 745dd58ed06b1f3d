import { secp256k1 } from '@noble/curves/secp256k1.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex } from '@noble/hashes/utils.js'
import { bech32 } from '@scure/base'
import { decode } from 'light-bolt11-decoder'
import { z } from 'zod'
import { SottoError } from '../../shared/errors.ts'

export type InvoiceNetwork = 'bitcoin' | 'testnet' | 'signet' | 'regtest' | 'simnet'

/** What counts of a payment request: what a wallet would pay, not what is said beside it. */
export interface Invoice {
  readonly network: InvoiceNetwork
  /** null: whoever pays chooses the amount. */
  readonly amountMsat: bigint | null
  /** Unix ms. */
  readonly timestamp: number
  readonly expiresAt: number
  /** 64 lower-case hex digits. */
  readonly paymentHash: string
  /** Who signed it: a compressed secp256k1 key, 66 hex digits. */
  readonly payee: string
  /** Whoever made the invoice chose it. Absent where it carries only a hash of one. */
  readonly description?: string
}

const MAX_LENGTH = 4096
/** BOLT 11: the signature with its recovery id, and the timestamp, in groups of five bits. */
const SIGNATURE_WORDS = 104
const TIMESTAMP_WORDS = 7
/** Tag and length before a field, and what 256 bits and a compressed key take: fields of another length are to be skipped. */
const HEAD = 3
const HASH_WORDS = 52
const KEY_WORDS = 53
const DEFAULT_EXPIRY_S = 3600
/** Beyond it an end is none; the text may state numbers that no date holds. */
const LONGEST_EXPIRY_S = 366 * 86_400

const networks = new Map<string, InvoiceNetwork>([
  ['bc', 'bitcoin'],
  ['tb', 'testnet'],
  ['tbs', 'signet'],
  ['bcrt', 'regtest'],
  ['sb', 'simnet'],
])

const networkSchema = z.object({ bech32: z.string() })
const sectionsSchema = z.array(
  z.object({ name: z.string(), letters: z.string().default(''), value: z.unknown().optional() }),
)
const hashSchema = z.string().regex(/^[0-9a-f]{64}$/)
const keySchema = z.string().regex(/^[0-9a-f]{66}$/)
const wholeSchema = z.string().regex(/^\d{1,19}$/)

/**
 * Reads a payment request (BOLT 11). Refused besides what the format refuses: a signature that no key made or not the key
 * that is named, and two payment hashes, of which one reader would pay the first and another the last.
 * Throws payment/invoice-invalid.
 */
export function readInvoice(text: string): Invoice {
  if (text.length > MAX_LENGTH) throw invalid()
  try {
    return read(text.toLowerCase() === text ? text : text.toUpperCase() === text ? text.toLowerCase() : '')
  } catch (cause) {
    throw cause instanceof SottoError ? cause : invalid()
  }
}

function read(text: string): Invoice {
  const payee = payeeOf(text)
  const sections = sectionsSchema.parse(decode(text).sections)
  const all = (name: string, words?: number) =>
    sections
      .filter(
        (section) =>
          section.name === name && (words === undefined || section.letters.length === HEAD + words),
      )
      .map(({ value }) => value)
  const once = (name: string, words?: number): unknown => {
    const found = all(name, words)
    if (found.length > 1) throw invalid()
    return found[0]
  }

  const network = networks.get(networkSchema.parse(once('coin_network')).bech32)
  if (!network) throw invalid()
  const amount = wholeSchema.optional().parse(once('amount'))
  const timestamp = z.int().min(0).parse(once('timestamp'))
  const expiry = z.number().min(0).optional().parse(once('expiry')) ?? DEFAULT_EXPIRY_S
  const named = keySchema.optional().parse(once('payee', KEY_WORDS))
  if (named !== undefined && named !== payee) throw invalid()
  const description = z.string().optional().parse(once('description'))
  return {
    network,
    amountMsat: amount === undefined ? null : BigInt(amount),
    timestamp: timestamp * 1000,
    expiresAt: (timestamp + Math.min(expiry, LONGEST_EXPIRY_S)) * 1000,
    paymentHash: hashSchema.parse(once('payment_hash', HASH_WORDS)),
    payee,
    ...(description !== undefined && { description }),
  }
}

/** Recovers who signed the readable part and the data without the signature, filled up with zeros to whole bytes. */
function payeeOf(text: string): string {
  const decoded = bech32.decodeUnsafe(text, false)
  if (!decoded || decoded.words.length < SIGNATURE_WORDS + TIMESTAMP_WORDS) throw invalid()
  const { prefix, words } = decoded
  const signature = bech32.fromWords(words.slice(-SIGNATURE_WORDS))
  const [recovery = -1] = signature.subarray(64)
  const digest = sha256(
    new Uint8Array([...new TextEncoder().encode(prefix), ...filledUp(words.slice(0, -SIGNATURE_WORDS))]),
  )
  const key = secp256k1.Signature.fromBytes(
    new Uint8Array([recovery, ...signature.subarray(0, 64)]),
    'recovered',
  ).recoverPublicKey(digest)
  return bytesToHex(key.toBytes(true))
}

function filledUp(words: readonly number[]): number[] {
  const bytes: number[] = []
  let held = 0
  let bits = 0
  for (const word of words) {
    held = ((held << 5) | word) & 0xfff
    bits += 5
    if (bits < 8) continue
    bits -= 8
    bytes.push((held >> bits) & 0xff)
  }
  if (bits > 0) bytes.push((held << (8 - bits)) & 0xff)
  return bytes
}

/** Not its cause: that may quote the text. */
function invalid(): SottoError {
  return new SottoError('payment/invoice-invalid')
}

/** Whether SHA-256 of the preimage is the payment hash: then it was paid, whoever says so. Both 64 lower-case hex digits. */
export function provesPayment(preimage: string, paymentHash: string): boolean {
  return (
    hashSchema.safeParse(preimage).success && bytesToHex(sha256(Buffer.from(preimage, 'hex'))) === paymentHash
  )
}
