/** The bytes of a text in an encoding of `TextDecoder`, by trying its codes: no encoder is needed. */
const tables = new Map<string, ReadonlyMap<string, readonly number[]>>()

function tableOf(encoding: string): ReadonlyMap<string, readonly number[]> {
  const known = tables.get(encoding)
  if (known) return known
  const table = new Map<string, readonly number[]>()
  const note = (...bytes: number[]) => {
    const text = new TextDecoder(encoding).decode(Uint8Array.from(bytes))
    if (Array.from(text).length === 1 && text !== '\ufffd' && !table.has(text)) table.set(text, bytes)
  }
  for (let first = 0; first < 256; first += 1) note(first)
  if (/^(?:gb|big5|euc|shift)/.test(encoding))
    for (let first = 0x81; first < 0xff; first += 1)
      for (let second = 0x40; second < 0xff; second += 1) note(first, second)
  tables.set(encoding, table)
  return table
}

/** @throws {Error} if the encoding has no such character */
export function encode(text: string, encoding: string): Uint8Array {
  const table = tableOf(encoding)
  return Uint8Array.from(
    Array.from(text).flatMap((character) => {
      const bytes = table.get(character)
      if (!bytes) throw new Error(`${encoding} has no ${character}`)
      return bytes
    }),
  )
}
