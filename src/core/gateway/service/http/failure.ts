import type { ErrorCode } from '../../../../shared/error-codes.ts'
import { serviceCodes, SottoError } from '../../../../shared/errors.ts'
import type { FetchResponse } from '../../../../shared/fetch.ts'
import { msg, type LocalizedText } from '../../../../shared/localized-text.ts'
import { readErrorText, type ErrorText } from './error-text.ts'
import { retryAfterSeconds } from './retry-after.ts'

/**
 * A status other than 2xx as a coded failure. With `authenticated: false` the text comes from whoever stands between us
 * and the enclave: it may choose among the codes of its status (a balance or a cap, an unknown key or an expired one), which
 * it could do by its status as well, and no word of it is reported.
 */
export async function serviceFailure(
  response: FetchResponse,
  { authenticated, now }: { authenticated: boolean; now?: () => number },
): Promise<SottoError> {
  const said = await readErrorText(response)
  const failure = failureOf(response, said, now)
  if (authenticated) return failure
  const { retryAfterSeconds } = failure.details
  return new SottoError(failure.code, {
    detail: detailOf(response.status, {}),
    ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
  })
}

/** As serviceFailure, of an error text that was read already. */
export function failureOf(
  { status, headers }: Pick<FetchResponse, 'status' | 'headers'>,
  said: ErrorText,
  now?: () => number,
): SottoError {
  const seconds = retryAfterSeconds(headers, now) ?? said.retryAfterSeconds
  const code = codeOf(status, said)
  const words = said.reason?.split(' ') ?? []
  const serviceCode =
    code === 'service/rejected' ? serviceCodes.find((known) => words.includes(known)) : undefined
  return new SottoError(code, {
    detail: detailOf(status, said),
    ...(serviceCode !== undefined && { serviceCode }),
    ...(said.param !== undefined && { param: said.param }),
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

/** The status decides; where one status stands for several things, the words do. */
function codeOf(status: number, { message = '', reason = '' }: ErrorText): ErrorCode {
  const words = `${reason} ${message}`.toLowerCase()
  const capped = /\b(?:spend[a-z]*|usage|key|budget)[ _-]*(?:cap|limit)/.test(words)
  switch (status) {
    case 401:
    case 403:
      if (capped) return 'service/spending-cap'
      if (/\bexpired\b/.test(words)) return 'service/key-expired'
      // The service says "not found or has been revoked" of any key that it does not know.
      return /\brevoked\b/.test(words) && !words.includes('not found')
        ? 'service/key-revoked'
        : 'service/key-refused'
    case 402:
      return capped ? 'service/spending-cap' : 'service/insufficient-balance'
    case 429:
      // The service asks to wait because the account is empty, not because of too many requests.
      if (/\bbalance[ _-]?backoff\b|\binsufficient[ _-](?:balance|credits?|funds|quota)\b/.test(words))
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
      // Trying a refused request again doesn't help.
      return status >= 400 && status <= 499 ? 'service/rejected' : 'service/failed'
  }
}
