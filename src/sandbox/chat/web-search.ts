import { Invention } from '../data/invention.ts'
import { lastOf, textOf, type ChatRequest } from './request.ts'
import { textTokens } from '../../shared/token-estimate.ts'
import { topicOf } from './prose.ts'

/** Observed: 0.02 USD for a search, in 10^-12 USD. More results are paid for as the tokens that they are read as. */
export const picoPerSearch = 20_000_000_000n
const defaultResults = 5

interface SearchResult {
  readonly title: string
  readonly url: string
  readonly excerpt: string
}

/**
 * The results of a simulated web search before the model's answer; none if the request has no web search.
 * No request is sent, and no page exists.
 */
export function searchResults(request: ChatRequest): SearchResult[] {
  const web = request.plugins?.find(({ id }) => id === 'web')
  if (!web) return []
  const prompt = textOf(lastOf(request, 'user') ?? { role: 'user' })
  const invention = new Invention(`web search\n${prompt}`)
  const topic = topicOf(prompt)
  return Array.from({ length: web.max_results ?? defaultResults }, (_, at) => {
    const { name, domain } = invention.organization()
    return {
      title: `${name} on ${topic}`,
      url: `https://${domain}/${invention.id()}`,
      excerpt: `Result ${at + 1} for ${topic}, invented by the sandbox. A real search would quote ${name} here in two or three sentences.`,
    }
  })
}

/** Results are read like the prompt that they are put before. */
export function searchTokens(results: readonly SearchResult[]): number {
  return results.reduce((sum, { title, url, excerpt }) => sum + textTokens(`${title} ${url} ${excerpt}`), 0)
}

/** 10^-12 USD. */
export function searchPrice(results: readonly SearchResult[]): bigint {
  return results.length === 0 ? 0n : picoPerSearch
}

/** How a result is named in the answer. */
export function linkTo({ title, url }: SearchResult): string {
  return `[${title}](${url})`
}

/**
 * OpenAI's `annotations` of the results in the answer, with their positions. Their text states that they
 * are invented.
 */
export function annotationsOf(results: readonly SearchResult[], text: string): object[] {
  return results.flatMap((result) => {
    const start = text.indexOf(linkTo(result))
    const { url, title, excerpt } = result
    return start < 0
      ? []
      : [
          {
            type: 'url_citation',
            url_citation: {
              url,
              title,
              content: excerpt,
              start_index: start,
              end_index: start + linkTo(result).length,
            },
          },
        ]
  })
}
