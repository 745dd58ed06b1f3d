import { StreamableHTTPClientTransport, UnauthorizedError } from '@modelcontextprotocol/client'
import { SottoError } from '../../../shared/errors.ts'
import type { Fetch } from '../../../shared/fetch.ts'
import { connect, type ServerSession } from '../mcp-session.ts'
import type { ServerTokens } from './server-tokens.ts'
import { renewSignIn } from './sign-in.ts'
import { createOriginFetch } from './web-fetch.ts'

export interface RemoteServer {
  readonly id: string
  /** See parseServerAddress. */
  readonly address: string
}

export interface RemotePorts {
  readonly fetch: Fetch
  readonly tokens: ServerTokens
  /** Unix ms. */
  readonly now: () => number
}

/**
 * Connects to a server over streamable HTTP, with the token of its sign-in if there is one. Requests go only to the origin of its
 * address.
 *
 * @throws {SottoError} tools/sign-in-required, tools/redirect-refused, tools/server-unreachable
 */
export async function connectRemoteServer(
  { id, address }: RemoteServer,
  { fetch, tokens, now }: RemotePorts,
  version: string,
): Promise<ServerSession> {
  const url = new URL(address)
  const origin = createOriginFetch(fetch, url.origin, { stream: false })
  const renew = (signIn: Parameters<typeof renewSignIn>[0]) => renewSignIn(signIn, fetch, now)
  const transport = new StreamableHTTPClientTransport(url, {
    fetch: origin.fetch,
    // The person decides about more permissions by signing in again.
    onInsufficientScope: 'throw',
    reconnectionOptions: {
      maxRetries: 0,
      initialReconnectionDelay: 1000,
      maxReconnectionDelay: 1000,
      reconnectionDelayGrowFactor: 1,
    },
    authProvider: {
      token: () => tokens.tokenOf(id, renew),
      // Called once for a request that the server refused before it ran.
      onUnauthorized: async () => void (await tokens.renewed(id, renew)),
    },
  })
  return connect(transport, version, {
    endsOnFailure: true,
    toError(cause) {
      const refusal = origin.refusal()
      if (refusal) return refusal
      if (cause instanceof SottoError) return cause
      if (cause instanceof UnauthorizedError) return new SottoError('tools/sign-in-required')
      // The cause could quote a request's header.
      return new SottoError('tools/server-unreachable')
    },
  })
}
