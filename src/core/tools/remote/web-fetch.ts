import type { FetchLike } from '@modelcontextprotocol/client'
import { SottoError } from '../../../shared/errors.ts'
import type { Fetch, FetchInit } from '../../../shared/fetch.ts'
import { isSecure } from '../../../shared/loopback.ts'

/** Bytes of one response: the largest result that a server may send, with images. */
const MAX_BYTES = 8 * 1024 * 1024
/** Longer than a call may take, which the client limits. */
const TIMEOUT_MS = 150_000
/** Bytes of one request: arguments are at most 100,000 characters. */
const MAX_SENT_BYTES = 1024 * 1024
/** The response headers that the MCP client reads. */
const READ_HEADERS = [
  'content-type',
  'mcp-session-id',
  'mcp-protocol-version',
  'www-authenticate',
  'retry-after',
]
const METHODS: Readonly<Record<string, FetchInit['method']>> = { GET: 'GET', POST: 'POST', DELETE: 'DELETE' }

/**
 * Parses the address of a tool server that a person enters: https, or http on this computer.
 * @throws {SottoError} tools/address-refused
 */
export function parseServerAddress(text: string): URL {
  const url = URL.parse(text)
  if (!url || url.username !== '' || url.password !== '' || url.hash !== '' || !isSecure(url))
    throw new SottoError('tools/address-refused')
  return url
}

/** A fetch for one origin, which a person was shown. */
export interface OriginFetch {
  readonly fetch: FetchLike
  /** Why a request was refused before it left, or its response; undefined if none was. */
  readonly refusal: () => SottoError | undefined
}

/**
 * Adapts the core's fetch to the MCP client. The server controls all of a response. A request to another origin and a redirect
 * are refused: the person was shown this origin only.
 *
 * @param origin such as `https://tools.example`
 * @param stream false: refuses the stream that a server would send without a question. The client then asks only for
 * answers, so no connection stays open.
 */
export function createOriginFetch(
  fetch: Fetch,
  origin: string,
  { stream }: { stream: boolean },
): OriginFetch {
  let refused: SottoError | undefined
  const refuse = (code: 'tools/redirect-refused' | 'tools/server-unreachable'): SottoError => {
    refused = new SottoError(code)
    return refused
  }
  return {
    refusal: () => refused,
    async fetch(address, init = {}) {
      const url = new URL(address)
      if (url.origin !== origin) throw refuse('tools/redirect-refused')
      const method = METHODS[init.method ?? 'GET']
      if (!method) throw refuse('tools/server-unreachable')
      const headers = Object.fromEntries(new Headers(init.headers))
      if (!stream && headers['accept'] === 'text/event-stream') return new Response(null, { status: 405 })
      const body = bodyOf(init.body)
      if (body !== undefined && body.length > MAX_SENT_BYTES) throw refuse('tools/server-unreachable')
      const limit = AbortSignal.timeout(TIMEOUT_MS)
      const response = await fetch(url.href, {
        method,
        headers: { ...headers, 'accept-encoding': 'identity' },
        redirect: 'manual',
        signal: init.signal ? AbortSignal.any([init.signal, limit]) : limit,
        ...(body !== undefined && { body }),
      })
      if (response.status >= 300 && response.status < 400) throw refuse('tools/redirect-refused')
      const read = new Headers()
      for (const name of READ_HEADERS) {
        const value = response.headers.get(name)
        if (value !== null) read.set(name, value)
      }
      const { status } = response
      const content = status === 204 || status === 205 ? null : response.body
      return new Response(content && ReadableStream.from(limited(content)), {
        status,
        headers: read,
      })
    },
  }
}

function bodyOf(body: RequestInit['body']): string | undefined {
  if (body === null || body === undefined) return undefined
  if (typeof body === 'string') return body
  if (body instanceof URLSearchParams) return body.toString()
  throw new SottoError('tools/server-unreachable')
}

/** Ends with tools/server-unreachable above the limit. Leaving it early closes the connection. */
async function* limited(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void> {
  let length = 0
  for await (const chunk of body) {
    length += chunk.length
    if (length > MAX_BYTES) throw new SottoError('tools/server-unreachable')
    yield chunk
  }
}
