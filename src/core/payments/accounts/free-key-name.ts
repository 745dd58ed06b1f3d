/** The service's limit for a key's name (specification, API key object). */
const LONGEST = 25

/**
 * Returns the name with the first number that no other key has, shortened if necessary.
 * @param usedNames the names of the other keys
 */
export function freeKeyName(name: string, usedNames: ReadonlySet<string>): string {
  const stem = name.replace(/(?<=\S) \d{1,3}$/, '')
  for (let count = 2; ; count++) {
    const end = ` ${String(count)}`
    const variant = `${shortened(stem, LONGEST - end.length)}${end}`
    if (!usedNames.has(variant)) return variant
  }
}

/** Counts UTF-16 units, as zod and JavaScript services do. A character is never cut. */
function shortened(text: string, longest: number): string {
  let short = ''
  for (const sign of text) {
    if (short.length + sign.length > longest) break
    short += sign
  }
  return short.trimEnd()
}
