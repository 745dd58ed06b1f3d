/** Ascending unique numbers, stored as differences with seven bits in a byte. Most take one byte. */
class Postings {
  #bytes = new Uint8Array(8)
  #used = 0
  #last = 0
  #size = 0

  /** How many numbers there are. */
  get size(): number {
    return this.#size
  }

  /** `number` must be larger than all before it. */
  add(number: number): void {
    let difference = number - this.#last
    this.#last = number
    this.#size += 1
    if (this.#used + 5 > this.#bytes.length) this.#grow()
    while (difference > 0x7f) {
      this.#bytes[this.#used++] = (difference & 0x7f) | 0x80
      difference >>>= 7
    }
    this.#bytes[this.#used++] = difference
  }

  /** Visits the numbers in ascending order. */
  each(visit: (number: number) => void): void {
    let number = 0
    let difference = 0
    let shift = 0
    const bytes = this.#bytes
    for (let at = 0; at < this.#used; at += 1) {
      const byte = bytes[at] ?? 0
      difference |= (byte & 0x7f) << shift
      if (byte > 0x7f) {
        shift += 7
        continue
      }
      number += difference
      visit(number)
      difference = 0
      shift = 0
    }
  }

  #grow(): void {
    const grown = new Uint8Array(this.#bytes.length + Math.max(8, this.#bytes.length >> 1))
    grown.set(this.#bytes)
    this.#bytes = grown
  }
}

/** The numbers of each word, in ascending order. */
export class WordPostings {
  /** A word with only one number has no list; most words are of this kind. */
  readonly #postings = new Map<string, Postings | number>()

  /**
   * Returns whether the word is new.
   *
   * @param number must be larger than all before it
   */
  add(word: string, number: number): boolean {
    const known = this.#postings.get(word)
    if (known === undefined) this.#postings.set(word, number)
    else if (typeof known === 'number') {
      const postings = new Postings()
      postings.add(known)
      postings.add(number)
      this.#postings.set(word, postings)
    } else known.add(number)
    return known === undefined
  }

  /** How many numbers the word has. */
  sizeOf(word: string): number {
    const known = this.#postings.get(word)
    return typeof known === 'number' ? 1 : (known?.size ?? 0)
  }

  /** Visits the numbers of the word. */
  each(word: string, visit: (number: number) => void): void {
    const known = this.#postings.get(word)
    if (typeof known === 'number') visit(known)
    else known?.each(visit)
  }
}

/** Does nothing if `bits` is too short. @param number from 0 */
export function setBit(bits: Uint32Array, number: number): void {
  const at = number >>> 5
  bits[at] = (bits[at] ?? 0) | (1 << (number & 31))
}

/** Returns false if `bits` is too short. */
export function hasBit(bits: Uint32Array, number: number): boolean {
  return ((bits[number >>> 5] ?? 0) & (1 << (number & 31))) !== 0
}
