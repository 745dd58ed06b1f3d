import { secp256k1 } from '@noble/curves/secp256k1.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex } from '@noble/hashes/utils.js'
import { bech32 } from '@scure/base'
import { decode } from 'light-bolt11-decoder'
import { z } from 'zod'
import { SottoError } from '../../shared/errors.ts'

export type InvoiceNetwork = 'bitcoin' | 'testnet' | 'signet' | 'regtest' | 'simnet'

/** The parts of a payment request that a wallet uses to pay. */
export interface Invoice {
  readonly network: InvoiceNetwork
  /** null: the payer chooses the amount. */
  readonly amountMsat: bigint | null
  /** Unix ms. */
  readonly timestamp: number
  readonly expiresAt: number
  /** 64 lowercase hex digits. */
  readonly paymentHash: string
  /** The signer's compressed secp256k1 key, 66 hex digits. */
  readonly payee: string
  /** The issuer of the invoice controls it. Absent if the invoice only has its hash. */
  readonly description?: string
}

const MAX_LENGTH = 4096
/** BOLT 11: the signature with its recovery id, and the timestamp, in groups of five bits. */
const SIGNATURE_WORDS = 104
const TIMESTAMP_WORDS = 7
/**
 * The size of tag and length before a field, and the sizes of 256 bits and of a compressed key. Fields of
 * another size must be skipped.
 */
const HEAD = 3
const HASH_WORDS = 52
const KEY_WORDS = 53
const DEFAULT_EXPIRY_S = 3600
/** A longer expiry is refused, because the text may have numbers beyond any date. */
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
 * Parses a payment request (BOLT 11). In addition to the format's rules, it refuses a signature by no key or
 * not by the named key. It also refuses two payment hashes, because readers differ in which one they pay.
 * @throws {SottoError} payment/invoice-invalid
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
  const all = (name: string, dataLength?: number) =>
    sections
      .filter(
        (section) =>
          section.name === name && (dataLength === undefined || section.letters.length === HEAD + dataLength),
      )
      .map(({ value }) => value)
  const once = (name: string, dataLength?: number): unknown => {
    const found = all(name, dataLength)
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

/**
 * Recovers the signer of the readable part and of the data without the signature, padded with zeros to whole
 * bytes.
 */
function payeeOf(text: string): string {
  const decoded = bech32.decodeUnsafe(text, false)
  if (!decoded || decoded.words.length < SIGNATURE_WORDS + TIMESTAMP_WORDS) throw invalid()
  const { prefix, words: data } = decoded
  const signature = bech32.fromWords(data.slice(-SIGNATURE_WORDS))
  const [recovery = -1] = signature.subarray(64)
  const digest = sha256(
    new Uint8Array([...new TextEncoder().encode(prefix), ...filledUp(data.slice(0, -SIGNATURE_WORDS))]),
  )
  const key = secp256k1.Signature.fromBytes(
    new Uint8Array([recovery, ...signature.subarray(0, 64)]),
    'recovered',
  ).recoverPublicKey(digest)
  return bytesToHex(key.toBytes(true))
}

function filledUp(data: readonly number[]): number[] {
  const bytes: number[] = []
  let buffer = 0
  let bits = 0
  for (const word of data) {
    buffer = ((buffer << 5) | word) & 0xfff
    bits += 5
    if (bits < 8) continue
    bits -= 8
    bytes.push((buffer >> bits) & 0xff)
  }
  if (bits > 0) bytes.push((buffer << (8 - bits)) & 0xff)
  return bytes
}

/** Without the cause, because it may quote the text. */
function invalid(): SottoError {
  return new SottoError('payment/invoice-invalid')
}

/**
 * Whether SHA-256 of the preimage is the payment hash, which proves the payment, whatever its source. Both
 * have 64 lowercase hex digits.
 */
export function provesPayment(preimage: string, paymentHash: string): boolean {
  return (
    hashSchema.safeParse(preimage).success && bytesToHex(sha256(Buffer.from(preimage, 'hex'))) === paymentHash
  )
}
