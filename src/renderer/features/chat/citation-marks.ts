import type { Citation } from '../../../shared/answer-parts.ts'

/** Of a text that is longer nothing is marked: the list of sources stands below it all the same. */
const LONGEST = 400_000

/**
 * The text with a link to each source where it is named: `[1]`. Where the service gave no places, numbers that the model wrote
 * itself become links. Nothing is put into code, formulas or other links, so that what is read stays what was written.
 */
export function withMarks(text: string, citations: readonly Citation[] = []): string {
  if (citations.length === 0 || text.length > LONGEST) return text
  const code = codeRanges(text)
  const within = (at: number) => code.some(([from, to]) => at > from && at < to)
  const marks = citations.flatMap(({ url, marks: places = [] }, index) => places.map((place) => ({ at: wordEnd(text, place), label: link(index, url) })))
  if (marks.length === 0) return text.replaceAll(/\[(\d{1,2})\](?![(:[])/g, (written, number: string, at: number) => {
    const citation = citations[Number(number) - 1]
    return citation && !within(at) && text[at - 1] !== '\\' && text[at - 1] !== '!' ? link(Number(number) - 1, citation.url) : written
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
  return ` [\\[${String(index + 1)}\\]](<${url.replaceAll('\\', '%5C')}>)`
}

/** Services count in different units: a mark never stands within a word, or within a link. */
function wordEnd(text: string, place: number): number {
  const rest = /[\s]|$/.exec(text.slice(place))
  return place === 0 || /\s/.test(text[place - 1] ?? '') ? place : place + (rest?.index ?? 0)
}

/** Fenced and inline code, formulas, and the addresses of links. */
function codeRanges(text: string): [number, number][] {
  const ranges: [number, number][] = []
  for (const match of text.matchAll(/^ {0,3}(`{3,}|~{3,})[^\n]*\n[\s\S]*?(?:^ {0,3}\1[`~]*[ \t]*$|(?![\s\S]))|(`+)[^`\n][^\n]*?\2|\$\$[\s\S]*?\$\$|\$[^\s$][^$\n]*\$|\]\([^()\n]*\)|<https?:[^>\n]*>/gm)) {
    ranges.push([match.index, match.index + match[0].length])
  }
  return ranges
}
