import { createHash } from 'node:crypto'
import type { ChatRequest } from './request.ts'

/** All customers of the service are one tenant to the router. */
const TENANT = 'sandbox-service'

/**
 * Does what the enclave's router does before a model sees a request: it names the prompt cache of the request and removes what
 * the name was made of. Requests with the same name share cached prompts.
 *
 * @returns `salt`: 43 characters, base64url
 */
export function routePrompt({ user_cache_secret: secret, cache_salt: _, ...request }: ChatRequest): {
  readonly request: ChatRequest
  readonly salt: string
} {
  const hash = createHash('sha256').update('tinfoil/cache-salt/v1').update(prefixed(TENANT))
  if (typeof secret === 'string' && secret !== '') hash.update(prefixed(secret))
  return { request, salt: hash.digest('base64url') }
}

function prefixed(text: string): Buffer {
  const bytes = Buffer.from(text)
  const length = Buffer.alloc(4)
  length.writeUInt32BE(bytes.length)
  return Buffer.concat([length, bytes])
}
