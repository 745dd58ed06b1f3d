/** Accents and points that people leave out when they search; not the vowel signs of scripts that write them so. */
const MARKS = /[\u0300-\u036f\u0591-\u05c7\u0610-\u061a\u064b-\u065f\u0670\u3099\u309a]/g
const ASCII = /^[\0-\x7f]*$/

/** The form in which texts are compared: without case, accents and widths. Folding piece by piece gives the same. */
export function fold(text: string): string {
  if (ASCII.test(text)) return text.toLowerCase()
  return text.normalize('NFKD').replace(MARKS, '').toLowerCase().replaceAll('ς', 'σ')
}

export interface Folded {
  readonly text: string
  /** Where the code unit of `text` at this index comes from; one more for the end. */
  readonly places: readonly number[]
}

/** Folded, with the way back into the original. */
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
