import { setBit, WordPostings } from '../../../shared/text-index/postings.ts'

/**
 * New words are sorted in batches. Sorting all words after each message would delay the next keystroke
 * noticeably.
 */
const UNORDERED = 2_000

/** The words of the index and the texts that contain them. Words can be found by a prefix. */
export class Vocabulary {
  readonly #postings = new WordPostings()
  #ordered: string[] = []
  #unordered: string[] = []

  add(word: string, unit: number): void {
    if (this.#postings.add(word, unit)) this.#unordered.push(word)
  }

  mark(word: string, bits: Uint32Array): void {
    this.#postings.each(word, (unit) => setBit(bits, unit))
  }

  /** Marks the texts of all words with this prefix. */
  markPrefix(prefix: string, bits: Uint32Array): void {
    if (this.#unordered.length > Math.max(UNORDERED, this.#ordered.length >> 3)) this.order()
    for (let at = this.#firstFrom(prefix); this.#ordered[at]?.startsWith(prefix); at += 1)
      this.mark(this.#ordered[at] ?? '', bits)
    for (const word of this.#unordered) if (word.startsWith(prefix)) this.mark(word, bits)
  }

  /** Sorts the new words into the others. */
  order(): void {
    this.#ordered = this.#ordered.concat(this.#unordered).sort()
    this.#unordered = []
  }

  #firstFrom(prefix: string): number {
    let [low, high] = [0, this.#ordered.length]
    while (low < high) {
      const middle = (low + high) >>> 1
      if ((this.#ordered[middle] ?? '') < prefix) low = middle + 1
      else high = middle
    }
    return low
  }
}
