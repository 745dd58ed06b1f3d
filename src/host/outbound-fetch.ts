import { Agent, request } from 'undici'
import type { Fetch } from '../shared/fetch.ts'

export interface OutboundFetch {
  readonly fetch: Fetch
  close(): Promise<void>
}

/**
 * The only socket out of Sotto. Follows no redirect, keeps no cookie, decodes no content encoding; waits are limited by
 * the callers, who know what they wait for.
 */
export function createOutboundFetch(): OutboundFetch {
  const agent = new Agent({ keepAliveTimeout: 30_000, connectTimeout: 15_000, headersTimeout: 0, bodyTimeout: 0 })
  return {
    fetch: async (url, { method, headers, body, signal }) => {
      const response = await request(url, { dispatcher: agent, method, headers, body: body ?? null, signal: signal ?? null })
      // An abort is told to whoever reads the body; with no reader it must not become an uncaught error.
      response.body.on('error', () => undefined)
      return {
        status: response.statusCode,
        headers: {
          get: (name) => {
            const value = response.headers[name.toLowerCase()]
            return value === undefined ? null : Array.isArray(value) ? value.join(', ') : value
          },
        },
        body: response.body,
      }
    },
    close: () => agent.destroy(),
  }
}
