import { SottoError } from '../../../shared/errors.ts'
import type { Fetch, FetchInit, FetchResponse } from '../../../shared/fetch.ts'
import type { JsonValue } from '../../../shared/strict-json.ts'
import { readJson } from './body.ts'
import { serviceFailure } from './failure.ts'

/** Sends, and turns a failure to connect into service/unreachable; a caller's own stop stays request/cancelled. */
export async function send(fetch: Fetch, url: string, init: Omit<FetchInit, 'redirect'>): Promise<FetchResponse> {
  try {
    return await fetch(url, { ...init, redirect: 'manual' })
  } catch (cause) {
    throw new SottoError(init.signal?.aborted ? 'request/cancelled' : 'service/unreachable', { cause })
  }
}

/** One JSON answer of at most `limit` bytes; any status but 2xx throws its coded failure. */
export async function sendForJson(fetch: Fetch, url: string, init: Omit<FetchInit, 'redirect'>, limit: number): Promise<JsonValue> {
  const response = await send(fetch, url, init)
  if (response.status < 200 || response.status > 299) throw await serviceFailure(response, { authenticated: true })
  try {
    return await readJson(response.body, limit)
  } catch (cause) {
    if (cause instanceof SottoError) throw cause
    throw new SottoError(init.signal?.aborted ? 'request/cancelled' : 'service/unreachable', { cause })
  }
}
