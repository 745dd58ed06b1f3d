import { SottoError } from '../../../shared/errors.ts'
import { parseUsd } from '../../../shared/money.ts'
import { msg } from '../../../shared/localized-text.ts'

const PICO_DIGITS = 12

/**
 * Converts dollars in decimal text to a JSON number. The service requires a number, and a double is written
 * as its shortest text. If that text isn't exactly equal, the amount is refused.
 * @throws {SottoError} request/invalid
 */
export function wireDollars(text: string, param: string): number {
  // eslint-disable-next-line no-restricted-syntax -- JSON carries a number; whether it is exactly this one is checked below
  const dollars = Number(text)
  const picoUsd = parseUsd(text)
  if (picoUsd === null || parseUsd(dollars) !== picoUsd)
    throw new SottoError('request/invalid', {
      param,
      detail: msg('The amount has more digits than the service accepts.'),
    })
  return dollars
}

/** Converts non-negative pico-USD, like wireDollars. */
export function wirePicoUsd(picoUsd: bigint, param: string): number {
  const digits = picoUsd.toString().padStart(PICO_DIGITS + 1, '0')
  return wireDollars(`${digits.slice(0, -PICO_DIGITS)}.${digits.slice(-PICO_DIGITS)}`, param)
}
