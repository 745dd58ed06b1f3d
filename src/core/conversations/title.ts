import { cleanDisplayName } from '../../shared/display-name.ts'

const LENGTH = 60
/** A shorter one that ends with a word is better than one that ends within it, as long as so much of it stays. */
const LEAST = 30

/** Made here: a title is never a reason to send a chat anywhere. The first line that says something, without its marks. */
export function titleOf(text: string): string {
  for (const line of text.slice(0, 4000).split('\n')) {
    const plain = cleanDisplayName(
      line.replace(/^[\s#>*+\-=|`~]+/, '').replaceAll(/[*_`]{1,3}(\S(?:.*?\S)?)[*_`]{1,3}/g, '$1'),
    )
    if (/[\p{L}\p{N}]/u.test(plain)) return shortened(plain)
  }
  return 'New chat'
}

/** Code units of one character: a few joined people have eleven, and one with a hundred accents is not to fill the list. */
const LONGEST_CHARACTER = 16

/** At most so many characters as people count them, and not within a word where it can be helped. */
export function shortened(title: string, length = LENGTH): string {
  const looked = title.slice(0, length * LONGEST_CHARACTER)
  const characters = Array.from(
    new Intl.Segmenter(undefined, { granularity: 'grapheme' }).segment(looked),
    ({ segment }) => segment,
  )
  if (looked === title && characters.length <= length) return title
  // Of what was not looked at to its end, the last character may be a part of one.
  const cut = characters.slice(0, Math.min(length, characters.length) - 1).join('')
  const word = cut.lastIndexOf(' ')
  return `${(word >= LEAST ? cut.slice(0, word) : cut).trimEnd()}…`
}
