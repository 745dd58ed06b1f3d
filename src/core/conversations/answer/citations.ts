import { MAX_CITATIONS, type Citation } from '../../../shared/answer-parts.ts'
import { webAddress, type Source } from '../../gateway/answer/index.ts'

/**
 * How many different addresses are remembered, valid or invalid. Some services repeat all of them with
 * every token.
 */
const MAX_SEEN = 1000
const MAX_MARKS = 20

/**
 * Collects the sources of an answer: only web addresses, each once, in the order of their first occurrence.
 */
export class Citations {
  readonly #kept = new Map<string, { url: string; title?: string; excerpt?: string; marks?: number[] }>()
  readonly #addresses = new Map<string, string | null>()

  add(sources: readonly Source[]): void {
    for (const source of sources) this.#add(source)
  }

  /** Undefined if there are none. @param length of the answer's text: marks after it are left out */
  list(length: number): Citation[] | undefined {
    if (this.#kept.size === 0) return undefined
    return [...this.#kept.values()].map(({ marks, ...citation }) => {
      const within = marks?.filter((mark) => mark <= length)
      return { ...citation, ...(within && within.length > 0 && { marks: within.toSorted((a, b) => a - b) }) }
    })
  }

  #add({ url: cited, title, excerpt, mark }: Source): void {
    const url = this.#addressOf(cited)
    if (url === null) return
    const known = this.#kept.get(url)
    if (!known && this.#kept.size >= MAX_CITATIONS) return
    const citation = known ?? { url }
    if (title !== undefined) citation.title ??= title
    if (excerpt !== undefined) citation.excerpt ??= excerpt
    if (mark !== undefined && !citation.marks?.includes(mark) && (citation.marks?.length ?? 0) < MAX_MARKS)
      citation.marks = [...(citation.marks ?? []), mark]
    this.#kept.set(url, citation)
  }

  #addressOf(cited: string): string | null {
    const known = this.#addresses.get(cited)
    if (known !== undefined) return known
    if (this.#addresses.size >= MAX_SEEN) return null
    const address = webAddress(cited)
    this.#addresses.set(cited, address)
    return address
  }
}
