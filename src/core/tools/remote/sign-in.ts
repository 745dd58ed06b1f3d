import {
  checkResourceAllowed,
  discoverAuthorizationServerMetadata,
  discoverOAuthProtectedResourceMetadata,
  exchangeAuthorization,
  extractWWWAuthenticateParams,
  refreshAuthorization,
  registerClient,
  startAuthorization,
  validateAuthorizationResponseIssuer,
  AuthorizationServerMismatchError,
  InsecureTokenEndpointError,
  IssuerMismatchError,
  type AuthorizationServerMetadata,
  type OAuthTokens,
} from '@modelcontextprotocol/client'
import { SottoError } from '../../../shared/errors.ts'
import type { Fetch } from '../../../shared/fetch.ts'
import { isLoopback, isSecure, meansLoopback } from '../../../shared/loopback.ts'
import { listenForRedirect } from './redirect-listener.ts'
import type { SignIn } from './server-tokens.ts'
import { createOriginFetch } from './web-fetch.ts'

export interface SignInPorts {
  readonly fetch: Fetch
  /** Unix ms. */
  readonly now: () => number
  /** Asks the person about the host that signs them in. Rejects if they refuse. */
  readonly confirmHost: (host: string) => Promise<void>
  /** The address that the system browser opens. It has no token. */
  readonly onOpen: (address: string) => void
  readonly signal: AbortSignal
}

/**
 * Signs in at a remote server with OAuth 2.1: an authorization code with PKCE and a redirect to this computer. Each request goes to
 * the server's origin, or to the origin of its authorization server after the person confirmed that one.
 *
 * @param server the address of the tool server
 * @returns the tokens, which the caller stores in the vault
 * @throws {SottoError} tools/sign-in-unsupported, tools/sign-in-refused, tools/sign-in-failed, request/canceled, confirm/…
 */
export async function signInAt(server: URL, ports: SignInPorts): Promise<SignIn> {
  try {
    return await signIn(server, ports)
  } catch (thrown) {
    if (ports.signal.aborted) throw new SottoError('request/canceled')
    if (thrown instanceof SottoError)
      throw thrown.code === 'tools/redirect-refused' ? new SottoError('tools/sign-in-refused') : thrown
    // The cause could quote what a server sent, or a code.
    throw new SottoError(isMismatch(thrown) ? 'tools/sign-in-refused' : 'tools/sign-in-failed')
  }
}

async function signIn(
  server: URL,
  { fetch, now, confirmHost, onOpen, signal }: SignInPorts,
): Promise<SignIn> {
  const { issuer, resource, scope } = await authorizationServerOf(server, fetch)
  await confirmHost(issuer.host)
  const { fetch: issuerFetch } = createOriginFetch(fetch, issuer.origin, { stream: true })
  const metadata = await discoverAuthorizationServerMetadata(issuer, { fetchFn: issuerFetch })
  if (!metadata || !metadata.code_challenge_methods_supported?.includes('S256'))
    throw new SottoError('tools/sign-in-unsupported')
  requireOrigin(metadata, issuer.origin)
  if (metadata.registration_endpoint === undefined) throw new SottoError('tools/sign-in-unsupported')

  await using listener = await listenForRedirect()
  const { redirectUrl, state } = listener
  // oxlint-disable-next-line typescript/no-deprecated -- a client ID that is an address needs a host of Sotto's own
  const client = await registerClient(issuer, {
    metadata,
    fetchFn: issuerFetch,
    clientMetadata: {
      client_name: 'Sotto',
      redirect_uris: [redirectUrl],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
      ...(scope !== undefined && { scope }),
    },
  })
  const { authorizationUrl, codeVerifier } = await startAuthorization(issuer, {
    metadata,
    clientInformation: client,
    redirectUrl,
    state,
    resource,
    ...(scope !== undefined && { scope }),
  })
  if (authorizationUrl.origin !== issuer.origin) throw new SottoError('tools/sign-in-refused')
  onOpen(authorizationUrl.href)
  const returned = await listener.received(signal)
  // Before anything else of the answer is read, because another authorization server may have sent it (RFC 9207).
  const iss = returned.get('iss') ?? undefined
  validateAuthorizationResponseIssuer({
    iss,
    expectedIssuer: metadata.issuer,
    issParameterSupported: metadata.authorization_response_iss_parameter_supported === true,
  })
  const authorizationCode = returned.get('code')
  if (authorizationCode === null) throw new SottoError('tools/sign-in-refused')
  const tokens = await exchangeAuthorization(issuer, {
    metadata,
    clientInformation: client,
    authorizationCode,
    ...(iss !== undefined && { iss }),
    codeVerifier,
    redirectUri: redirectUrl,
    resource,
    fetchFn: issuerFetch,
  })
  const { client_id, client_secret } = client
  return withTokens(
    {
      issuer: metadata.issuer,
      tokenEndpoint: metadata.token_endpoint,
      resource: resource.href,
      client: { client_id, ...(client_secret !== undefined && { client_secret }) },
    },
    tokens,
    now(),
  )
}

/**
 * Renews the tokens of a sign-in.
 * @throws {SottoError} tools/sign-in-failed – also for a token of another type
 */
export async function renewSignIn(signedIn: SignIn, fetch: Fetch, now: () => number): Promise<SignIn> {
  const { issuer, tokenEndpoint, client, resource, refreshToken } = signedIn
  if (refreshToken === undefined) throw new SottoError('tools/sign-in-failed')
  const tokens = await refreshAuthorization(issuer, {
    metadata: {
      issuer,
      token_endpoint: tokenEndpoint,
      authorization_endpoint: issuer,
      response_types_supported: ['code'],
    },
    clientInformation: client,
    refreshToken,
    resource,
    fetchFn: createOriginFetch(fetch, new URL(issuer).origin, { stream: true }).fetch,
  })
  return withTokens(signedIn, tokens, now())
}

/** What a server states about its sign-in. It's asked without a token. */
async function authorizationServerOf(server: URL, fetch: Fetch) {
  const { fetch: serverFetch } = createOriginFetch(fetch, server.origin, { stream: true })
  const refusal = await serverFetch(server, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 0, method: 'ping' }),
  })
  await refusal.body?.cancel()
  const { resourceMetadataUrl, scope } = extractWWWAuthenticateParams(refusal)
  const stated = await discoverOAuthProtectedResourceMetadata(
    server,
    resourceMetadataUrl ? { resourceMetadataUrl } : {},
    serverFetch,
  ).catch((thrown: unknown) => {
    throw thrown instanceof SottoError ? thrown : new SottoError('tools/sign-in-unsupported')
  })
  // A token for another resource would let this server act there.
  if (!checkResourceAllowed({ requestedResource: server, configuredResource: stated.resource }))
    throw new SottoError('tools/sign-in-refused')
  const issuer = URL.parse(stated.authorization_servers?.[0] ?? '')
  if (!issuer) throw new SottoError('tools/sign-in-unsupported')
  if (!mayBeIssuerOf(server, issuer)) throw new SottoError('tools/sign-in-refused')
  const scopes = scope ?? stated.scopes_supported?.join(' ')
  return { issuer, resource: new URL(stated.resource), scope: scopes === '' ? undefined : scopes }
}

/**
 * Whether a server may name this authorization server: over a connection that the network can't read, and on this
 * computer only if the server is too. Otherwise any server could have Sotto call local programs.
 */
export function mayBeIssuerOf(server: URL, issuer: URL): boolean {
  return (
    isSecure(issuer) &&
    issuer.username === '' &&
    (!meansLoopback(issuer.hostname) || isLoopback(server.hostname))
  )
}

/** The person was shown the issuer's host, so a token or a code is sent to no other. */
function requireOrigin(metadata: AuthorizationServerMetadata, origin: string): void {
  const endpoints = [
    metadata.authorization_endpoint,
    metadata.token_endpoint,
    ...(metadata.registration_endpoint === undefined ? [] : [metadata.registration_endpoint]),
  ]
  if (endpoints.some((endpoint) => URL.parse(endpoint)?.origin !== origin))
    throw new SottoError('tools/sign-in-refused')
}

function withTokens(
  signedIn: Omit<SignIn, 'accessToken' | 'refreshToken' | 'expiresAt'> & Pick<SignIn, 'refreshToken'>,
  { access_token, token_type, refresh_token, expires_in }: OAuthTokens,
  now: number,
): SignIn {
  if (token_type.toLowerCase() !== 'bearer') throw new SottoError('tools/sign-in-unsupported')
  const { issuer, tokenEndpoint, resource, client } = signedIn
  const refreshToken = refresh_token ?? signedIn.refreshToken
  return {
    issuer,
    tokenEndpoint,
    resource,
    client,
    accessToken: access_token,
    ...(refreshToken !== undefined && { refreshToken }),
    ...(expires_in !== undefined && { expiresAt: now + expires_in * 1000 }),
  }
}

/** Whether the SDK found an answer of another issuer than the expected one. */
function isMismatch(thrown: unknown): boolean {
  return (
    thrown instanceof IssuerMismatchError ||
    thrown instanceof AuthorizationServerMismatchError ||
    thrown instanceof InsecureTokenEndpointError
  )
}
