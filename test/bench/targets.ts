import { native } from '../../src/ehbp/native.ts'
import { setupRequest } from '../../src/ehbp/request-sealer.ts'
import { chatBody, PLAINTEXT_MODEL, PRIVATE_MODEL } from './chat-body.ts'
import { startChild, type ProcessorTime } from './child.ts'
import type { Target } from './client.ts'
import type { EnclaveReady } from './enclave.ts'
import type { ProxyReady } from './sotto-proxy.ts'

/**
 * `direct`: to the service's plaintext address. `pre-sealed`: to the enclave, sealed in advance and not
 * decrypted, so that it differs from direct only by the enclave's work. The others go through a proxy. `bare
 * forwarding` does the least of the proxies that understand their traffic, and `bare sealing` the least of
 * those that seal.
 */
export const ways = [
  'direct',
  'pass-through',
  'bare forwarding',
  'forwarded',
  'pre-sealed',
  'bare sealing',
  'sealed',
  'published',
] as const
export type Way = (typeof ways)[number]

/**
 * The way to compare with as "without this proxy". For sealed ways, it includes the exchange with the
 * enclave, which no proxy can avoid.
 */
export const without: Record<Way, Way> = {
  direct: 'direct',
  'pre-sealed': 'direct',
  'pass-through': 'direct',
  'bare forwarding': 'direct',
  forwarded: 'direct',
  'bare sealing': 'pre-sealed',
  sealed: 'pre-sealed',
  published: 'pre-sealed',
}

/** The targets of a way, for a complete answer and for a streamed one. */
export interface Route {
  readonly whole: Target
  readonly streamed: Target
  /** Another request on this way; absent for a body that was sealed in advance. */
  readonly other?: (form: Omit<Parameters<typeof chatBody>[0], 'model'>) => Target
  /** Processor time of the proxy on this way. */
  readonly cpu?: () => Promise<ProcessorTime>
}
export type Targets = Partial<Record<Way, Route>>

export interface Started {
  readonly targets: Targets
  readonly enclavePort: number
  readonly missing: string[]
}

export const CHAT = '/v1/chat/completions'
const both = (make: (stream: boolean) => Target) => ({ whole: make(false), streamed: make(true) })

/**
 * Starts everything, each in its own process. `missing` names the ways that don't start, and the benchmark
 * omits them.
 */
export async function startTargets(stack: AsyncDisposableStack): Promise<Started> {
  const enclave = stack.use(await startChild<EnclaveReady>('enclave.ts')).ready
  const plain = (port: number, model: string, headers: Record<string, string> = {}) => {
    const other: Route['other'] = (form) => ({
      port,
      path: CHAT,
      headers,
      body: chatBody({ model, ...form }),
    })
    return { ...both((stream) => other({ stream })), other }
  }
  const targets: Targets = {
    direct: plain(enclave.port, PLAINTEXT_MODEL),
    'pre-sealed': both((stream) => preSealed(enclave, stream)),
  }
  const missing: string[] = []
  const proxy = async (file: string) => {
    try {
      return stack.use(await startChild<ProxyReady>(file, { argument: enclave }))
    } catch (cause) {
      missing.push(cause instanceof Error ? cause.message : String(cause))
      return undefined
    }
  }
  const passThrough = await proxy('pass-through.ts')
  if (passThrough)
    targets['pass-through'] = { ...plain(passThrough.ready.port, PLAINTEXT_MODEL), cpu: passThrough.cpu }
  const knowing = await proxy('bare-forwarding.ts')
  if (knowing)
    targets['bare forwarding'] = {
      ...plain(knowing.ready.port, PLAINTEXT_MODEL, { authorization: 'Bearer bench' }),
      cpu: knowing.cpu,
    }
  const bare = await proxy('bare-sealing.ts')
  if (bare) targets['bare sealing'] = { ...plain(bare.ready.port, PRIVATE_MODEL), cpu: bare.cpu }
  const published = await proxy('published-proxy.ts')
  if (published) targets.published = { ...plain(published.ready.port, PRIVATE_MODEL), cpu: published.cpu }
  const sotto = await proxy('sotto-proxy.ts')
  if (sotto) {
    const {
      ready: { port, localKey = '' },
      cpu,
    } = sotto
    const headers = { authorization: `Bearer ${localKey}` }
    targets.forwarded = { ...plain(port, PLAINTEXT_MODEL, headers), cpu }
    targets.sealed = { ...plain(port, PRIVATE_MODEL, headers), cpu }
  }
  return { targets, enclavePort: enclave.port, missing }
}

/** A request with a body sealed in advance, to the enclave. */
export function preSealed(enclave: EnclaveReady, stream: boolean): Target {
  const sealer = setupRequest(native, Buffer.from(enclave.hpkePublicKey, 'hex'))
  const body = Buffer.from(sealer.seal(chatBody({ model: PRIVATE_MODEL, stream })))
  return {
    port: enclave.port,
    path: `/private${CHAT}`,
    headers: { 'ehbp-encapsulated-key': sealer.encapsulatedKey },
    body,
  }
}
