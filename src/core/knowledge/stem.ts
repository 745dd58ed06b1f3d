const LETTERS = /^[a-z]+$/
const VOWEL = /[aeiouy]/

/**
 * Removes the endings of English plurals and of -ing and -ed, so that `indexes`, `indexed` and `indexing` are found by `index`. The rule
 * is light: it knows no irregular words (`ran`, `mice`) and no other endings (`-tion`, `-ly`), and sometimes joins different words
 * (`planed` and `planned` aren't joined, `caring` and `cars` are). It also shortens words of other languages that end like English ones,
 * which does no harm, because texts and queries are shortened alike.
 *
 * @param word folded
 */
export function stem(word: string): string {
  if (word.length < 4 || !LETTERS.test(word)) return word
  return withoutEnd(withoutSuffix(withoutPlural(word)))
}

/** Harman's S-stemmer, with the endings -ches, -shes, -sses, -xes and -zes. */
function withoutPlural(word: string): string {
  if (!word.endsWith('s') || word.endsWith('us') || word.endsWith('ss')) return word
  if (word.endsWith('ies')) return /[ae]ies$/.test(word) || word.length < 5 ? word : `${word.slice(0, -3)}y`
  if (/(?:ch|sh|ss|x|z)es$/.test(word)) return word.slice(0, -2)
  return word.slice(0, -1)
}

function withoutSuffix(word: string): string {
  const suffix = ['ing', 'ed'].find((end) => word.endsWith(end))
  if (suffix === undefined) return word
  const start = word.slice(0, -suffix.length)
  if (start.length < 3 || !VOWEL.test(start)) return word
  return /([bdgmnprt])\1$/.test(start) ? start.slice(0, -1) : start
}

/** `make` and `making` differ by the e, and `reply` and `replied` by the y. */
function withoutEnd(word: string): string {
  if (word.length > 3 && word.endsWith('e') && !word.endsWith('ee')) return word.slice(0, -1)
  return word.endsWith('y') ? `${word.slice(0, -1)}i` : word
}
