import { WordPostings } from '../../shared/text-index/postings.ts'

/** The parameters that most search engines use (Robertson and Zaragoza, 2009). */
const K1 = 1.2
const B = 0.75
/** A word of the heading counts as if the text had it so many times more. */
const HEADING_WEIGHT = 2
/** The bits of the number of occurrences, which counts up to 15. More hardly change a score. */
const COUNT_BITS = 4
const MOST_COUNT = 2 ** COUNT_BITS - 1
/** Further words of a query are ignored, the most frequent ones first. */
const MOST_QUERY_WORDS = 32

export interface Scored {
  /** In the order of addition, from 0. */
  readonly unit: number
  readonly score: number
}

/** Ranks texts by Okapi BM25. Stores only numbers and words: the texts stay where they are. */
export class Bm25Index {
  /** A number is a text and the occurrences of the word. */
  readonly #postings = new WordPostings()
  readonly #lengths: number[] = []
  #total = 0

  get size(): number {
    return this.#lengths.length
  }

  /** @returns the number of the text */
  add(terms: ReadonlyMap<string, number>, heading?: ReadonlyMap<string, number>): number {
    const unit = this.#lengths.length
    let length = 0
    for (const [word, count] of terms) {
      length += count
      this.#put(word, unit, count + (heading?.has(word) === true ? HEADING_WEIGHT : 0))
    }
    for (const word of heading?.keys() ?? []) if (!terms.has(word)) this.#put(word, unit, HEADING_WEIGHT)
    this.#lengths.push(length)
    this.#total += length
    return unit
  }

  /** The best texts first. Texts with the same score are in the order of addition. */
  find(terms: Iterable<string>, most: number): Scored[] {
    const scores = new Float64Array(this.#lengths.length)
    const average = Math.max(1, this.#total / Math.max(1, this.#lengths.length))
    for (const { idf, word } of this.#rarest(terms)) {
      this.#postings.each(word, (entry) => {
        const unit = entry >>> COUNT_BITS
        const count = entry & MOST_COUNT
        const length = 1 - B + (B * (this.#lengths[unit] ?? 0)) / average
        scores[unit] = (scores[unit] ?? 0) + (idf * count * (K1 + 1)) / (count + K1 * length)
      })
    }
    return bestOf(scores, most)
  }

  #rarest(terms: Iterable<string>): { readonly idf: number; readonly word: string }[] {
    return [...new Set(terms)]
      .flatMap((word) => {
        const texts = this.#postings.sizeOf(word)
        return texts === 0 ? [] : [{ idf: Math.log(1 + (this.size - texts + 0.5) / (texts + 0.5)), word }]
      })
      .sort((a, b) => b.idf - a.idf)
      .slice(0, MOST_QUERY_WORDS)
  }

  #put(word: string, unit: number, count: number): void {
    this.#postings.add(word, unit * 2 ** COUNT_BITS + Math.min(count, MOST_COUNT))
  }
}

/** The highest scores above 0 in descending order. Sorting all of them would take longer than calculating them. */
function bestOf(scores: Float64Array, most: number): Scored[] {
  const best: Scored[] = []
  for (let unit = 0; unit < scores.length; unit += 1) {
    const score = scores[unit] ?? 0
    if (score <= 0 || (best.length === most && score <= (best.at(-1)?.score ?? 0))) continue
    let at = best.length
    while (at > 0 && (best[at - 1]?.score ?? 0) < score) at -= 1
    best.splice(at, 0, { unit, score })
    if (best.length > most) best.pop()
  }
  return best
}
