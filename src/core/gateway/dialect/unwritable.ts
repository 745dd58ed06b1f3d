import type { AnswerPart, ChatStep, Source } from '../answer/index.ts'
import { webAddress } from '../answer/index.ts'

/**
 * Names each part of an answer that a dialect can't express, so that the caller sees it. Web addresses
 * remain.
 */
export function namedParts(parts: readonly AnswerPart[]): string {
  return parts.map(({ type, url }) => `[${nameOf(type, url)}]`).join('\n')
}

/** Returns the text of a step, with the names of the parts that a dialect can't express. */
export function textOf({ text, refusal, parts }: ChatStep): string {
  return [text + refusal, namedParts(parts)].filter(Boolean).join('\n')
}

function nameOf(type: string, url: string | undefined): string {
  const data = url === undefined ? null : /^data:([\w.+/-]{1,80})[;,]/.exec(url)
  if (data) return `Not included: ${type}, ${data[1] ?? ''}, ${url?.length ?? 0} characters`
  const address = url === undefined ? null : webAddress(url)
  return address === null ? `Not included: ${type}` : `${type}: ${address}`
}

/** Collects the sources that an answer names, each web address once. */
export class NamedSources {
  readonly #sources = new Map<string, string | undefined>()

  add(sources: readonly Source[]): void {
    for (const { url, title } of sources) {
      const address = webAddress(url)
      if (address !== null && this.#sources.size < MAX_SOURCES)
        this.#sources.set(address, this.#sources.get(address) ?? title)
    }
  }

  /** All sources, each with a title. */
  get list(): { readonly url: string; readonly title: string }[] {
    return [...this.#sources].map(([url, title]) => ({ url, title: title ?? url }))
  }

  clear(): void {
    this.#sources.clear()
  }

  /** The sources as text, for a dialect without a member for sources; empty if there are none. */
  get text(): string {
    return this.#sources.size === 0
      ? ''
      : `\n\nSources:\n${this.list.map(({ url, title }) => (title === url ? `- ${url}` : `- ${title}: ${url}`)).join('\n')}`
  }
}

const MAX_SOURCES = 50
