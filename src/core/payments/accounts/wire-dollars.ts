import { SottoError } from '../../../shared/errors.ts'
import { decimalUsd, parseUsd } from '../../../shared/money.ts'
import { msg } from '../../../shared/localized-text.ts'

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
  return wireDollars(decimalUsd(picoUsd), param)
}
