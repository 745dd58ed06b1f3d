/** Every way that a path was told to mean another one, in products that serve people on their own machine. */
const TRAVERSALS = [
  '../', './../', '..//', '../../', '..;/', '..%2f', '..%2F', '%2e%2e/', '%2E%2E/', '.%2e/', '%2e./', '%2e%2e%2f', '%252e%252e/', '%252e%252e%252f',
  '..\\', '%5c..%5c', '..%5c', '..%c0%af', '%c0%ae%c0%ae/', '%uff0e%uff0e/', '%ef%bc%8e%ef%bc%8e/', '..%ef%bc%8f', '%e2%80%a5/', '..%00/', '%00/../', '..%0d%0a/', '.../', '....//',
  '%2f', '%2F%2e%2e%2F', '//', '/', './', '%2e/', ';/../', '?/../', '#/../', '..?', '..#',
] as const

/** What an attacker wants to reach from there. */
const GOALS = ['api/localApi/get', 'api/localApi/rotate', 'api/conversations/list', 'v1/models', 'session', 'index.html', ''] as const

export const UI_PREFIXES = ['/', '/session', '/api/', '/api', '/media/', '/upload/', '/assets/', '/index.html'] as const
export const PROXY_PREFIXES = ['/', '/health', '/health/', '/metrics', '/v1/', '/v1/models', '/v1/models/', '/v1/chat/completions', '/v1/messages', '/api/', '/api/chat', '/v1/data/', '/v1/videos/', '/v1/keys', '/v1/audio/', '//v1//', '/v1/v1/models/'] as const

export const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS', 'TRACE', 'PROPFIND'] as const

/** Targets below each prefix, and the plain ones. */
export function targetsBelow(prefixes: readonly string[]): string[] {
  const below = prefixes.flatMap((prefix) => TRAVERSALS.flatMap((traversal) => GOALS.slice(0, 4).map((goal) => `${prefix}${traversal}${goal}`)))
  const plain = prefixes.flatMap((prefix) => GOALS.map((goal) => `${prefix}${goal}`))
  const odd = ['*', 'http://127.0.0.1/api/localApi/get', 'http://evil.example/', '//evil.example/api/localApi/get', '/%zz', '/%', '/v1/%zz', '/api/localApi%2fget', '/API/localApi/get', '/%61pi/localApi/get', '/api/localApi/get/', '/api//localApi/get', '/api/localApi/get%00', '/api/localApi/get%20', '/api/localApi/get.json', '/api/localApi/get?x', '/api/localApi/get;x', '/api.localApi.get', '/api/__proto__', '/api/constructor/constructor', '/openapi.json', '/.well-known/x', '/@fs/etc/passwd', '/src/', '/node_modules/', '/..%2fvault.json']
  return [...new Set([...below, ...plain, ...odd])]
}
