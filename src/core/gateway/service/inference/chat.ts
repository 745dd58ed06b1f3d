import type { Fetch, FetchResponse } from '../../../../shared/fetch.ts'
import { bearer, type ServiceAccess } from '../http/access.ts'
import { send } from '../http/request.ts'

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
