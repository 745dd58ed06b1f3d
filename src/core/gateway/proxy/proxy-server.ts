import { createServer, type RequestListener } from 'node:http'
import fastify, { type FastifyRequest } from 'fastify'
import { BodyBudget } from '../../../shared/body-budget.ts'
import { asSottoError, SottoError } from '../../../shared/errors.ts'
import type { Log } from '../../../shared/log-events.ts'
import { Admission, type RouteRules, type SharedLimits } from './admission.ts'
import { ownTime, PLAIN_HEADERS, requestIdHeaders } from './answer-headers.ts'
import { CallerGuard, LOOPBACK_NAMES, type AllowLists } from './caller-guard.ts'
import { isChat, serveChat } from './chat-route.ts'
import { callerShape, errorBody, errorHeaders, type ErrorShape } from './errors.ts'
import { RequestRate } from './key-limits.ts'
import {
  listenBeyond,
  listenOnLoopback,
  LOOPBACK,
  TIMEOUTS,
  type AnsweringServer,
  type CallerTimeouts,
  type ListenAddress,
} from './listen.ts'
import { answerPreflight, isPreflight } from './listed-page.ts'
import { KnownPaths } from './known-paths.ts'
import type { RequestTally } from './metrics/request-tally.ts'
import { leavesBodyUnread, refusing } from './refusal.ts'
import { createRefusalLog, type NoteRefusal } from './refusal-log.ts'
import { RefusedBodies } from './refused-bodies.ts'
import type { ProxyBackend, RouteContext } from './route-context.ts'
import { headOf, parseHead } from './request-heads.ts'
import { RequestsUnderWay } from './requests-under-way.ts'
import { routes } from './routes.ts'

export interface ProxyOptions {
  /** @throws {SottoError} vault/locked – there is no backend */
  readonly backend: () => ProxyBackend
  readonly service: 'sandbox' | 'service'
  readonly version: string
  readonly tally: RequestTally
  readonly port: number
  /** If a requested port is in use, starting fails. The default port moves on to the next. */
  readonly mayMove: boolean
  /** Hosts and origins in addition to this computer's own; none by default. */
  readonly allow?: AllowLists
  /** Shared with all servers of this process that read bodies. By default the proxy has its own. */
  readonly bodies?: BodyBudget | undefined
  readonly log?: Log | undefined
  /** For slow callers on this computer. */
  readonly timeouts?: CallerTimeouts
  /** Unix ms. */
  readonly now: () => number
  /** Ms from an arbitrary start, independent of the wall clock. By default the process's clock. */
  readonly monotonic?: (() => number) | undefined
}

export interface ProxyServer {
  readonly port: number
  readonly baseUrl: string
  /** Ends the connections of requests in progress with this local key. */
  endRequests(keyId: string): void
  /**
   * Also listens at an address beyond loopback, where every request needs a key.
   * @throws {SottoError} remote-access/address-in-use; request/canceled – the proxy is closed
   */
  listenAt(at: ListenAddress): Promise<{ readonly baseUrl: string }>
  close(): Promise<void>
}

/** Starts the local server for other programs, only on loopback. @throws {SottoError} proxy/port-taken */
export async function startProxy(options: ProxyOptions): Promise<ProxyServer> {
  const shared = {
    underWay: new RequestsUnderWay(),
    rate: new RequestRate(options.monotonic ?? (() => performance.now())),
    bodies: options.bodies ?? new BodyBudget(),
    noteRefusal: createRefusalLog(options.log, () => options.backend().findKey),
  }
  const allow = options.allow ?? { hosts: [], origins: [] }
  const guard = new CallerGuard(allow)
  const server = buildServer(options, { ...shared, guard, keyless: true })
  const { port, close } = await listenOnLoopback(server, options)
  guard.answersTo(LOOPBACK_NAMES, port, false)
  options.log?.('proxy/listening', { port, tls: false, beyondLoopback: false })
  const closing = [close]
  let closed = false
  const isClosed = (): boolean => closed
  return {
    port,
    baseUrl: `http://${LOOPBACK}:${String(port)}/v1`,
    endRequests: (keyId) => shared.underWay.end(keyId),
    async listenAt(at) {
      if (isClosed()) throw new SottoError('request/canceled')
      const beyond = new CallerGuard(allow)
      const listening = await listenBeyond(
        buildServer(options, { ...shared, guard: beyond, keyless: false }),
        at,
      )
      if (isClosed()) {
        await listening.close()
        throw new SottoError('request/canceled')
      }
      beyond.answersTo([listening.name], listening.port, at.tls !== null)
      options.log?.('proxy/listening', { port: listening.port, tls: at.tls !== null, beyondLoopback: true })
      closing.push(listening.close)
      return { baseUrl: `${at.tls ? 'https' : 'http'}://${listening.name}:${String(listening.port)}/v1` }
    },
    close: async () => {
      closed = true
      await Promise.all(closing.map((end) => end()))
    },
  }
}

/** The settings of one address, and the counters that all addresses share. */
interface ListenerState {
  readonly underWay: RequestsUnderWay
  readonly rate: RequestRate
  readonly bodies: BodyBudget
  readonly noteRefusal: NoteRefusal
  readonly guard: CallerGuard
  /** Whether keyless routes answer without a key. */
  readonly keyless: boolean
}

function buildServer(options: ProxyOptions, state: ListenerState): AnsweringServer {
  const { timeouts = TIMEOUTS } = options
  const { backend, service, version, tally, now } = options
  const mark: RouteContext['mark'] = service === 'sandbox' ? { 'x-sotto-service': 'sandbox' } : {}
  const context: RouteContext = { backend, bodies: state.bodies, service, version, tally, now, mark }
  const admission = new Admission({
    ...state,
    findKey: () => backend().findKey,
    keyAllows: (origin) => backend().keyAllows(origin),
    requireMoneyLeft: (keyId) => backend().requireMoneyLeft(keyId),
    tokens: () => backend().tokens,
    shared: () => sharedLimitsOf(backend),
    limitTime: () => backend().limitTime(),
  })
  const bodies = new RefusedBodies()
  const refuse = refusing(mark, state.noteRefusal, bodies)
  const chat = serveChat(context, admission, refuse)
  const answer: RequestListener = (request, response) => {
    if (bodies.isBehind(request)) return
    let head
    try {
      head = parseHead(request)
    } catch (thrown) {
      return refuse(thrown, response, performance.now())
    }
    if (isChat(head)) chat(request, response)
    else server.routing(request, response)
  }
  const server = fastify({
    serverFactory: () => createServer(timeouts, answer),
    logger: false,
    forceCloseConnections: true,
    routerOptions: { maxParamLength: 300, ignoreTrailingSlash: false },
  })
  server.decorateRequest('localKey', null)
  server.decorateRequest('receivedAt', 0)
  server.removeAllContentTypeParsers()
  // Routes read the body themselves, with the reader that counts it.
  server.addContentTypeParser('*', (_request, stream, done) => done(null, stream))
  // Only here, because chat answers write their own headers.
  server.addHook('onSend', (request, reply, _payload, done) => {
    reply.headers({ ...PLAIN_HEADERS, ...mark })
    if (!reply.hasHeader('x-request-id')) reply.headers(requestIdHeaders())
    if (!reply.hasHeader('server-timing')) reply.header('server-timing', ownTime(request.receivedAt))
    done()
  })
  server.addHook('onRequest', (request, reply, done) => {
    request.receivedAt = performance.now()
    const page = admission.page(request.raw, reply.raw)
    if (page !== undefined && isPreflight(request.raw)) {
      answerPreflight(request.raw, reply.raw)
      void reply.code(204).send()
      return
    }
    const next = (work: () => Promise<void> | undefined, then: () => void): void => {
      const waiting = work()
      if (!waiting) then()
      else waiting.then(then).catch((thrown: unknown) => done(asSottoError(thrown)))
    }
    next(
      () => admission.confirmKeys(),
      () => {
        // The paths are no secret on this computer, and a wrong path is a more helpful refusal than a missing
        // key. Beyond loopback the key comes first.
        if (request.is404 && state.keyless) throw paths.unknown(headOf(request.raw))
        const rules: RouteRules = request.is404 ? { accepts: 'unread' } : request.routeOptions.config
        request.localKey = admission.key(request.raw, reply.raw, page, rules)
        if (request.is404) throw paths.unknown(headOf(request.raw))
        next(() => admission.takeShared(request.localKey, request.raw, reply.raw, rules), done)
      },
    )
  })

  const paths = new KnownPaths()
  server.addHook('onRoute', (route) => paths.add(route.method, route.path))
  for (const register of routes) register(server, context)
  server.setNotFoundHandler((request) => {
    throw paths.unknown(headOf(request.raw))
  })
  server.setErrorHandler((thrown, request, reply) => {
    const failure = fromFastify(thrown) ?? asSottoError(thrown)
    // Fastify would close the connection while the rest of the body is still arriving.
    if (leavesBodyUnread(failure)) {
      reply.hijack()
      refuse(failure, reply.raw, request.receivedAt, shapeOf(request))
      return reply
    }
    state.noteRefusal(failure, request.raw)
    return reply
      .code(failure.status)
      .headers(errorHeaders(failure))
      .send(errorBody(failure, shapeOf(request)))
  })
  return { server, answer }
}

/** Without a backend, because the vault is locked, this process shares nothing. */
function sharedLimitsOf(backend: ProxyOptions['backend']): SharedLimits | undefined {
  try {
    return backend().shared?.limits
  } catch {
    return undefined
  }
}

/** Returns the shape of an error. An unknown path has no route, but Ollama's paths begin with `/api/`. */
function shapeOf({ routeOptions, raw }: FastifyRequest): ErrorShape {
  return (
    routeOptions.config.dialect ?? (headOf(raw).pathname.startsWith('/api/') ? 'ollama' : callerShape(raw))
  )
}

/** Converts fastify's refusals to Sotto's codes. */
function fromFastify(thrown: unknown): SottoError | undefined {
  const code = thrown instanceof Error && 'code' in thrown ? thrown.code : undefined
  if (code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE' || code === 'FST_ERR_CTP_EMPTY_TYPE')
    return new SottoError('proxy/content-type')
  return undefined
}
