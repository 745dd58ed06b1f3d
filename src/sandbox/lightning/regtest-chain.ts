import { createHash } from 'node:crypto'

/** Regtest blocks: each has a header that refers to the one before, without proof of work. */
export class RegtestChain {
  #tip: Buffer
  #height = 0
  /** Unix seconds. */
  #time = 0

  /** @param genesis its hash, in the order of its bytes */
  constructor(genesis: Uint8Array) {
    this.#tip = Buffer.from(genesis)
  }

  /** Unix seconds, of the last block. */
  get time(): number {
    return this.#time
  }

  /** @param now Unix ms */
  mine(now: number): { readonly header: Uint8Array; readonly height: number } {
    this.#time = Math.max(this.#time, Math.floor(now / 1000))
    const header = Buffer.alloc(80)
    header.writeInt32LE(0x2000_0000, 0)
    this.#tip.copy(header, 4)
    header.writeUInt32LE(this.#time, 68)
    header.writeUInt32LE(0x207f_ffff, 72)
    header.writeUInt32LE(this.#height, 76)
    const once = createHash('sha256').update(header).digest()
    this.#tip = createHash('sha256').update(once).digest()
    this.#height += 1
    return { header, height: this.#height }
  }
}

/** A transaction that spends a fictional output and funds a channel. No node verifies it on this chain. */
export function fundingTransaction(sat: bigint, script: Uint8Array): Uint8Array {
  const value = Buffer.alloc(8)
  value.writeBigUInt64LE(sat)
  return Buffer.concat([
    // Version, segwit marker and flag, one input of an outpoint of noughts without a script.
    Buffer.from([2, 0, 0, 0, 0, 1, 1]),
    Buffer.alloc(36),
    Buffer.from([0, 0xff, 0xff, 0xff, 0xff]),
    Buffer.from([1]),
    value,
    Buffer.from([script.length]),
    script,
    // One witness of one byte, no lock time.
    Buffer.from([1, 1, 0xff, 0, 0, 0, 0]),
  ])
}
