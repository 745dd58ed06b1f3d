import type { Fetch, FetchResponse } from '../../../../shared/fetch.ts'
import { bearer, type ServiceAccess } from '../http/access.ts'
import { SottoError } from '../../../../shared/errors.ts'

export const CHAT_PATH = '/v1/chat/completions'

/**
 * Sends `POST /v1/chat/completions` as plaintext (specification, Chat). Returns any status; the caller
 * handles it.
 * @throws {SottoError} service/no-account, service/no-api-key – before anything is sent; service/unreachable –
 * connecting failed; request/canceled – the caller stopped it
 */
export async function startChatCompletion(
  fetch: Fetch,
  access: ServiceAccess,
  body: Uint8Array,
  signal: AbortSignal,
): Promise<FetchResponse> {
  const headers = { ...bearer(access), 'content-type': 'application/json', 'x-query-source': 'api' }
  try {
    const url = `${access.baseUrl}${CHAT_PATH}`
    return await fetch(url, { method: 'POST', headers, body, signal, redirect: 'manual' })
  } catch (cause) {
    throw new SottoError(signal.aborted ? 'request/canceled' : 'service/unreachable', { cause })
  }
}
