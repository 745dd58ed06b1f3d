/**
 * Accents and points that people omit in a search, but not the vowel signs of scripts that require them.
 */
const MARKS = /[\u0300-\u036f\u0591-\u05c7\u0610-\u061a\u064b-\u065f\u0670\u3099\u309a]/g
const ASCII = /^[\0-\x7f]*$/

/** Folds case, accents and widths for comparison. Folding a text piece by piece gives the same result. */
export function fold(text: string): string {
  if (ASCII.test(text)) return text.toLowerCase()
  return text.normalize('NFKD').replace(MARKS, '').toLowerCase().replaceAll('ς', 'σ')
}

export interface Folded {
  readonly text: string
  /** For each code unit of `text`, its position in the original, and one more for the end. */
  readonly places: readonly number[]
}

/** Folds a text and maps positions back to the original. */
export function foldWithPlaces(text: string): Folded {
  if (ASCII.test(text))
    return { text: text.toLowerCase(), places: Array.from({ length: text.length + 1 }, (_, index) => index) }
  const places: number[] = []
  let folded = ''
  let at = 0
  for (const character of text) {
    const piece = fold(character)
    for (let unit = 0; unit < piece.length; unit += 1) places.push(at)
    folded += piece
    at += character.length
  }
  places.push(at)
  return { text: folded, places }
}
