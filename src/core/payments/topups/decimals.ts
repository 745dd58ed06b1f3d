/** More places than any amount has on either side of the point. */
const PLACES = 40

/** Compares two decimal texts: less than 0, 0, or more than 0. Neither is negative or has an exponent. */
export function compareDecimals(one: string, other: string): number {
  const [a, b] = [scaled(one), scaled(other)]
  return a < b ? -1 : a > b ? 1 : 0
}

function scaled(text: string): bigint {
  const [whole = '', fraction = ''] = text.split('.')
  return BigInt(`${whole === '' ? '0' : whole}${fraction.slice(0, PLACES).padEnd(PLACES, '0')}`)
}
