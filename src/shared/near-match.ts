/** Longer texts have no near matches: an attacker chooses them, and a comparison must cost nothing. */
const MAX_LENGTH = 100
const MOST_MATCHES = 3
/** The number of edits up to which a name counts as a typing error. */
const MAX_EDITS = 3
const DATE = /[-@](?:20\d{2}-?\d{2}-?\d{2}|latest)$/
const SEPARATORS = /[\s._:-]+/g

/**
 * Finds the candidates that a wrong name probably meant: the same name with another prefix, separator, case
 * or date, or with up to three typing errors.
 *
 * @param candidates in the order in which equal ones are preferred; those longer than 100 characters are
 * skipped
 * @returns up to three, the nearest first; none for a name of more than 100 characters
 */
export function nearMatches(wrong: string, candidates: readonly string[]): string[] {
  if (wrong.length > MAX_LENGTH) return []
  const [whole, name] = [canonical(wrong), canonical(lastSegment(wrong))]
  if (name === '') return []
  const most = Math.min(MAX_EDITS, Math.floor(name.length / 4))
  return candidates
    .flatMap((candidate) => {
      if (candidate === wrong || candidate.length > MAX_LENGTH) return []
      if (canonical(candidate) === whole) return [{ candidate, edits: -1 }]
      const edits = editsBetween(name, canonical(lastSegment(candidate)), most)
      return edits === null ? [] : [{ candidate, edits }]
    })
    .sort((a, b) => a.edits - b.edits)
    .slice(0, MOST_MATCHES)
    .map(({ candidate }) => candidate)
}

function canonical(text: string): string {
  return text.toLowerCase().replace(DATE, '').replaceAll(SEPARATORS, '-')
}

function lastSegment(text: string): string {
  return text.slice(text.lastIndexOf('/') + 1)
}

/**
 * The optimal string alignment distance: insertions, deletions, substitutions, and transpositions of two
 * adjacent characters.
 *
 * @returns null if it's more than `most`; only the band of that width is computed
 */
function editsBetween(a: string, b: string, most: number): number | null {
  if (a === b) return 0
  if (most === 0 || Math.abs(a.length - b.length) > most) return null
  const far = most + 1
  let [before, above] = [
    new Array<number>(b.length + 1).fill(far),
    Array.from({ length: b.length + 1 }, (_, column) => Math.min(column, far)),
  ]
  for (let row = 1; row <= a.length; row++) {
    const current = new Array<number>(b.length + 1).fill(far)
    if (row <= most) current[0] = row
    for (let column = Math.max(1, row - most); column <= Math.min(b.length, row + most); column++) {
      const cost = a[row - 1] === b[column - 1] ? 0 : 1
      const swapped =
        row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1]
          ? (before[column - 2] ?? far) + 1
          : far
      current[column] = Math.min(
        (above[column - 1] ?? far) + cost,
        (above[column] ?? far) + 1,
        (current[column - 1] ?? far) + 1,
        swapped,
        far,
      )
    }
    ;[before, above] = [above, current]
  }
  const edits = above[b.length] ?? far
  return edits > most ? null : edits
}
