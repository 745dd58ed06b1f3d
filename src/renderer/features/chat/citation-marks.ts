import type { Citation } from '../../../shared/answer-parts.ts'

/** Of a text that is longer nothing is marked: the list of sources stands below it all the same. */
const LONGEST = 200_000

/**
 * The text with a link to each source where it is named: `[1]`. Where the service gave no places, numbers that the model wrote
 * itself become links. Nothing is put into code, formulas or other links, so that what is read stays what was written.
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

function link(index: number, url: string): string {
  // The brackets are not escaped with a backslash: that is how formulas begin.
  return ` [&#91;${String(index + 1)}&#93;](<${url.replaceAll('\\', '%5C')}>)`
}

const LONGEST_WORD = 200

/** Services count in different units: a mark never stands within a word, or within a link. */
function wordEnd(text: string, place: number): number {
  // eslint-disable-next-line regexp/no-super-linear-move -- of 200 characters
  const gap = /[ \t]*$/.exec(text.slice(Math.max(0, place - LONGEST_WORD), place))?.[0].length ?? 0
  if (gap > 0 || place === 0) return place - gap
  return place + (/^\S*/.exec(text.slice(place, place + LONGEST_WORD))?.[0].length ?? 0)
}

/**
 * Fenced and inline code, formulas, and the addresses of links. An answer may be written to make this slow: each part starts
 * at one place of a run, and looks no further than its own end or a bound.
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

/** Whether a place is within one of them. To be asked from the beginning to the end. */
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
