import { InvalidArgumentError } from 'commander'
import { parseUsd } from '../shared/money.ts'

/**
 * Reads the value of an option that takes an amount in US dollars, with or without a leading "$".
 *
 * @returns the amount in picodollars
 * @throws {InvalidArgumentError} not an amount, or negative
 */
export function toPicoUsd(text: string): string {
  const picoUsd = parseUsd(text.replace(/^\$/, ''))
  if (picoUsd === null || picoUsd < 0n)
    throw new InvalidArgumentError('Use an amount in US dollars, such as 2.50.')
  return picoUsd.toString()
}

/**
 * Makes the parser of an option that takes a whole number from `least` to `most`. It accepts only digits, with a minus
 * sign if needed, so `0x10` and `1e3` are refused.
 */
export function toWhole(least: number, most: number): (text: string) => number {
  return (text) => {
    const number = /^-?\d{1,16}$/.test(text) ? Number(text) : NaN
    if (!Number.isSafeInteger(number) || number < least || number > most)
      throw new InvalidArgumentError(`Use a whole number from ${String(least)} to ${String(most)}.`)
    return number
  }
}
