import { alphabetShare, weightOf } from './character-weights.ts'

/**
 * What `TextDecoder` reads, in the order in which the first of equal results wins. A Windows encoding contains the ISO one that it
 * extends.
 */
const LEGACY_ENCODINGS = [
  'windows-1252',
  'windows-1251',
  'gb18030',
  'shift_jis',
  'euc-kr',
  'big5',
  'euc-jp',
  'windows-1250',
  'windows-1254',
  'windows-1253',
  'windows-1255',
  'windows-1256',
  'windows-1257',
  'windows-1258',
  'windows-874',
  'koi8-u',
  'iso-8859-2',
  'iso-8859-15',
  'iso-8859-5',
  'iso-8859-7',
  'iso-8859-6',
  'iso-8859-8',
  'iso-8859-3',
  'iso-8859-4',
  'iso-8859-10',
  'iso-8859-13',
  'iso-8859-14',
  'iso-8859-16',
  'macintosh',
  'x-mac-cyrillic',
  'ibm866',
] as const

/** Of a wrong guess: these are rare today. */
const RARE: Readonly<Record<string, number>> = {
  macintosh: 0.12,
  'x-mac-cyrillic': 0.02,
  ibm866: 0.1,
  'windows-1258': 0.25,
  'windows-874': 0.05,
  'iso-8859-3': 0.3,
  'iso-8859-4': 0.3,
  'iso-8859-10': 0.3,
  'iso-8859-13': 0.3,
  'iso-8859-14': 0.3,
  'iso-8859-16': 0.2,
  'iso-8859-6': 0.1,
}
/** With two bytes for a character. */
export const WIDE: ReadonlySet<string> = new Set(['gb18030', 'shift_jis', 'euc-kr', 'big5', 'euc-jp'])

/** How much a text loses if no language has its letters. */
const STRANGE_LETTERS = 1

/** How many letters are in Cyrillic words without a vowel. */
function voweless(text: string): number {
  return (text.match(/[\u0400-\u052f]{3,30}/g) ?? [])
    .filter((word) => !/[аеёиоуыэюяіїєў]/i.test(word))
    .reduce((sum, { length }) => sum + length, 0)
}

/** They contain kana, and texts in them don't. */
const WITHOUT_KANA: ReadonlySet<string> = new Set(['gb18030', 'big5', 'euc-kr'])

function kanaShare(text: string): number {
  const wide = text.match(/[\u3041-\u30fe\u4e00-\u9fff\uac00-\ud7a3]/g) ?? []
  return wide.filter((character) => character < '\u3100').length / Math.max(wide.length, 1)
}

/** Whether an encoding counts as the next likely one: the rare ones always come close. */
export function isUsual(encoding: string): boolean {
  return RARE[encoding] === undefined && !encoding.startsWith('iso-')
}

export interface Guess {
  readonly encoding: string
  /** The mean weight of a byte beyond ASCII: about 1 for text, below 0 for other data. */
  readonly score: number
}

/** The encodings in which these bytes read best, best first; those with an equal result only once. */
export function guessEncodings(sample: Uint8Array): readonly Guess[] {
  const results = new Map<string, Guess>()
  for (const encoding of LEGACY_ENCODINGS) {
    const text = new TextDecoder(encoding).decode(sample)
    if (!results.has(text))
      results.set(text, {
        encoding,
        score:
          scoreText(text, WIDE.has(encoding) ? 2 : 1) -
          (RARE[encoding] ?? 0) -
          (WITHOUT_KANA.has(encoding) ? kanaShare(text) : 0),
      })
  }
  return [...results.values()].toSorted((a, b) => b.score - a.score)
}

/** The mean weight of the characters beyond ASCII, each counted by its bytes. */
export function scoreText(text: string, width: number): number {
  const characters = Array.from(text)
  let sum = 0
  let bytes = 0
  const alphabetic: string[] = []
  for (const [at, character] of characters.entries()) {
    if (character < '\x80') continue
    const size = width === 2 && /[\uff61-\uff9f\ufffd]/.test(character) ? 1 : width
    bytes += size
    if (/[\u00c0-\u024f\u0400-\u052f]/.test(character)) alphabetic.push(character.toLowerCase())
    sum += size * weightOf(character, characters[at - 1] ?? '', characters[at + 1] ?? '')
  }
  return bytes === 0 ? 0 : (sum - voweless(text)) / bytes - STRANGE_LETTERS * (1 - alphabetShare(alphabetic))
}
