/**
 * The routes of the proxy as the log names them. `{id}` is one segment of the path, and a final `*` the rest of it. Of two
 * routes that match a path, the first counts.
 */
export const proxyRoutes = [
  '/v1/chat/completions',
  '/v1/completions',
  '/v1/embeddings',
  '/v1/models',
  '/v1/models/*',
  '/v1/media/models',
  '/v1/messages',
  '/v1/messages/count_tokens',
  '/v1/messages/*',
  '/v1/responses',
  '/v1/responses/{id}',
  '/v1/responses/{id}/input_items',
  '/v1/responses/{id}/cancel',
  '/v1/responses/*',
  '/v1/images/generations',
  '/v1/images/edits',
  '/v1/audio/speech',
  '/v1/audio/transcriptions',
  '/v1/audio/voices',
  '/v1/audio/models',
  '/v1/videos',
  '/v1/videos/{id}',
  '/v1/videos/{id}/content',
  '/v1/data/endpoints',
  '/v1/data/*',
  '/v1/attestation',
  '/v1/credits/balance',
  '/v1/queries/history',
  '/v1/accounts/create',
  '/v1/topup/*',
  '/v1/nwc-auto-topup',
  '/v1/nwc-auto-topup/*',
  '/v1/keys',
  '/v1/keys/*',
  '/api/version',
  '/api/ps',
  '/api/tags',
  '/api/show',
  '/api/chat',
  '/api/generate',
  '/api/embed',
  '/api/embeddings',
  '/health',
  '/livez',
  '/readyz',
  '/metrics',
  'unknown',
] as const
export type ProxyRoute = (typeof proxyRoutes)[number]

const PATTERNS = proxyRoutes.map((route) => ({
  route,
  pattern: new RegExp(`^${route.replace('{id}', '[^/]+').replace('*', '.*')}$`),
}))

/**
 * Returns the route that a path belongs to, which contains nothing that a caller chose. A path without `/v1` belongs to the
 * same route as with it.
 */
export function proxyRoute(pathname: string): ProxyRoute {
  const paths = [pathname, `/v1${pathname}`]
  return PATTERNS.find(({ pattern }) => paths.some((path) => pattern.test(path)))?.route ?? 'unknown'
}
