import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'

/** How the mock misbehaves. */
export interface Faults {
  /** Members of the authorization server's metadata. */
  readonly metadata?: Readonly<Record<string, unknown>>
  /** Members of the protected resource's metadata. */
  readonly resource?: Readonly<Record<string, unknown>>
  /** Parameters of the redirect to Sotto. */
  readonly redirect?: Readonly<Record<string, string>>
  readonly tokenType?: string
  /** MCP requests are redirected to this address. */
  readonly movedTo?: string
  /** The body of each MCP answer has this many bytes more. */
  readonly padding?: number
}

interface Answer {
  readonly status: number
  readonly body?: unknown
  readonly headers?: Record<string, string>
}

/** A tool server over HTTP that requires OAuth, and its authorization server at another port. */
export interface MockOAuth extends AsyncDisposable {
  /** The address of the tool server. */
  readonly address: string
  readonly issuer: string
  faults: Faults
  /** Access tokens that the tool server accepts. */
  readonly accepted: Set<string>
  /** Every request, without the tokens of the answers. */
  readonly requests: { readonly host: string; readonly path: string; readonly authorization?: string }[]
}

export async function startMockOAuth(): Promise<MockOAuth> {
  const accepted = new Set<string>()
  const requests: MockOAuth['requests'] = []
  const challenges = new Map<string, string>()
  let tokens = 0
  const mock = { faults: {} as Faults }

  const issuer = await listen(requests, (url, body) => {
    const { metadata, redirect, tokenType = 'Bearer' } = mock.faults
    switch (url.pathname) {
      case '/.well-known/oauth-authorization-server':
        return {
          status: 200,
          body: {
            issuer: issuer.origin,
            authorization_endpoint: `${issuer.origin}/authorize`,
            token_endpoint: `${issuer.origin}/token`,
            registration_endpoint: `${issuer.origin}/register`,
            response_types_supported: ['code'],
            code_challenge_methods_supported: ['S256'],
            authorization_response_iss_parameter_supported: true,
            ...metadata,
          },
        }
      case '/register':
        return { status: 201, body: { ...(JSON.parse(body) as object), client_id: 'client-1' } }
      case '/authorize': {
        const { searchParams } = url
        challenges.set('code-1', searchParams.get('code_challenge') ?? '')
        const back = new URL(searchParams.get('redirect_uri') ?? '')
        const values = { code: 'code-1', state: searchParams.get('state') ?? '', iss: issuer.origin }
        for (const [name, value] of Object.entries({ ...values, ...redirect }))
          back.searchParams.set(name, value)
        return { status: 302, headers: { location: back.href } }
      }
      case '/token': {
        const sent = new URLSearchParams(body)
        const proof = createHash('sha256')
          .update(sent.get('code_verifier') ?? '')
          .digest('base64url')
        const isProven =
          sent.get('grant_type') === 'refresh_token' || challenges.get(sent.get('code') ?? '') === proof
        if (!isProven) return { status: 400, body: { error: 'invalid_grant' } }
        tokens += 1
        accepted.add(`canary-token-${String(tokens)}`)
        return {
          status: 200,
          body: {
            access_token: `canary-token-${String(tokens)}`,
            refresh_token: 'canary-refresh',
            token_type: tokenType,
            expires_in: 3600,
          },
        }
      }
      default:
        return { status: 404 }
    }
  })

  const server = await listen(requests, (url, body, authorization) => {
    const { resource, movedTo, padding = 0 } = mock.faults
    if (url.pathname === '/.well-known/oauth-protected-resource/mcp')
      return {
        status: 200,
        body: { resource: `${server.origin}/mcp`, authorization_servers: [issuer.origin], ...resource },
      }
    if (url.pathname !== '/mcp') return { status: 404 }
    if (movedTo !== undefined) return { status: 307, headers: { location: movedTo } }
    if (!accepted.has(authorization?.replace('Bearer ', '') ?? ''))
      return {
        status: 401,
        headers: {
          'www-authenticate': `Bearer resource_metadata="${server.origin}/.well-known/oauth-protected-resource/mcp"`,
        },
      }
    const { id, method, params } = JSON.parse(body) as {
      id?: number
      method: string
      params?: { arguments?: unknown }
    }
    if (id === undefined) return { status: 202 }
    return {
      status: 200,
      body: {
        jsonrpc: '2.0',
        id,
        result: { ...resultOf(method, params?.arguments), _meta: { padding: 'x'.repeat(padding) } },
      },
    }
  })
  return Object.assign(mock, {
    address: `${server.origin}/mcp`,
    issuer: issuer.origin,
    accepted,
    requests,
    async [Symbol.asyncDispose]() {
      await Promise.all([server.close(), issuer.close()])
    },
  })
}

function resultOf(method: string, args: unknown): object {
  switch (method) {
    case 'initialize':
      return {
        protocolVersion: '2025-06-18',
        capabilities: { tools: {} },
        serverInfo: { name: 'mock', version: '1' },
      }
    case 'tools/list':
      return { tools: [{ name: 'echo', description: 'Echoes', inputSchema: { type: 'object' } }] }
    default:
      return { content: [{ type: 'text', text: JSON.stringify(args) }] }
  }
}

async function listen(
  requests: MockOAuth['requests'],
  answer: (url: URL, body: string, authorization: string | undefined) => Answer,
): Promise<{ readonly origin: string; readonly close: () => Promise<void> }> {
  let origin = ''
  const server: Server = createServer((request, response) => void respond(request, response))
  async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let sent = ''
    for await (const chunk of request) sent += String(chunk)
    const { authorization, host = '' } = request.headers
    const url = new URL(request.url ?? '', origin)
    requests.push({ host, path: request.url ?? '', ...(authorization !== undefined && { authorization }) })
    const { status, body, headers = {} } = answer(url, sent, authorization)
    response.writeHead(status, { 'content-type': 'application/json', ...headers })
    response.end(body === undefined ? '' : JSON.stringify(body))
  }
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  origin = `http://127.0.0.1:${String(address.port)}`
  return {
    origin,
    close: () =>
      new Promise((closed) => {
        server.close(() => closed())
        server.closeAllConnections()
      }),
  }
}
