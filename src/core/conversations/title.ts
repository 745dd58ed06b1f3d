import { cleanDisplayName } from '../../shared/display-name.ts'

const LENGTH = 60
/** Cut at the end of a word if at least this many characters remain. */
const LEAST = 30

/**
 * The title is created locally, so that no text is sent for it: the first line with content, without
 * Markdown.
 */
export function titleOf(text: string): string {
  for (const line of text.slice(0, 4000).split('\n')) {
    const plain = cleanDisplayName(
      line.replace(/^[\s#>*+\-=|`~]+/, '').replaceAll(/[*_`]{1,3}(\S(?:.*?\S)?)[*_`]{1,3}/g, '$1'),
    )
    if (/[\p{L}\p{N}]/u.test(plain)) return shortened(plain)
  }
  return 'New chat'
}

/**
 * Code units of one character: a joined emoji can have eleven, and a character with a hundred accents must
 * not fill the list.
 */
const LONGEST_CHARACTER = 16

/** Shortens to at most `length` graphemes, and at the end of a word if possible. */
export function shortened(title: string, length = LENGTH): string {
  const looked = title.slice(0, length * LONGEST_CHARACTER)
  const characters = Array.from(
    new Intl.Segmenter(undefined, { granularity: 'grapheme' }).segment(looked),
    ({ segment }) => segment,
  )
  if (looked === title && characters.length <= length) return title
  // If the text was cut before, its last grapheme may be incomplete.
  const cut = characters.slice(0, Math.min(length, characters.length) - 1).join('')
  const word = cut.lastIndexOf(' ')
  return `${(word >= LEAST ? cut.slice(0, word) : cut).trimEnd()}…`
}
