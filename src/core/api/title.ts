const LENGTH = 60
/** A shorter one that ends with a word is better than one that ends within it, as long as so much of it stays. */
const LEAST = 30

/** Made here: a title is never a reason to send a chat anywhere. The first line that says something, without its marks. */
export function titleOf(text: string): string {
  for (const line of text.slice(0, 4000).split('\n')) {
    const plain = line.replace(/^[\s#>*+\-=|`~]+/, '').replaceAll(/[*_`]{1,3}(\S(?:.*?\S)?)[*_`]{1,3}/g, '$1').replaceAll(/\s+/g, ' ').trim()
    if (/[\p{L}\p{N}]/u.test(plain)) return shortened(plain)
  }
  return 'New chat'
}

/** At most so many characters as people count them, and not within a word where it can be helped. */
export function shortened(title: string, length = LENGTH): string {
  const characters = Array.from(new Intl.Segmenter(undefined, { granularity: 'grapheme' }).segment(title.slice(0, length * 8)), ({ segment }) => segment)
  if (characters.length <= length) return title
  const cut = characters.slice(0, length - 1).join('')
  const word = cut.lastIndexOf(' ')
  return `${(word >= LEAST ? cut.slice(0, word) : cut).trimEnd()}…`
}
