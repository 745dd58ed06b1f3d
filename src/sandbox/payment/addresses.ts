import { keccak_256 } from '@noble/hashes/sha3.js'
import { bech32, base58 } from '@scure/base'
import type { RandomBytes } from '../random.ts'

/**
 * Addresses of test networks with valid checksums and no owner. Real networks don't accept them, so real
 * money can't be sent there.
 */
export function testAddress(method: 'btc' | 'ltc' | 'lbtc' | 'xmr', random: RandomBytes): string {
  switch (method) {
    case 'btc':
      return witnessAddress('bcrt', random)
    case 'ltc':
      return witnessAddress('rltc', random)
    // Liquid regtest, not blinded: the same form as Bitcoin's.
    case 'lbtc':
      return witnessAddress('ert', random)
    case 'xmr':
      return moneroAddress(random)
  }
}

/** Pay to witness public key hash, version 0 (BIP 173). */
function witnessAddress(prefix: string, random: RandomBytes): string {
  return bech32.encode(prefix, [0, ...bech32.toWords(random(20))])
}

/** Stagenet, standard address: its network byte, a spend key and a view key, and four bytes of Keccak-256. */
const stagenet = 24

function moneroAddress(random: RandomBytes): string {
  const body = Buffer.concat([Buffer.of(stagenet), random(64)])
  return moneroBase58(Buffer.concat([body, keccak_256(body).subarray(0, 4)]))
}

/** Characters that so many bytes take: Monero encodes in blocks of eight. */
const widths = [0, 2, 3, 5, 6, 7, 9, 10, 11]

function moneroBase58(bytes: Buffer): string {
  let text = ''
  for (let at = 0; at < bytes.length; at += 8) {
    const block = bytes.subarray(at, at + 8)
    // The plain form keeps leading zero bytes as ones; here the width determines their number.
    text += base58
      .encode(block)
      .replace(/^1+(?=.)/, '')
      .padStart(widths[block.length] ?? 0, '1')
  }
  return text
}
