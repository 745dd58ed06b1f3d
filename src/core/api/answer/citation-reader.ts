import { z } from 'zod'
import { MAX_CITATION_URL, MAX_CITATIONS, type Citation } from '../../../shared/answer-parts.ts'
import { cleanDisplayName, clipDisplayName } from '../../../shared/display-name.ts'

/** What one event is looked through for. What stands beyond it is not read. */
const MAX_ITEMS = 200
/** Different addresses, good or bad, that are remembered: some services repeat all of them with every token. */
const MAX_SEEN = 1000
const MAX_TITLE = 300
const MAX_EXCERPT = 2000
const MAX_MARKS = 20

const text = z.string().nullish().catch(null)
const place = z.number().nullish().catch(null)
const source = { url: z.string(), title: text, content: text, snippet: text, text, excerpt: text, start_index: place, end_index: place }
const flatSchema = z.looseObject(source)
const nestedSchema = z.looseObject({ url_citation: flatSchema })

interface Found {
  readonly url: string
  readonly title: string | undefined
  readonly excerpt: string | undefined
  readonly mark: number | undefined
}

/**
 * Gathers what an answer names as its sources. No two services agree on where that stands: `annotations` of the type
 * `url_citation`, nested (OpenAI) or flat; `citations`, a list of addresses; `search_results`. An attacker controls all of
 * it: only web addresses are kept, each once, in the order in which they first came.
 */
export class CitationReader {
  readonly #kept = new Map<string, { url: string; title?: string; excerpt?: string; marks?: number[] }>()
  readonly #addresses = new Map<string, string | null>()

  /** `citations`, `search_results` or `annotations`, whatever it is. */
  read(list: unknown): void {
    if (!Array.isArray(list)) return
    for (const item of list.slice(0, MAX_ITEMS)) {
      const found = foundIn(item)
      if (found) this.#take(found)
    }
  }

  /** Undefined where there are none. @param length of the answer's text, beyond which nothing is marked */
  citations(length: number): Citation[] | undefined {
    if (this.#kept.size === 0) return undefined
    return [...this.#kept.values()].map(({ marks, ...citation }) => {
      const within = marks?.filter((mark) => mark <= length)
      return { ...citation, ...(within && within.length > 0 && { marks: within.toSorted((a, b) => a - b) }) }
    })
  }

  #take({ url: given, title, excerpt, mark }: Found): void {
    const url = this.#addressOf(given)
    if (url === null) return
    const known = this.#kept.get(url)
    if (!known && this.#kept.size >= MAX_CITATIONS) return
    const citation = known ?? { url }
    if (title !== undefined) citation.title ??= title
    if (excerpt !== undefined) citation.excerpt ??= excerpt
    if (mark !== undefined && !citation.marks?.includes(mark) && (citation.marks?.length ?? 0) < MAX_MARKS) citation.marks = [...(citation.marks ?? []), mark]
    this.#kept.set(url, citation)
  }

  #addressOf(given: string): string | null {
    const known = this.#addresses.get(given)
    if (known !== undefined) return known
    if (this.#addresses.size >= MAX_SEEN) return null
    const address = webAddress(given)
    this.#addresses.set(given, address)
    return address
  }
}

/** The canonical form of an address of the web; null of all else. One with a user in it looks like another host's. */
function webAddress(given: string): string | null {
  if (given.length > MAX_CITATION_URL || !URL.canParse(given)) return null
  const { protocol, username, password, href } = new URL(given)
  if ((protocol !== 'https:' && protocol !== 'http:') || username !== '' || password !== '') return null
  return href.length <= MAX_CITATION_URL && !/[\s<>"]/.test(href) ? href : null
}

function foundIn(item: unknown): Found | undefined {
  if (typeof item === 'string') return { url: item, title: undefined, excerpt: undefined, mark: undefined }
  const nested = nestedSchema.safeParse(item)
  const flat = nested.success ? nested.data.url_citation : flatSchema.safeParse(item).data
  if (!flat) return undefined
  return {
    url: flat.url,
    title: shown(flat.title, MAX_TITLE),
    excerpt: shown(flat.content ?? flat.snippet ?? flat.excerpt ?? flat.text, MAX_EXCERPT),
    mark: markOf(flat.start_index, flat.end_index),
  }
}

/** A range of nothing at the very beginning is how some say that they do not know. */
function markOf(start: number | null | undefined, end: number | null | undefined): number | undefined {
  return Number.isSafeInteger(start ?? 0) && typeof end === 'number' && Number.isSafeInteger(end) && end > 0 && end >= (start ?? 0) ? end : undefined
}

function shown(given: string | null | undefined, most: number): string | undefined {
  if (typeof given !== 'string') return undefined
  return clipDisplayName(cleanDisplayName(given), most) || undefined
}
