import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { BodyBudget, CountedBody } from '../../../shared/body-budget.ts'
import { SottoError } from '../../../shared/errors.ts'
import type { KeyLimits, ServerTools } from '../../../shared/key-limits.ts'
import type { Caller } from '../../../shared/receipt.ts'
import type { Spool } from '../../storage/spool.ts'
import type { ChatRequest, Relay, RelayAnswer } from '../relay/index.ts'
import type { TokenCounter } from '../tokens/token-thread.ts'
import type { AccountReads } from './account-route.ts'
import type { RouteRules, SharedLimits } from './admission.ts'
import type { ErrorShape } from './errors.ts'
import type { FindLocalKey, LocalKeyRecord } from './guards.ts'
import type { ResponseCache } from './response-cache.ts'
import type { KeyBudgetLeft } from './metrics/budgets-left.ts'
import type { RequestTally } from './metrics/request-tally.ts'
import type { TokenRate } from './token-rate.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The local key of the request; null only if no key is required. */
    localKey: LocalKeyRecord | null
    /** When its head was read, by performance.now(). */
    receivedAt: number
  }
  interface FastifyContextConfig extends RouteRules {
    /** The shape in which callers of this route read errors; if it's absent, by their headers. */
    readonly dialect?: ErrorShape
  }
}

/**
 * Fetches an address that the service returned for its own content, such as a signed media URL. It sends no
 * credentials.
 * @throws {SottoError} service/foreign-address – any other origin
 * @throws {SottoError} service/…
 */
export type FetchOwn = (
  address: string,
  signal: AbortSignal,
) => Promise<{
  readonly status: number
  readonly contentType: string
  readonly body: AsyncIterable<Uint8Array>
}>

/** The parts that the proxy uses while the vault is unlocked. */
export interface ProxyBackend {
  readonly relay: Relay
  /** Answers a request of a key with server tools. Absent without a window that could ask for consent. */
  readonly chatWithTools?: (
    request: ChatRequest,
    keyId: string,
    tools: ServerTools,
    keepBody: KeepBody,
  ) => Promise<RelayAnswer>
  readonly findKey: FindLocalKey
  /** Whether an active key allows pages of this origin, which is canonical. */
  readonly keyAllows: (origin: string) => boolean
  /** @throws {SottoError} budget/exceeded – this key's budget is spent */
  readonly requireMoneyLeft: (keyId: string) => void
  /** The tokens of each key's replies in the last minute. */
  readonly tokens: TokenRate
  readonly tokenCounter: Pick<TokenCounter, 'count'>
  /** Unix ms, of the clock for limits: an expired key stays expired when the wall clock is set back. */
  readonly limitTime: () => number
  /** The remaining budgets of the keys that are neither revoked nor expired. */
  readonly budgetsLeft: () => readonly KeyBudgetLeft[]
  /** The keys that are neither revoked nor expired. */
  readonly liveKeys: () => readonly { readonly id: string; readonly name: string }[]
  /** The balance of the active account as it was last read, in pico-USD, and the time in Unix ms. */
  readonly lastBalance: () => { readonly picoUsd: bigint; readonly at: number } | null
  readonly account: AccountReads
  readonly fetchOwn: FetchOwn
  /** The cached responses of the Responses API. */
  readonly responses: ResponseCache
  /** Stores files until their form is complete. */
  readonly spool: Spool
  /** Only if this process is one of several replicas. */
  readonly shared?: SharedState
}

/** The parts of the proxy that replicas share. */
export interface SharedState {
  readonly limits: SharedLimits
  /** Whether the shared database confirmed the local keys within the last second. */
  readonly isReady: () => boolean
  /** The values for `GET /metrics`. */
  readonly gauges: () => readonly SharedGauge[]
}

/** One number of the shared database, as this replica knows it. */
export interface SharedGauge {
  readonly name: string
  readonly help: string
  readonly value: number
}

/** The parts that every route gets. */
export interface RouteContext {
  /** @throws {SottoError} vault/locked – there is no backend */
  readonly backend: () => ProxyBackend
  /** Counts every body that a route reads. */
  readonly bodies: BodyBudget
  readonly service: 'sandbox' | 'service'
  readonly version: string
  /** Counts the requests of all callers, from their receipts. */
  readonly tally: RequestTally
  /** Unix ms. */
  readonly now: () => number
  /** Headers of every answer. A route that writes without fastify (a stream) adds them itself. */
  readonly mark: Readonly<Record<string, string>>
}

/** Counts a request's body until the returned function is called. Otherwise it counts until the answer begins. */
type KeepBody = () => () => void

/** Adds one file's routes to the server. */
export type RegisterRoutes = (server: FastifyInstance, context: RouteContext) => void

/** Tools use the address with `/v1` or without it. */
export const PREFIXES = ['/v1', ''] as const

/** Returns the caller for the receipt and the budget. */
export function callerOf({ localKey }: Pick<FastifyRequest, 'localKey'>): Caller {
  return { kind: 'proxy', ...(localKey && { localKeyId: localKey.id }) }
}

/**
 * Sends a chat completion. If its key has server tools, Sotto runs the calls of them.
 * @param counted what the body counts in the budget of all bodies
 * @throws {SottoError} tools/no-window – the key has server tools, and there's no window; and the errors of Relay.chat
 * and of chatWithTools
 */
export function sendKeyChat(
  { relay, chatWithTools }: Pick<ProxyBackend, 'chatWithTools'> & { readonly relay: Pick<Relay, 'chat'> },
  { localKey }: Pick<FastifyRequest, 'localKey'>,
  request: ChatRequest,
  counted: readonly CountedBody[],
): Promise<RelayAnswer> {
  const tools = localKey?.limits.serverTools
  if (!localKey || !tools) return relay.chat(request)
  if (!chatWithTools) throw new SottoError('tools/no-window')
  return chatWithTools(request, localKey.id, tools, () => {
    const moved = counted.map((each) => each.move())
    return () => {
      for (const each of moved) each[Symbol.dispose]()
    }
  })
}

/** Returns the limits of the request's key. A request without a key has none. */
export function limitsOf({ localKey }: Pick<FastifyRequest, 'localKey'>): KeyLimits {
  return localKey?.limits ?? {}
}
