const MSAT_DIGITS = 3

/**
 * Parses typed satoshis into msat; undefined if the text isn't an amount. Spaces and commas between thousands are
 * ignored, except after a leading zero.
 */
export function readSats(text: string): string | undefined {
  const match = /^(\d{1,16})(?:\.(\d{1,3}))?$/.exec(
    text.trim().replaceAll(/(?<!^0)(?<=\d)[\s,](?=\d{3}(?:\D|$))/g, ''),
  )
  if (!match) return undefined
  return BigInt(`${match[1] ?? ''}${(match[2] ?? '').padEnd(MSAT_DIGITS, '0')}`).toString()
}

/** The value of an amount in msat at a rate, both in pico-USD; rounded up. */
export function picoUsdAt(picoUsdPerSat: string, msat: string): string {
  return ((BigInt(msat) * BigInt(picoUsdPerSat) + 999n) / 1000n).toString()
}
