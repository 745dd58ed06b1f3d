/**
 * Requests per second of a way that seals, with what the enclave takes for a sealed request beyond an open one taken out. Rates add up as
 * times. Left as it is where the other two were not measured.
 */
export function withoutEnclave(sealed: number, preSealed = Infinity, direct = Infinity): number {
  return 1 / (1 / sealed - Math.max(0, 1 / preSealed - 1 / direct))
}
