import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { BodyBudget } from '../../../shared/body-budget.ts'
import type { KeyLimits } from '../../../shared/key-limits.ts'
import type { Caller } from '../../../shared/receipt.ts'
import type { Relay } from '../relay/index.ts'
import type { TokenCounter } from '../tokens/token-thread.ts'
import type { AccountReads } from './account-route.ts'
import type { RouteRules } from './admission.ts'
import type { ErrorShape } from './errors.ts'
import type { FormSpool } from './form.ts'
import type { FindLocalKey, LocalKeyRecord } from './guards.ts'
import type { ResponseCache } from './response-cache.ts'
import type { KeyBudgetLeft } from './metrics/budgets-left.ts'
import type { RequestTally } from './metrics/request-tally.ts'
import type { TokenRate } from './token-rate.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Whose request it is; null only where no key is needed. */
    localKey: LocalKeyRecord | null
    /** Of performance.now(): when its head had been read. */
    receivedAt: number
  }
  interface FastifyContextConfig extends RouteRules {
    /** The shape in which callers of this route read errors; by their headers if it is absent. */
    readonly dialect?: ErrorShape
  }
}

/**
 * Fetches an address that the service gave for something of its own, such as a signed media URL. It sends no credentials.
 *
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

/** What the proxy uses while the vault is open. */
export interface ProxyBackend {
  readonly relay: Relay
  readonly findKey: FindLocalKey
  /** Whether an active key allows pages of this origin, which is canonical. */
  readonly keyAllows: (origin: string) => boolean
  /** Throws budget/exceeded if nothing is left of this key's budget. */
  readonly requireMoneyLeft: (keyId: string) => void
  /** What the replies of each key used in the last minute. */
  readonly tokens: TokenRate
  readonly tokenCounter: Pick<TokenCounter, 'count'>
  /** Unix ms, of the clock that limits count by: an expired key stays expired when the wall clock is set back. */
  readonly limitTime: () => number
  /** The remaining budgets of the keys that are neither revoked nor expired. */
  readonly budgetsLeft: () => readonly KeyBudgetLeft[]
  readonly account: AccountReads
  readonly fetchOwn: FetchOwn
  /** Of the Responses API. */
  readonly responses: ResponseCache
  /** Where files wait until their form is whole. */
  readonly spool: FormSpool
}

/** What every route is given, once. */
export interface RouteContext {
  /** Throws vault/locked while there is nothing behind it. */
  readonly backend: () => ProxyBackend
  /** In which every body that a route reads is counted. */
  readonly bodies: BodyBudget
  readonly service: 'sandbox' | 'service'
  readonly version: string
  /** Fed from the receipts of every caller. */
  readonly tally: RequestTally
  /** Unix ms. */
  readonly now: () => number
  /** On every answer; one that is written past fastify (a stream) writes them itself. */
  readonly mark: Readonly<Record<string, string>>
}

/** Adds one file's routes to the server. */
export type RegisterRoutes = (server: FastifyInstance, context: RouteContext) => void

/** Tools are given the address with `/v1` or without it. */
export const PREFIXES = ['/v1', ''] as const

/** Whose request it is, as its receipt and its budget have it. */
export function callerOf({ localKey }: Pick<FastifyRequest, 'localKey'>): Caller {
  return { kind: 'proxy', ...(localKey && { localKeyId: localKey.id }) }
}

/** No key is needed on some paths, and limits nothing there. */
export function limitsOf({ localKey }: Pick<FastifyRequest, 'localKey'>): KeyLimits {
  return localKey?.limits ?? {}
}
