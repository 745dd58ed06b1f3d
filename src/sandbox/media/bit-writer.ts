/** Bits into bytes: the most significant first, as JPEG and H.264 do, or the least significant first, as WebP does. */
export class BitWriter {
  readonly #lowFirst: boolean
  readonly #stuffAfterFf: boolean
  #bytes = Buffer.alloc(65_536)
  #length = 0
  #bits = 0
  #count = 0

  /** @param stuffAfterFf a zero byte follows each 0xff, as in the scans of JPEG */
  constructor({ lowFirst = false, stuffAfterFf = false } = {}) {
    this.#lowFirst = lowFirst
    this.#stuffAfterFf = stuffAfterFf
  }

  /** @param count at most 24 */
  write(value: number, count: number): void {
    for (let at = 0; at < count; at += 1) {
      const bit = (value >>> (this.#lowFirst ? at : count - 1 - at)) & 1
      this.#bits |= bit << (this.#lowFirst ? this.#count : 7 - this.#count)
      this.#count += 1
      if (this.#count === 8) this.#flush()
    }
  }

  /** Whole bytes, where the last one is whole. */
  append(bytes: Uint8Array): void {
    if (this.#count !== 0) throw new RangeError('bytes begin within a byte')
    this.#reserve(bytes.length)
    this.#bytes.set(bytes, this.#length)
    this.#length += bytes.length
  }

  /** Fills the last byte up. */
  align(bit: 0 | 1 = 0): void {
    while (this.#count !== 0) this.write(bit, 1)
  }

  done(): Buffer {
    this.align()
    return this.#bytes.subarray(0, this.#length)
  }

  #flush(): void {
    this.#reserve(2)
    this.#bytes.writeUInt8(this.#bits, this.#length++)
    if (this.#stuffAfterFf && this.#bits === 0xff) this.#bytes.writeUInt8(0, this.#length++)
    this.#bits = 0
    this.#count = 0
  }

  #reserve(more: number): void {
    if (this.#length + more <= this.#bytes.length) return
    const larger = Buffer.alloc((this.#length + more) * 2)
    larger.set(this.#bytes.subarray(0, this.#length))
    this.#bytes = larger
  }
}
