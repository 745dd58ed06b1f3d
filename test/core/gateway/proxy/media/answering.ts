import type { FetchInit, FetchResponse } from '../../../../../src/shared/fetch.ts'

/** An answer of the test in place of the sandbox's. */
export type Instead = (url: string, init: FetchInit) => FetchResponse | Promise<FetchResponse> | undefined

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield await Promise.resolve(bytes)
}

export function answering(
  contentType: string,
  body: string | Buffer | AsyncIterable<Uint8Array>,
  status = 200,
  headers: Record<string, string> = {},
): FetchResponse {
  const all: Record<string, string> = { 'content-type': contentType, ...headers }
  return {
    status,
    headers: { get: (name) => all[name] ?? null },
    body:
      typeof body === 'string'
        ? once(Buffer.from(body, 'latin1'))
        : Buffer.isBuffer(body)
          ? once(body)
          : body,
  }
}
