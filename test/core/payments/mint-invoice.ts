import { secp256k1 } from '@noble/curves/secp256k1.js'
import { bech32 } from '@scure/base'
import { createHash, randomBytes } from 'node:crypto'

/** The secp256k1 key that signs BOLT 11's own examples. */
export const nodeKey = Buffer.from('e126f68f7eafcc8b74f54d269fe206be715000f94dac067d1c04a8ca3b2db734', 'hex')

export interface Minting {
  /** The readable part before the amount: `lnbc`, `lnbcrt`, …. */
  readonly prefix?: string
  /** As it is written in the readable part: `2500u`, or the empty text for no amount. */
  readonly amount?: string
  readonly preimage?: Buffer
  readonly paymentHash?: Buffer
  /** Unix seconds. */
  readonly timestamp?: number
  readonly expirySeconds?: number
  readonly description?: string
  /** A tag and its words of five bits, appended to the others. */
  readonly more?: readonly (readonly [tag: number, words: readonly number[]])[]
  readonly key?: Buffer
  /** Changes the signature's 65 bytes. */
  readonly tamper?: (signature: Buffer) => Buffer
}

export interface Minted {
  readonly invoice: string
  /** Hexadecimal, like the payment hash. */
  readonly preimage: string
  readonly paymentHash: string
}

/** Mints any signed payment request (BOLT 11) that a test needs. It shares no code with the readers under test. */
export function mintInvoice({
  prefix = 'lnbcrt',
  amount = '140n',
  preimage = randomBytes(32),
  timestamp = 1_790_000_000,
  expirySeconds,
  description = 'one thing',
  more = [],
  key = nodeKey,
  tamper,
  ...overrides
}: Minting = {}): Minted {
  const paymentHash = overrides.paymentHash ?? createHash('sha256').update(preimage).digest()
  const fields: (readonly [number, readonly number[]])[] = [
    [1, bech32.toWords(paymentHash)],
    [16, bech32.toWords(Buffer.alloc(32, 0x11))],
    [13, bech32.toWords(Buffer.from(description))],
    ...(expirySeconds === undefined ? [] : [[6, base32(expirySeconds)] as const]),
    ...more,
  ]
  const dataWords = [
    ...base32(timestamp, 7),
    ...fields.flatMap(([tag, data]) => [tag, ...base32(data.length, 2), ...data]),
  ]
  const bits = dataWords.map((word) => word.toString(2).padStart(5, '0')).join('')
  const bytes = (bits.match(/.{1,8}/g) ?? []).map((octet) => parseInt(octet.padEnd(8, '0'), 2))
  const digest = createHash('sha256')
    .update(Buffer.concat([Buffer.from(prefix + amount), Buffer.from(bytes)]))
    .digest()
  const [recovery = 0, ...rest] = secp256k1.sign(digest, key, { prehash: false, format: 'recovered' })
  const signature = Buffer.from([...rest, recovery])
  return {
    invoice: bech32.encode(
      prefix + amount,
      [...dataWords, ...bech32.toWords(tamper ? tamper(signature) : signature)],
      false,
    ),
    preimage: preimage.toString('hex'),
    paymentHash: paymentHash.toString('hex'),
  }
}

function base32(value: number, length = 0): number[] {
  const dataWords: number[] = []
  for (let rest = value; rest > 0 || dataWords.length < length; rest = Math.floor(rest / 32))
    dataWords.unshift(rest % 32)
  return dataWords
}
