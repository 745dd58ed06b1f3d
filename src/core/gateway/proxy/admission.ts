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
  /** Whether what needs no key is answered without one at this address. */
  readonly keyless: boolean
  readonly underWay: RequestsUnderWay
  readonly rate: RequestRate
  /** Throws vault/locked while there is nothing behind it. */
  readonly findKey: () => FindLocalKey
  /** Whether an active key allows this origin. Throws vault/locked. */
  readonly keyAllows: (origin: string) => boolean
  /** Throws budget/exceeded if nothing is left of this key's budget. */
  readonly requireMoneyLeft: (keyId: string) => void
  readonly tokens: () => TokenRate
  /** Unix ms, of the clock that limits count by. */
  readonly limitTime: () => number
}

/** What differs from one route to the next. */
export interface RouteRules {
  /** JSON if it's absent. A form arrives as a stream, unread. */
  readonly accepts?: AcceptedBody
  /** A GET that costs money, and counts as a POST does. */
  readonly paid?: true
  /** A POST that costs nothing, and counts as a GET does. */
  readonly free?: true
  /** Answered to anyone on this machine. */
  readonly keyless?: true
}

/**
 * A key without money left may still use what is free, and only the body names the model. A larger body is not worth reading to
 * find that out.
 */
const SMALL_BODY_BYTES = 1024 * 1024

/** A compressed body may be a hundred times as large as its length. */
function isSmall({
  'content-length': length,
  'transfer-encoding': coding,
  'content-encoding': compressed = '',
}: IncomingHttpHeaders): boolean {
  if (!['', 'identity'].includes(compressed.trim().toLowerCase())) return false
  return length === undefined ? coding === undefined : Number(length) <= SMALL_BODY_BYTES
}

/** Who may ask at one address, judged by the head of a request: nothing of its body has been read. Every request passes it first. */
export class Admission {
  readonly #options: AdmissionOptions

  constructor(options: AdmissionOptions) {
    this.#options = options
  }

  /**
   * The page that asks, which may read the answer; undefined if a program asks. A preflight carries no key, so it's enough here if any key
   * allows the page's origin.
   *
   * @throws {SottoError} proxy/host-forbidden, proxy/origin-forbidden, vault/locked
   */
  page(request: IncomingMessage, response: ServerResponse): AskingPage | undefined {
    const { guard, keyAllows } = this.#options
    const page = guard.check(request.headers, keyAllows)
    if (page) letPageRead(page.origin, response)
    return page
  }

  /** Whose request it is; null only where no key is needed. Throws vault/locked, auth/…, limit/…, proxy/content-type, proxy/content-encoding, proxy/charset, proxy/origin-forbidden, budget/exceeded. */
  key(
    { headers, method }: IncomingMessage,
    response: ServerResponse,
    page: AskingPage | undefined,
    rules: RouteRules = {},
  ): LocalKeyRecord | null {
    const { keyless, underWay, rate, findKey, requireMoneyLeft, tokens, limitTime } = this.#options
    let key: LocalKeyRecord | null = null
    // What may cost money is counted.
    const counts = rules.paid === true || (method === 'POST' && rules.free !== true)
    if (rules.keyless !== true || !keyless || page?.everyKey === false) {
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
    if (key && counts) {
      tokens().require(key.id, key.limits)
      rate.take(key.id, key.limits)
    }
    if (key && method === 'POST' && !isSmall(headers)) requireMoneyLeft(key.id)
    return key
  }
}
