import type { ErrorCode } from '../../../../shared/error-codes.ts'
import { serviceCodes, SottoError } from '../../../../shared/errors.ts'
import type { FetchResponse } from '../../../../shared/fetch.ts'
import { msg, type LocalizedText } from '../../../../shared/localized-text.ts'
import { readErrorText, type ErrorText } from './error-text.ts'
import { retryAfterSeconds } from './retry-after.ts'

/**
 * Converts a status other than 2xx to a failure with a code. With `authenticated: false`, an attacker between
 * this computer and the enclave may control the text. It can select among the codes of its status (a balance
 * or a cap, an unknown key or an expired one), as it could with the status itself. None of its text is
 * reported.
 */
export async function serviceFailure(
  response: FetchResponse,
  { authenticated, now }: { authenticated: boolean; now?: () => number },
): Promise<SottoError> {
  const errorText = await readErrorText(response)
  const failure = failureOf(response, errorText, now)
  if (authenticated) return failure
  const { retryAfterSeconds } = failure.details
  return new SottoError(failure.code, {
    detail: detailOf(response.status, {}),
    ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
  })
}

/** Converts an error text that has been read already, like serviceFailure. */
export function failureOf(
  { status, headers }: Pick<FetchResponse, 'status' | 'headers'>,
  errorText: ErrorText,
  now?: () => number,
): SottoError {
  const seconds = retryAfterSeconds(headers, now) ?? errorText.retryAfterSeconds
  const code = codeOf(status, errorText)
  const reasons = errorText.reason?.split(' ') ?? []
  const serviceCode =
    code === 'service/rejected' ? serviceCodes.find((known) => reasons.includes(known)) : undefined
  return new SottoError(code, {
    detail: detailOf(status, errorText),
    ...(serviceCode !== undefined && { serviceCode }),
    ...(errorText.param !== undefined && { param: errorText.param }),
    ...(seconds !== undefined && { retryAfterSeconds: seconds }),
  })
}

function detailOf(status: number, { message }: ErrorText): LocalizedText {
  if (status >= 300 && status < 400)
    return msg('The service returned status {status} with a redirect, which Sotto doesn’t follow.', {
      status,
    })
  return message === undefined
    ? msg('The service returned status {status}.', { status })
    : msg('The service returned status {status}: “{message}”.', { status, message })
}

/** Selects the code by the status, and by the text if a status has several meanings. */
function codeOf(status: number, { message = '', reason = '' }: ErrorText): ErrorCode {
  const text = `${reason} ${message}`.toLowerCase()
  const capped = /\b(?:spend[a-z]*|usage|key|budget)[ _-]*(?:cap|limit)/.test(text)
  switch (status) {
    case 401:
    case 403:
      if (capped) return 'service/spending-cap'
      if (/\bexpired\b/.test(text)) return 'service/key-expired'
      // The service reports "not found or has been revoked" for every unknown key.
      return /\brevoked\b/.test(text) && !text.includes('not found')
        ? 'service/key-revoked'
        : 'service/key-refused'
    case 402:
      return capped ? 'service/spending-cap' : 'service/insufficient-balance'
    case 429:
      // The service sends 429 because the account is empty, not because of too many requests.
      if (/\bbalance[ _-]?backoff\b|\binsufficient[ _-](?:balance|credits?|funds|quota)\b/.test(text))
        return 'service/insufficient-balance'
      return capped ? 'service/spending-cap' : 'service/rate-limited'
    case 404:
    case 410:
      return 'service/not-found'
    case 408:
    case 425:
    case 502:
    case 503:
    case 504:
      return 'service/unavailable'
    default:
      // Retrying a refused request doesn't help.
      return status >= 400 && status <= 499 ? 'service/rejected' : 'service/failed'
  }
}
