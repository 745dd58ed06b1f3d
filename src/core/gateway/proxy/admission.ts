import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import { SottoError } from '../../../shared/errors.ts'
import { forbiddenOrigin, type AskingPage, type CallerGuard } from './caller-guard.ts'
import {
  allowsOrigin,
  requireContentType,
  requireLocalKey,
  requireReadableBody,
  type AcceptedBody,
  type FindLocalKey,
  type LocalKeyRecord,
} from './guards.ts'
import type { RequestRate } from './key-limits.ts'
import { letPageRead } from './listed-page.ts'
import type { RequestsUnderWay } from './requests-under-way.ts'
import type { TokenRate } from './token-rate.ts'

export interface AdmissionOptions {
  readonly guard: CallerGuard
  /** Whether this address answers keyless routes without a key. */
  readonly keyless: boolean
  readonly underWay: RequestsUnderWay
  readonly rate: RequestRate
  /** @throws {SottoError} vault/locked – there is no store */
  readonly findKey: () => FindLocalKey
  /** Whether an active key allows this origin. @throws {SottoError} vault/locked */
  readonly keyAllows: (origin: string) => boolean
  /** @throws {SottoError} budget/exceeded – this key's budget is spent */
  readonly requireMoneyLeft: (keyId: string) => void
  readonly tokens: () => TokenRate
  /** The limits that replicas share; undefined if this process has the only ones. */
  readonly shared: () => SharedLimits | undefined
  /** Unix ms, of the clock for limits. */
  readonly limitTime: () => number
}

/** Limits that several replicas count together. */
export interface SharedLimits {
  /**
   * Waits until the database has confirmed the local keys, or doesn't answer. Call it before a key is looked up.
   * @returns undefined if they are current
   */
  confirmKeys(): Promise<void> | undefined
  /**
   * Counts one request against the key's requests and tokens per minute, and its parallel requests.
   * @returns undefined if the key has no such limit. Otherwise a function to call when the request has ended, if the key
   * limits parallel requests
   * @throws {SottoError} limit/requests, limit/tokens, limit/concurrency, database/…
   */
  take(key: LocalKeyRecord): Promise<(() => void) | undefined> | undefined
}

/** The rules that differ between routes. */
export interface RouteRules {
  /** JSON if it's absent. A form arrives as a stream, unread. */
  readonly accepts?: AcceptedBody
  /** A GET that costs money, and counts as a POST. */
  readonly paid?: true
  /** A POST that costs nothing, and counts as a GET. */
  readonly free?: true
  /** Answered to every caller on this computer. */
  readonly keyless?: true
  /** Answered to every caller at every address. Its answer must contain no fact. */
  readonly public?: true
}

/** Whether a request counts against limits: those that may cost money do. */
function countsFor(method: string | undefined, { paid, free }: RouteRules): boolean {
  return paid === true || (method === 'POST' && free !== true)
}

/**
 * A key whose budget is spent may still use free models, and only the body names the model. Sotto doesn't
 * read a larger body to find that out.
 */
const SMALL_BODY_BYTES = 1024 * 1024

/** A compressed body may decode to a hundred times its length. */
function isSmall({
  'content-length': length,
  'transfer-encoding': coding,
  'content-encoding': compressed = '',
}: IncomingHttpHeaders): boolean {
  if (!['', 'identity'].includes(compressed.trim().toLowerCase())) return false
  return length === undefined ? coding === undefined : Number(length) <= SMALL_BODY_BYTES
}

/**
 * Admits or refuses a request at one address by its head, before any of its body is read. Every request
 * passes it first.
 */
export class Admission {
  readonly #options: AdmissionOptions

  constructor(options: AdmissionOptions) {
    this.#options = options
  }

  /**
   * Returns the page that sends the request and may read the answer; undefined if a program sends it. A
   * preflight carries no key, so it's enough here if any key allows the page's origin.
   * @throws {SottoError} proxy/host-forbidden, proxy/origin-forbidden, vault/locked
   */
  page(request: IncomingMessage, response: ServerResponse): AskingPage | undefined {
    const { guard, keyAllows } = this.#options
    const page = guard.check(request.headers, keyAllows)
    if (page) letPageRead(page.origin, response)
    return page
  }

  /**
   * Returns the local key of a request; null only if no key is required.
   * @throws {SottoError} vault/locked, auth/…, limit/…, proxy/content-type, proxy/content-encoding,
   * proxy/charset, proxy/origin-forbidden, budget/exceeded
   */
  key(
    { headers, method }: IncomingMessage,
    response: ServerResponse,
    page: AskingPage | undefined,
    rules: RouteRules = {},
  ): LocalKeyRecord | null {
    const { keyless, underWay, rate, findKey, requireMoneyLeft, tokens, limitTime } = this.#options
    let key: LocalKeyRecord | null = null
    const counts = countsFor(method, rules)
    const isOpen = rules.public === true || (rules.keyless === true && keyless)
    if (!isOpen || page?.everyKey === false) {
      key = requireLocalKey(headers, findKey(), limitTime())
      if (page && key.first === true) throw new SottoError('auth/key-not-for-pages')
      if (page && !page.everyKey && !allowsOrigin(key, page.origin)) throw forbiddenOrigin(page.origin)
      underWay.add(key.id, key.limits, response, counts)
    }
    const { accepts = 'json' } = rules
    if (method === 'POST' && accepts !== 'unread') {
      requireContentType(headers, accepts)
      requireReadableBody(headers)
    }
    if (key && counts && !this.#options.shared()) {
      tokens().require(key.id, key.limits)
      rate.take(key.id, key.limits)
    }
    if (key && method === 'POST' && !isSmall(headers)) requireMoneyLeft(key.id)
    return key
  }

  /** Waits until the local keys are current, if replicas share them; undefined if there is nothing to wait for. */
  confirmKeys(): Promise<void> | undefined {
    return this.#options.shared()?.confirmKeys()
  }

  /**
   * Counts an admitted request against the limits that replicas share.
   * @param key the result of `key`
   * @returns undefined if there is nothing to wait for, which is always so without replicas
   * @throws {SottoError} limit/requests, limit/tokens, limit/concurrency, database/…
   */
  takeShared(
    key: LocalKeyRecord | null,
    request: IncomingMessage,
    response: ServerResponse,
    rules: RouteRules = {},
  ): Promise<void> | undefined {
    if (!key || !countsFor(request.method, rules)) return undefined
    return this.#options
      .shared()
      ?.take(key)
      ?.then((end) => {
        if (!end) return
        const { socket } = request
        // With Node.js 22, a response that waits for another one on its connection never closes.
        const ended = (): void => {
          response.off('close', ended)
          socket.off('close', ended)
          end()
        }
        if (response.destroyed || socket.destroyed) return end()
        response.once('close', ended)
        socket.once('close', ended)
      })
  }
}
