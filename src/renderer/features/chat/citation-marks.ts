import type { Citation } from '../../../shared/answer-parts.ts'

/** Most characters of a text that gets marks. A longer text has only the list of sources below it. */
const LONGEST = 200_000

/**
 * Adds a link such as `[1]` where the text cites a source. If the service reported no places, numbers that the model
 * wrote become links. Code, formulas and other links are never changed, so that the text stays as the model wrote it.
 */
export function withMarks(text: string, citations: readonly Citation[] = []): string {
  if (citations.length === 0 || text.length > LONGEST) return text
  const within = withinCode(text)
  const marks = citations.flatMap(({ url, marks: places = [] }, index) =>
    places.map((place) => ({ at: wordEnd(text, place), label: link(index, url) })),
  )
  if (marks.length === 0)
    return text.replaceAll(/\[(\d{1,2})\](?![(:]|\[(?!\d))/g, (written, number: string, at: number) => {
      const citation = citations[Number(number) - 1]
      return citation && !within(at) && text[at - 1] !== '\\' && text[at - 1] !== '!'
        ? link(Number(number) - 1, citation.url)
        : written
    })
  let [marked, from] = ['', 0]
  for (const { at, label } of marks.toSorted((a, b) => a.at - b.at)) {
    if (within(at)) continue
    marked += text.slice(from, at) + label
    from = at
  }
  return marked + text.slice(from)
}

/** The beginning of the address of a mark that names a passage. No address of the web begins like this. */
export const PASSAGE = '#passage-'

/**
 * Adds a link where a reply cites a passage of the project's files by its number.
 *
 * @param count of the passages that the model read
 * @returns the text, and the numbers that it cites, each once and in ascending order
 */
export function withPassageMarks(
  text: string,
  count: number,
): { readonly text: string; readonly cited: readonly number[] } {
  const passages = Array.from({ length: count }, (_, at) => ({ url: `${PASSAGE}${String(at + 1)}` }))
  const marked = withMarks(text, passages)
  return {
    text: marked,
    cited: passages.flatMap(({ url }, at) => (marked.includes(`(<${url}>)`) ? [at + 1] : [])),
  }
}

function link(index: number, url: string): string {
  // A backslash can't escape the brackets, because a formula begins with one.
  return ` [&#91;${String(index + 1)}&#93;](<${url.replaceAll('\\', '%5C')}>)`
}

const LONGEST_WORD = 200

/** Moves a mark out of a word or link, because services count places in different units. */
function wordEnd(text: string, place: number): number {
  // eslint-disable-next-line regexp/no-super-linear-move -- of 200 characters
  const gap = /[ \t]*$/.exec(text.slice(Math.max(0, place - LONGEST_WORD), place))?.[0].length ?? 0
  if (gap > 0 || place === 0) return place - gap
  return place + (/^\S*/.exec(text.slice(place, place + LONGEST_WORD))?.[0].length ?? 0)
}

/**
 * Fenced and inline code, formulas, and addresses of links. An attacker may write a reply that makes a search slow:
 * each alternative starts at one place of a run, and looks no further than its own end or a bound.
 */
const CODE = new RegExp(
  [
    /^ {0,3}(?:(?<fence>`{3,})(?!`)[^\n`]*|(?<wave>~{3,})(?!~)[^\n]*)\n[\s\S]*?(?:^ {0,3}(?:\k<fence>\k<wave>)[`~]*[ \t]*$|(?![\s\S]))/,
    /(?<!`)(?<ticks>`+)(?!`)[^\n]{0,2000}?(?<!`)\k<ticks>(?!`)/,
    /\$\$[^$]{0,20000}\$\$/,
    /\$[^\s$][^$\n]{0,2000}\$/,
    /\]\([^()\n]{0,2000}\)/,
    /<https?:[^<>\s]{0,2000}>/,
  ]
    .map(({ source }) => source)
    .join('|'),
  'gm',
)

/** Tests whether a place is within one of them. Call it with increasing places. */
function withinCode(text: string): (at: number) => boolean {
  const ranges = [...text.matchAll(CODE)].map(({ index, 0: { length } }) => ({
    from: index,
    to: index + length,
  }))
  let next = 0
  return (at) => {
    while ((ranges[next]?.to ?? Infinity) <= at) next += 1
    return (ranges[next]?.from ?? Infinity) < at
  }
}
