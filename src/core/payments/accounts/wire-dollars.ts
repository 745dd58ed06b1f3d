import { SottoError } from '../../../shared/errors.ts'
import { parseUsd } from '../../../shared/money.ts'
import { msg } from '../../../shared/localized-text.ts'

const PICO_DIGITS = 12

/**
 * Dollars in decimal text as the number that JSON carries them by. The service takes a number, and a double is written by
 * its shortest text: whatever that text is not exactly equal to is refused. Throws request/invalid.
 */
export function wireDollars(text: string, param: string): number {
  // eslint-disable-next-line no-restricted-syntax -- JSON carries a number; whether it is exactly this one is asked below
  const dollars = Number(text)
  const meant = parseUsd(text)
  if (meant === null || parseUsd(dollars) !== meant)
    throw new SottoError('request/invalid', {
      param,
      detail: msg('The amount has more digits than the service accepts.'),
    })
  return dollars
}

/** The same of pico-USD that are not negative. */
export function wirePicoUsd(picoUsd: bigint, param: string): number {
  const digits = picoUsd.toString().padStart(PICO_DIGITS + 1, '0')
  return wireDollars(`${digits.slice(0, -PICO_DIGITS)}.${digits.slice(-PICO_DIGITS)}`, param)
}
