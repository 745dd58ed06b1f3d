/** As long as the service takes a key's name (specification, API key object). */
const LONGEST = 25

/** The name with the first number that makes it one that no other key has, shortened where it must be. */
export function freeKeyName(name: string, taken: ReadonlySet<string>): string {
  const stem = name.replace(/(?<=\S) \d{1,3}$/, '')
  for (let count = 2; ; count++) {
    const end = ` ${String(count)}`
    const variant = `${shortened(stem, LONGEST - end.length)}${end}`
    if (!taken.has(variant)) return variant
  }
}

/** By UTF-16 units, as zod and JavaScript services count; a sign is never cut in two. */
function shortened(text: string, longest: number): string {
  let short = ''
  for (const sign of text) {
    if (short.length + sign.length > longest) break
    short += sign
  }
  return short.trimEnd()
}
