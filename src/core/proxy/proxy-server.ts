import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import { asSottoError, SottoError } from '../../shared/errors.ts'
import type { KeyLimits } from '../../shared/key-limits.ts'
import type { Model } from '../../shared/model.ts'
import { isPrivateModel } from '../../shared/privacy.ts'
import type { Relay } from '../relay/index.ts'
import { serveChat } from './chat-route.ts'
import { toOpenAiError } from './errors.ts'
import { guardCaller, presentedKey, requireJson, requireLocalKey, type FindLocalKey, type LocalKeyRecord } from './guards.ts'
import { allowsModel, RequestRate, requireLive, requireModel } from './key-limits.ts'
import { parseBody } from './parse-body.ts'

export const MAX_BODY_BYTES = 64 * 1024 * 1024
const LOOPBACK = '127.0.0.1'

declare module 'fastify' {
  interface FastifyRequest {
    /** Whose request it is; null only where no key is needed. */
    localKey: LocalKeyRecord | null
  }
}

/** What stands behind the proxy while the vault is open. */
export interface ProxyBackend {
  readonly relay: Relay
  readonly findKey: FindLocalKey
}

export interface ProxyOptions {
  /** Throws vault/locked while there is nothing behind it. */
  readonly backend: () => ProxyBackend
  readonly service: 'sandbox' | 'service'
  readonly port: number
  /** A port that was asked for and is taken is an error; the default one moves on. */
  readonly mayMove: boolean
  /** Unix ms. */
  readonly now: () => number
}

export interface ProxyServer {
  readonly port: number
  readonly baseUrl: string
  close(): Promise<void>
}

/** How many ports after the default one are tried. */
const MOVES = 20

/** Starts the local server for other programs, on loopback alone. Throws proxy/port-taken. */
export async function startProxy(options: ProxyOptions): Promise<ProxyServer> {
  const server = buildServer(options)
  const port = await listen(server, options)
  return {
    port,
    baseUrl: `http://${LOOPBACK}:${String(port)}/v1`,
    close: async () => {
      server.server.closeAllConnections()
      await server.close()
    },
  }
}

async function listen(server: FastifyInstance, { port, mayMove }: ProxyOptions): Promise<number> {
  for (let candidate = port; ; candidate++) {
    try {
      await server.listen({ host: LOOPBACK, port: candidate })
      const address = server.server.address()
      return typeof address === 'object' && address ? address.port : candidate
    } catch (cause) {
      const taken = cause instanceof Error && 'code' in cause && (cause.code === 'EADDRINUSE' || cause.code === 'EACCES')
      if (!taken || !mayMove || candidate - port >= MOVES) throw new SottoError('proxy/port-taken', { detail: `It is port ${port}.`, cause })
    }
  }
}

function buildServer(options: ProxyOptions): FastifyInstance {
  const server = fastify({
    bodyLimit: MAX_BODY_BYTES,
    logger: false,
    forceCloseConnections: true,
    routerOptions: { maxParamLength: 300, ignoreTrailingSlash: false },
    // Long prompts take a while to arrive; a connection that says nothing does not get that long.
    requestTimeout: 300_000,
    connectionTimeout: 0,
    keepAliveTimeout: 72_000,
  })
  const mark: Record<string, string> = options.service === 'sandbox' ? { 'x-sotto-service': 'sandbox' } : {}

  let port: number | undefined
  server.decorateRequest('localKey', null)
  server.removeAllContentTypeParsers()
  server.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
  // Not before the request is handled: what a chat answers writes its own.
  server.addHook('onSend', (_request, reply, _payload, done) => {
    reply.headers({ ...mark, 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' })
    done()
  })
  const rate = new RequestRate(options.now)
  server.addHook('onRequest', (request, _reply, done) => {
    port ??= portOf(server)
    guardCaller(request.headers, port)
    if (request.url !== '/health') {
      const key = requireLocalKey(request.headers, options.backend().findKey)
      requireLive(key.limits, options.now())
      request.localKey = key
    }
    if (request.method === 'POST') {
      requireJson(request.headers)
      if (request.localKey) rate.take(request.localKey.id, request.localKey.limits)
    }
    done()
  })

  const chat = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => serveChat(options.backend().relay, request, reply, mark)
  server.post('/v1/chat/completions', chat)
  server.post('/chat/completions', chat)
  for (const prefix of ['/v1', '']) {
    server.get(`${prefix}/models`, async (request) => {
      const models = await options.backend().relay.models.all()
      return { object: 'list', data: models.filter(({ id }) => allowsModel(limitsOf(request), id)).map(toOpenAiModel) }
    })
    server.get<{ Params: { '*': string } }>(`${prefix}/models/*`, async (request) => {
      const id = request.params['*']
      requireModel(limitsOf(request), id)
      return toOpenAiModel((await options.backend().relay.models.find(id)).listed)
    })
  }
  server.get('/health', (request) => health(request, options))

  server.setNotFoundHandler((request) => {
    if (namesPrivateModel(request)) throw new SottoError('privacy/path', { param: 'model' })
    throw new SottoError('proxy/path-unknown', { detail: `It was asked for ${request.method} ${plainPath(request.url)}.` })
  })
  server.setErrorHandler((thrown, _request, reply) => {
    const failure = fromFastify(thrown) ?? asSottoError(thrown)
    const { receiptId, retryAfterSeconds, privacy } = failure.details
    if (receiptId !== undefined) reply.header('x-sotto-receipt', receiptId)
    if (privacy !== undefined) reply.header('x-sotto-privacy', privacy)
    if (retryAfterSeconds !== undefined) reply.header('retry-after', String(retryAfterSeconds))
    return reply.code(failure.status).send(toOpenAiError(failure))
  })
  return server
}

/** No key is needed on some paths, and limits nothing there. */
function limitsOf({ localKey }: FastifyRequest): KeyLimits {
  return localKey?.limits ?? {}
}

function portOf(server: FastifyInstance): number {
  const address = server.server.address()
  return typeof address === 'object' && address ? address.port : 0
}

function toOpenAiModel(model: Model): Record<string, unknown> {
  return {
    id: model.id,
    object: 'model',
    created: createdSeconds(model.addedAt),
    owned_by: model.provider ?? 'unknown',
    ...(model.contextLength !== undefined && { context_length: model.contextLength }),
    ...(model.type !== undefined && { type: model.type }),
    privacy: model.private ? 'sealed' : 'forwarded',
  }
}

/** Listings have been seen in seconds and in milliseconds; OpenAI's `created` is in seconds. */
function createdSeconds(addedAt: number | undefined): number {
  if (addedAt === undefined) return 0
  return Math.floor(addedAt > 1e11 ? addedAt / 1000 : addedAt)
}

/** `ok` for anyone on this machine; the state of the proof for those with a key. */
function health(request: FastifyRequest, options: ProxyOptions): Record<string, unknown> {
  if (presentedKey(request.headers) === undefined) return { status: 'ok' }
  const { relay, findKey } = options.backend()
  requireLive(requireLocalKey(request.headers, findKey).limits, options.now())
  const verdict = relay.channel?.current() ?? null
  return {
    status: 'ok',
    service: options.service,
    attestation: verdict && {
      verified: verdict.good,
      enclave: verdict.enclaveHost,
      measurement: verdict.measurement ?? null,
      verified_at: new Date(verdict.verifiedAt).toISOString(),
      valid_until: new Date(verdict.validUntil).toISOString(),
      failed: verdict.failure ?? null,
    },
  }
}

function namesPrivateModel(request: FastifyRequest): boolean {
  const { query } = request
  if (typeof query === 'object' && query !== null && 'model' in query && typeof query.model === 'string' && isPrivateModel(query.model)) return true
  try {
    const { model } = parseBody(request.body)
    return typeof model === 'string' && isPrivateModel(model)
  } catch {
    return false
  }
}

function plainPath(url: string): string {
  return url.split('?', 1)[0]?.slice(0, 100).replaceAll(/[^\w/.-]/g, '?') ?? ''
}

/** Fastify's own refusals, in our codes. */
function fromFastify(thrown: unknown): SottoError | undefined {
  const code = thrown instanceof Error && 'code' in thrown ? thrown.code : undefined
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE') return new SottoError('proxy/body-too-large')
  if (code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE' || code === 'FST_ERR_CTP_EMPTY_TYPE') return new SottoError('proxy/content-type')
  if (code === 'FST_ERR_CTP_INVALID_CONTENT_LENGTH' || code === 'FST_ERR_CTP_EMPTY_JSON_BODY') return new SottoError('proxy/malformed-json')
  return undefined
}
