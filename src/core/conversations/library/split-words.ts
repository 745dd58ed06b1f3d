/** Of scripts that put no spaces between words, every two characters that stand side by side are one word of the index. */
const UNSPACED = String.raw`\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\u30fc\u3005\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}\p{Script=Tibetan}`
const PIECES = new RegExp(String.raw`(?<run>[${UNSPACED}]+)|[[\p{L}\p{N}\p{M}]--[${UNSPACED}]]+`, 'gv')

/** Of longer ones, which are rather data than words, the beginning. */
const LONGEST = 64

export interface Piece {
  /** Folded. */
  readonly text: string
  readonly at: number
  /** Of a script without spaces. */
  readonly run: boolean
}

/** What a folded text consists of: words, and runs of characters in which words are not told apart. */
export function* piecesOf(folded: string): Generator<Piece, void> {
  for (const { 0: text, index, groups } of folded.matchAll(PIECES))
    yield { text, at: index, run: groups?.['run'] !== undefined }
}

/** The words under which a folded text is found. */
export function wordsOf(folded: string): Set<string> {
  const words = new Set<string>()
  for (const { 0: text, groups } of folded.matchAll(PIECES)) {
    if (groups?.['run'] === undefined) words.add(text.slice(0, LONGEST))
    else for (const pair of pairsOf(text)) words.add(pair)
  }
  return words
}

/** Each two neighbours, and the last by itself, so that every character begins a word. */
function pairsOf(run: string): string[] {
  const characters = Array.from(run)
  return characters.map((character, index) => character + (characters[index + 1] ?? ''))
}

/** One thing that must be found. */
export interface Wanted {
  /** Folded, as it stands in what is found; of a run, anywhere in another run. */
  readonly piece: string
  readonly run: boolean
  /** Words of the index: all of these must be there. */
  readonly words: readonly string[]
  /** Whether what begins with it counts too. */
  readonly prefix: boolean
}

/** What a folded question asks for, each thing once. */
export function wantedOf(question: string): Wanted[] {
  const wanted = new Map<string, Wanted>()
  for (const { text, run } of piecesOf(question)) {
    if (!run)
      wanted.set(text, { piece: text.slice(0, LONGEST), run, words: [text.slice(0, LONGEST)], prefix: true })
    else {
      const pairs = pairsOf(text)
      wanted.set(
        text,
        pairs.length === 1
          ? { piece: text, run, words: pairs, prefix: true }
          : { piece: text, run, words: pairs.slice(0, -1), prefix: false },
      )
    }
  }
  return [...wanted.values()]
}
