import { z } from 'zod'
import { MAX_CITATION_URL } from '../../../shared/answer-parts.ts'
import { cleanDisplayName, clipDisplayName } from '../../../shared/display-name.ts'

/** How many entries of one list are read. */
const MAX_ITEMS = 200
const MAX_TITLE = 300
const MAX_EXCERPT = 2000

const text = z
  .unknown()
  .transform((value) => (typeof value === 'string' ? value : undefined))
  .optional()
const place = z
  .unknown()
  .transform((value) => (Number.isSafeInteger(value) ? Number(value) : undefined))
  .optional()
const flatSchema = z.looseObject({
  url: z.string(),
  title: text,
  content: text,
  snippet: text,
  text,
  excerpt: text,
  start_index: place,
  end_index: place,
})
const nestedSchema = z.looseObject({ url_citation: flatSchema })

/** A page that an answer names as its source. */
export interface Source {
  /** As the service wrote it. */
  readonly url: string
  readonly title: string | undefined
  readonly excerpt: string | undefined
  /** UTF-16 units of the answer's text, after which the answer names the source. */
  readonly mark: number | undefined
}

/**
 * Reads a list of sources. No two services agree on its form: `annotations` of the type `url_citation`, nested (OpenAI) or flat;
 * `citations`, a list of addresses; `search_results`. An attacker controls all of it. Entries without an address are no sources.
 */
export function readSources(list: unknown): Source[] {
  if (!Array.isArray(list)) return []
  return list.slice(0, MAX_ITEMS).flatMap((item): Source[] => {
    if (typeof item === 'string')
      return [{ url: item, title: undefined, excerpt: undefined, mark: undefined }]
    const nested = nestedSchema.safeParse(item)
    const flat = nested.success ? nested.data.url_citation : flatSchema.safeParse(item).data
    if (!flat) return []
    const excerpt = flat.content ?? flat.snippet ?? flat.excerpt ?? flat.text
    return [
      {
        url: flat.url,
        title: shown(flat.title, MAX_TITLE),
        excerpt: shown(excerpt, MAX_EXCERPT),
        mark: knownEnd(flat.start_index ?? 0, flat.end_index),
      },
    ]
  })
}

/**
 * Returns the canonical form of a web address; null for anything else. An address with a user name can look
 * like the address of another host, so it's refused.
 */
export function webAddress(text: string): string | null {
  if (text.length > MAX_CITATION_URL || !URL.canParse(text)) return null
  const { protocol, username, password, href } = new URL(text)
  if ((protocol !== 'https:' && protocol !== 'http:') || username !== '' || password !== '') return null
  return href.length <= MAX_CITATION_URL && !/[\s<>"]/.test(href) ? href : null
}

/** Undefined for an empty range at the start, with which some services state that they don't know it. */
function knownEnd(start: number, end: number | undefined): number | undefined {
  return end !== undefined && end > 0 && end >= start ? end : undefined
}

function shown(text: string | undefined, most: number): string | undefined {
  return text === undefined ? undefined : clipDisplayName(cleanDisplayName(text), most) || undefined
}
