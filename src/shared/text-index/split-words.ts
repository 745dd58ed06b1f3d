/** In scripts without spaces between words, each two adjacent characters are one word of the index. */
const UNSPACED = String.raw`\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\u30fc\u3005\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}\p{Script=Tibetan}`
const PIECES = new RegExp(String.raw`(?<run>[${UNSPACED}]+)|[[\p{L}\p{N}\p{M}]--[${UNSPACED}]]+`, 'gv')

/** Longer words are probably data, so only their beginning is indexed. */
const LONGEST = 64

export interface Piece {
  /** Folded. */
  readonly text: string
  readonly at: number
  /** Whether the piece is in a script without spaces. */
  readonly run: boolean
}

/** Splits a folded text into words, and runs of characters in scripts without spaces. */
export function* piecesOf(folded: string): Generator<Piece, void> {
  for (const { 0: text, index, groups } of folded.matchAll(PIECES))
    yield { text, at: index, run: groups?.['run'] !== undefined }
}

/** The words by which the index finds a folded text. */
export function wordsOf(folded: string): Set<string> {
  const found = new Set<string>()
  for (const { 0: text, groups } of folded.matchAll(PIECES)) {
    if (groups?.['run'] === undefined) found.add(text.slice(0, LONGEST))
    else for (const pair of pairsOf(text)) found.add(pair)
  }
  return found
}

/** Each two adjacent characters, and the last one separately, so that every character begins a word. */
function pairsOf(run: string): string[] {
  const characters = Array.from(run)
  return characters.map((character, index) => character + (characters[index + 1] ?? ''))
}

/** One part of a query, which must be found. */
export interface Wanted {
  /** Folded, as in the text. A run may be part of a longer run. */
  readonly piece: string
  readonly run: boolean
  /** Words of the index, all of which must occur. */
  readonly indexWords: readonly string[]
  /** Whether words that begin with it match too. */
  readonly prefix: boolean
}

/** Splits a folded query into its parts, each once. */
export function wantedOf(question: string): Wanted[] {
  const wanted = new Map<string, Wanted>()
  for (const { text, run } of piecesOf(question)) {
    if (!run)
      wanted.set(text, {
        piece: text.slice(0, LONGEST),
        run,
        indexWords: [text.slice(0, LONGEST)],
        prefix: true,
      })
    else {
      const pairs = pairsOf(text)
      wanted.set(
        text,
        pairs.length === 1
          ? { piece: text, run, indexWords: pairs, prefix: true }
          : { piece: text, run, indexWords: pairs.slice(0, -1), prefix: false },
      )
    }
  }
  return [...wanted.values()]
}
