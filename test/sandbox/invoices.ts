import { secp256k1 } from '@noble/curves/secp256k1.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { bech32, base58 } from '@scure/base'
import { keccak_256 } from '@noble/hashes/sha3.js'
import { decode } from 'light-bolt11-decoder'

export interface ReadInvoice {
  readonly network: string
  readonly msat: bigint
  readonly paymentHash: string
  readonly description: string
  readonly timestamp: number
  readonly expiry: number
  /** Recovered from the signature. */
  readonly payee: string
}

/** Reads an invoice with a decoder that is not the sandbox's, and recovers who signed it. */
export function readInvoice(invoice: string): ReadInvoice {
  const { sections, expiry } = decode(invoice)
  const value = (name: string) =>
    sections.find((section) => section.name === name) as { value?: unknown } | undefined
  const network = value('coin_network') as { value: { bech32: string } }
  return {
    network: network.value.bech32,
    msat: BigInt(value('amount')?.value as string),
    paymentHash: value('payment_hash')?.value as string,
    description: value('description')?.value as string,
    timestamp: value('timestamp')?.value as number,
    expiry,
    payee: payeeOf(invoice),
  }
}

/** BOLT 11: the signature covers the readable part and the data without the signature, filled up to whole bytes. */
function payeeOf(invoice: string): string {
  const { prefix, words } = bech32.decode(invoice as `${string}1${string}`, false)
  const data = words.slice(0, -104)
  const bits = data.map((word) => word.toString(2).padStart(5, '0')).join('')
  const bytes = bits.match(/.{1,8}/g)?.map((octet) => parseInt(octet.padEnd(8, '0'), 2)) ?? []
  const signed = sha256(new Uint8Array([...Buffer.from(prefix), ...bytes]))
  const signature = bech32.fromWords(words.slice(-104))
  const recovered = secp256k1.Signature.fromBytes(
    new Uint8Array([signature[64] ?? 9, ...signature.subarray(0, 64)]),
    'recovered',
  )
  return recovered.recoverPublicKey(signed).toHex()
}

/** Whether the address is of the test network and its checksum holds. */
export function isWitnessAddress(address: string, network: string): boolean {
  const { prefix, words } = bech32.decode(address as `${string}1${string}`)
  return prefix === network && words[0] === 0 && bech32.fromWords(words.slice(1)).length === 20
}

/** Blocks of eight bytes take eleven characters; the last five bytes take seven. */
export function isMoneroStagenetAddress(address: string): boolean {
  const blocks = address.match(/.{1,11}/g) ?? []
  const bytes = Buffer.concat(
    blocks.map((block, index) => {
      const width = index === blocks.length - 1 ? 5 : 8
      const decoded = Buffer.from(base58.decode(block.replace(/^1+(?=.)/, '')))
      return Buffer.concat([Buffer.alloc(Math.max(0, width - decoded.length)), decoded]).subarray(-width)
    }),
  )
  return (
    bytes.length === 69 &&
    bytes[0] === 24 &&
    Buffer.from(keccak_256(bytes.subarray(0, 65)).subarray(0, 4)).equals(bytes.subarray(65))
  )
}
