import type { Excerpt } from '../../../shared/library/search.ts'
import { foldWithPlaces } from '../../../shared/text-index/fold.ts'
import { piecesOf, type Wanted } from '../../../shared/text-index/split-words.ts'

/**
 * The amount of text that is folded at a time, so that a match far into a long text needs no more memory.
 */
const WINDOW = 20_000
/** Longer than any word of a query, so that no word is split between two windows. */
const OVERLAP = 256
const BEFORE = 48
const LENGTH = 200

type Mark = readonly [from: number, to: number]

/** Returns the text around the first match, with all matches in it marked; null if there is no match. */
export function excerptOf(text: string, wanted: readonly Wanted[]): Excerpt | null {
  for (let from = 0; from < text.length; from += WINDOW) {
    const first = marksIn(text.slice(from, from + WINDOW + OVERLAP), wanted)[0]
    if (first) return around(text, from + first[0], wanted)
  }
  return null
}

/** Returns a short text with its marks. */
export function markedText(text: string, wanted: readonly Wanted[]): Excerpt {
  return { text, marks: marksIn(text, wanted) }
}

/**
 * Whether each part of the query occurs in one of the texts. For scripts without spaces, the index only has
 * pairs of characters.
 */
export function occursIn(texts: readonly string[], wanted: readonly Wanted[]): boolean {
  const runs = wanted.filter(({ run, indexWords }) => run && indexWords.length > 1)
  if (runs.length === 0) return true
  const folded = texts.map((text) => foldWithPlaces(text).text)
  return runs.every(({ piece }) => folded.some((text) => text.includes(piece)))
}

function around(text: string, at: number, wanted: readonly Wanted[]): Excerpt {
  const from = startOf(text, at)
  const to = whole(text, Math.min(text.length, from + LENGTH))
  const part = text.slice(from, to)
  const [before, after] = [from > 0 ? '…' : '', to < text.length ? '…' : '']
  return {
    text: `${before}${part}${after}`,
    marks: marksIn(part, wanted).map(([start, end]) => [start + before.length, end + before.length]),
  }
}

/** Returns a position shortly before, at the start of a word. */
function startOf(text: string, at: number): number {
  if (at <= BEFORE) return 0
  const space = text.slice(at - BEFORE, at).search(/\s/)
  return space < 0 ? whole(text, at - BEFORE) : at - BEFORE + space + 1
}

/** Never between the halves of a surrogate pair. */
function whole(text: string, at: number): number {
  return /[\udc00-\udfff]/.test(text.charAt(at)) ? at + 1 : at
}

function marksIn(text: string, wanted: readonly Wanted[]): Mark[] {
  const { text: folded, places } = foldWithPlaces(text)
  const marks: Mark[] = []
  const mark = (from: number, length: number) => marks.push([places[from] ?? 0, endOf(places, from + length)])
  for (const { text: piece, at, run } of piecesOf(folded)) {
    for (const one of wanted) {
      if (one.run !== run) continue
      if (run)
        for (
          let found = piece.indexOf(one.piece);
          found >= 0;
          found = piece.indexOf(one.piece, found + one.piece.length)
        )
          mark(at + found, one.piece.length)
      else if (piece.startsWith(one.piece)) mark(at, one.piece.length)
    }
  }
  return joined(marks)
}

/** If a match ends within the folded form of one character, it ends after that character. */
function endOf(places: readonly number[], at: number): number {
  let end = at
  while (end < places.length - 1 && places[end] === places[end - 1]) end += 1
  return places[end] ?? 0
}

function joined(marks: readonly Mark[]): Mark[] {
  const result: [number, number][] = []
  for (const [from, to] of marks.toSorted((a, b) => a[0] - b[0])) {
    const last = result.at(-1)
    if (last && from <= last[1]) last[1] = Math.max(last[1], to)
    else if (to > from) result.push([from, to])
  }
  return result
}
