/**
 * The rate of a way that seals, without the time that the enclave takes for a sealed request beyond a
 * plaintext one. The times of a request add up, so the rates are converted to times. The rate is unchanged if
 * the other two weren't measured.
 */
export function withoutEnclave(sealed: number, preSealed = Infinity, direct = Infinity): number {
  return 1 / (1 / sealed - Math.max(0, 1 / preSealed - 1 / direct))
}
