import { SottoError } from '../../../../shared/errors.ts'
import type { Fetch, FetchInit, FetchResponse } from '../../../../shared/fetch.ts'

/**
 * Sends a request.
 * @throws {SottoError} service/unreachable – connecting failed; request/canceled – the caller stopped it
 */
export async function send(
  fetch: Fetch,
  url: string,
  init: Omit<FetchInit, 'redirect'>,
): Promise<FetchResponse> {
  try {
    return await fetch(url, { ...init, redirect: 'manual' })
  } catch (cause) {
    throw new SottoError(init.signal?.aborted ? 'request/canceled' : 'service/unreachable', { cause })
  }
}
