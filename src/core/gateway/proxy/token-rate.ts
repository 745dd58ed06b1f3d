import { SottoError } from '../../../shared/errors.ts'
import type { KeyLimits } from '../../../shared/key-limits.ts'
import type { Receipt } from '../../../shared/receipt.ts'

const MINUTE_SECONDS = 60

/** The tokens of replies that ended within one second. */
export interface Second {
  /** A second of the monotonic clock. */
  readonly second: number
  tokens: number
}

/**
 * Counts the tokens of each key's replies over the last minute, in steps of a second, so that a key has at most 61 counts. The
 * usage is known only after a reply: parallel requests can exceed the limit together.
 */
export class TokenRate {
  readonly #monotonic: () => number
  readonly #minutes = new Map<string, Second[]>()

  /** @param monotonic ms from an arbitrary start; independent of the wall clock */
  constructor(monotonic: () => number) {
    this.#monotonic = monotonic
  }

  /** Counts the tokens of a local key's reply, if they are known. */
  note({ caller, ...reply }: Pick<Receipt, 'caller' | 'usage'>): void {
    const tokens = tokensOf(reply)
    if (caller.localKeyId === undefined || tokens === 0) return
    const minute = this.#minuteOf(caller.localKeyId)
    const second = this.#second()
    const last = minute.at(-1)
    if (last?.second === second) last.tokens += tokens
    else minute.push({ second, tokens })
    this.#minutes.set(caller.localKeyId, minute)
  }

  /** @throws {SottoError} limit/tokens – the replies of the last minute used as many tokens as the limit, or more */
  require(keyId: string, { tokensPerMinute }: KeyLimits): void {
    if (tokensPerMinute === undefined) return
    requireTokensLeft(this.#minuteOf(keyId), tokensPerMinute, this.#second())
  }

  #second(): number {
    return Math.floor(this.#monotonic() / 1000)
  }

  /** Returns the counts within the last minute, the oldest first. */
  #minuteOf(keyId: string): Second[] {
    const now = this.#second()
    return (this.#minutes.get(keyId) ?? []).filter(({ second }) => second >= now - MINUTE_SECONDS)
  }
}

/**
 * Requires that the replies of the last minute used fewer tokens than the limit.
 * @param minute the counts of the last minute, the oldest first
 * @param now the current second, of the clock of the counts
 * @throws {SottoError} limit/tokens – with the time to wait
 */
export function requireTokensLeft(minute: readonly Second[], tokensPerMinute: number, now: number): void {
  let sum = minute.reduce((all, { tokens }) => all + tokens, 0)
  let counted: Second | undefined
  for (const each of minute) {
    if (sum < tokensPerMinute) break
    sum -= each.tokens
    counted = each
  }
  // The limit is at least 1, so the loop ends with the second whose tokens keep the sum at the limit.
  if (counted)
    throw new SottoError('limit/tokens', {
      retryAfterSeconds: counted.second + MINUTE_SECONDS + 1 - now,
    })
}

/** @returns the tokens of a reply; 0 if they are unknown */
export function tokensOf({ usage }: Pick<Receipt, 'usage'>): number {
  return usage ? Math.max(usage.total ?? 0, usage.prompt + usage.completion) : 0
}
