import { SottoError } from '../../../shared/errors.ts'
import { msg, type LocalizedText } from '../../../shared/localized-text.ts'
import { errorTextOf, type ErrorText } from '../service/http/error-text.ts'
import { failureOf } from '../service/http/failure.ts'

const NO_HEADERS = { get: () => null }

/** Whether the member `error` of an answer is an error: null, false and an empty text mean that there is none. */
export function hasError(error: unknown): boolean {
  return error !== undefined && error !== null && error !== false && error !== ''
}

/**
 * Returns the failure that an answer of status 200 contains, with the service's error text.
 * @param error the member `error`, the data of an `error` event, or undefined if only `finish_reason` names
 * an error
 */
export function failureInside(error: unknown): SottoError {
  const errorText = errorTextOf({ error })
  const { code, details } = failureOf({ status: statusOf(error, errorText), headers: NO_HEADERS }, errorText)
  return new SottoError(code, { ...details, detail: detailOf(errorText) })
}

function detailOf({ message, reason }: ErrorText): LocalizedText {
  if (message === undefined) return msg('The response contains an error.')
  const word = reason?.split(' ').find((one) => one !== message && /^[\w.-]{3,60}$/.test(one))
  return word === undefined
    ? msg('The response contains an error: “{message}”.', { message })
    : msg('The response contains an error: “{message}” ({code}).', { message, code: word })
}

/** Returns the status that fits the error. Many services write it as the error's code. */
function statusOf(error: unknown, { reason = '' }: ErrorText): number {
  const code = typeof error === 'object' && error !== null && 'code' in error ? Number(error.code) : NaN
  if (Number.isInteger(code) && code >= 400 && code <= 599) return code
  if (/context_length_exceeded|invalid_request|content_policy/.test(reason)) return 400
  if (/rate_limit/.test(reason)) return 429
  if (/insufficient_(?:balance|quota|credit)/.test(reason)) return 402
  return /overloaded|unavailable/.test(reason) ? 503 : 500
}
