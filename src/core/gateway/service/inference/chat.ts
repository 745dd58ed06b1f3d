import type { Fetch, FetchResponse, FetchInit } from '../../../../shared/fetch.ts'
import { bearer, type ServiceAccess } from '../http/access.ts'
import { SottoError } from '../../../../shared/errors.ts'

/**
 * Sends a request.
 * @throws {SottoError} service/unreachable – connecting failed; request/canceled – the caller stopped it
 */
async function send(fetch: Fetch, url: string, init: Omit<FetchInit, 'redirect'>): Promise<FetchResponse> {
  try {
    return await fetch(url, { ...init, redirect: 'manual' })
  } catch (cause) {
    throw new SottoError(init.signal?.aborted ? 'request/canceled' : 'service/unreachable', { cause })
  }
}

export const CHAT_PATH = '/v1/chat/completions'

/**
 * Sends `POST /v1/chat/completions` as plaintext (specification, Chat). Returns any status; the caller
 * handles it.
 */
export async function startChatCompletion(
  fetch: Fetch,
  access: ServiceAccess,
  body: Uint8Array,
  signal: AbortSignal,
): Promise<FetchResponse> {
  return send(fetch, `${access.baseUrl}${CHAT_PATH}`, {
    method: 'POST',
    headers: { ...bearer(access), 'content-type': 'application/json', 'x-query-source': 'api' },
    body,
    signal,
  })
}
