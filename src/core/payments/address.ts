import { sha256 } from '@noble/hashes/sha2.js'
import { keccak_256 } from '@noble/hashes/sha3.js'
import { base58, bech32, bech32m, createBase58check } from '@scure/base'
import { SottoError } from '../../shared/errors.ts'

/** Coins that are paid to an address; `lbtc` is bitcoin on Liquid. */
export type AddressCoin = 'btc' | 'ltc' | 'lbtc' | 'xmr'

/**
 * The beginning of a network's addresses: the readable part of the witness form, and the version bytes of the
 * older form.
 */
interface Forms {
  readonly witness?: string
  readonly versions: readonly number[]
  /** Liquid: addresses with a key that blinds the amount. */
  readonly blinded?: { readonly witness: string; readonly version: number }
}

/**
 * Litecoin's former addresses of version 5 look like Bitcoin's and are refused. Monero's regtest has no
 * addresses of its own, so its test network here is stagenet.
 */
const forms: Readonly<Record<AddressCoin, Readonly<Record<'bitcoin' | 'regtest', Forms>>>> = {
  btc: { bitcoin: { witness: 'bc', versions: [0, 5] }, regtest: { witness: 'bcrt', versions: [111, 196] } },
  ltc: { bitcoin: { witness: 'ltc', versions: [48, 50] }, regtest: { witness: 'rltc', versions: [111, 58] } },
  lbtc: {
    bitcoin: { witness: 'ex', versions: [57, 39], blinded: { witness: 'lq', version: 12 } },
    regtest: { witness: 'ert', versions: [235, 75], blinded: { witness: 'el', version: 4 } },
  },
  // Standard, integrated, subaddress.
  xmr: { bitcoin: { versions: [18, 19, 42] }, regtest: { versions: [24, 25, 36] } },
}

const base58check = createBase58check(sha256)
const HASH_BYTES = 20
const KEY_BYTES = 33

/**
 * Requires that the address has a valid checksum and belongs to this coin and network, so that money sent to
 * it arrives. `bitcoin` is each coin's real network.
 * @throws {SottoError} payment/invoice-invalid – not an address; payment/wrong-network – an address of
 * another coin or network
 */
export function requireAddress(coin: AddressCoin, network: 'bitcoin' | 'regtest', address: string): void {
  const form = forms[coin][network]
  if (coin === 'xmr') {
    if (!form.versions.includes(moneroVersion(address))) throw new SottoError('payment/wrong-network')
    return
  }
  const prefix = /^[A-Za-z]{2,8}(?=1)/.exec(address)?.[0].toLowerCase()
  const witness = prefix !== undefined && (witnessVersion(address, prefix) || blindedWitness(address, prefix))
  const mine = witness ? [form.witness, form.blinded?.witness].includes(prefix) : ofVersion(form, address)
  if (!mine) throw new SottoError('payment/wrong-network')
}

/** BIP 173 and 350: from witness version 1 on, the checksum is another one. */
function witnessVersion(address: string, prefix: string): boolean {
  const [first, second] = [bech32.decodeUnsafe(address, 90), bech32m.decodeUnsafe(address, 90)]
  const decoded = first ?? second
  if (decoded?.prefix !== prefix) return false
  const [version = -1, ...data] = decoded.words
  const program = bech32.fromWordsUnsafe(data)
  if (!program || program.length < 2 || program.length > 40 || version > 16) return false
  return first ? version === 0 && (program.length === 20 || program.length === 32) : version > 0
}

/**
 * Blech32, of Elements: the words of bech32 with a checksum of 60 bits, for a witness program after a
 * blinding key.
 */
function blindedWitness(address: string, prefix: string): boolean {
  if (address.length > 200 || (address !== address.toLowerCase() && address !== address.toUpperCase()))
    return false
  const data = Array.from(address.slice(prefix.length + 1).toLowerCase(), (letter) => LETTERS.indexOf(letter))
  const [version = -1] = data
  if (data.includes(-1) || data.length < 13 || version > 16) return false
  const letters = Array.from(prefix, (letter) => letter.charCodeAt(0))
  const checked = [...letters.map((code) => code >> 5), 0, ...letters.map((code) => code & 31), ...data]
  const program = bech32.fromWordsUnsafe(data.slice(1, -CHECKSUM_WORDS))
  if (!program || program.length < KEY_BYTES + 2 || program.length > KEY_BYTES + 40) return false
  return remainder(checked) === (version === 0 ? 1n : BLECH32M)
}

const LETTERS = 'qpzry9x8gf2tvdw0s3jn54khce6mua7l'
const CHECKSUM_WORDS = 12
const BLECH32M = 0x455972a3350f7a1n
const GENERATOR = [
  0x7d52fba40bd886n,
  0x5e8dbf1a03950cn,
  0x1c3a3c74072a18n,
  0x385d72fa0e5139n,
  0x7093e5a608865bn,
]

function remainder(data: readonly number[]): bigint {
  let rest = 1n
  for (const word of data) {
    const top = rest >> 55n
    rest = ((rest & 0x7fffffffffffffn) << 5n) ^ BigInt(word)
    for (const [bit, generator] of GENERATOR.entries())
      if (((top >> BigInt(bit)) & 1n) === 1n) rest ^= generator
  }
  return rest
}

/**
 * Whether it's base58 with a checksum: version and hash, or on Liquid a version, the version of the inner
 * address, a blinding key and the hash.
 */
function ofVersion({ versions, blinded }: Forms, address: string): boolean {
  let bytes: Uint8Array
  try {
    bytes = base58check.decode(address)
  } catch {
    throw new SottoError('payment/invoice-invalid')
  }
  const [version = -1, within = -1] = bytes
  if (bytes.length === 1 + HASH_BYTES) return versions.includes(version)
  if (bytes.length === 2 + KEY_BYTES + HASH_BYTES)
    return version === blinded?.version && versions.includes(within)
  throw new SottoError('payment/invoice-invalid')
}

/** Monero encodes in blocks. `widths` has the number of characters by the number of bytes. */
const BLOCK_BYTES = 8
const BLOCK_CHARACTERS = 11
const widths = [0, 2, 3, 5, 6, 7, 9, 10, 11]
/** Version, two keys and a checksum; an integrated address also has a payment ID. */
const MONERO_BYTES: ReadonlySet<number> = new Set([69, 77])

function moneroVersion(address: string): number {
  const blocks = address.match(new RegExp(`.{1,${String(BLOCK_CHARACTERS)}}`, 'gs')) ?? []
  const bytes = Buffer.concat(blocks.map(moneroBlock))
  const body = bytes.subarray(0, -4)
  if (!MONERO_BYTES.has(bytes.length) || !bytes.subarray(-4).equals(keccak_256(body).subarray(0, 4)))
    throw new SottoError('payment/invoice-invalid')
  // Every known version is one byte.
  return bytes.readUInt8(0)
}

function moneroBlock(block: string): Uint8Array {
  const length = widths.indexOf(block.length)
  let value: Uint8Array
  try {
    // A leading 1 is a zero digit here, not a byte.
    value = base58.decode(block.replace(/^1+(?=.)/, ''))
  } catch {
    throw new SottoError('payment/invoice-invalid')
  }
  const digits = value.length === 1 && value[0] === 0 ? new Uint8Array(0) : value
  if (length < 1 || digits.length > length) throw new SottoError('payment/invoice-invalid')
  const bytes = new Uint8Array(Math.min(length, BLOCK_BYTES))
  bytes.set(digits, bytes.length - digits.length)
  return bytes
}
