import { randomBytes } from 'node:crypto'
import { z } from 'zod'
import type { Dial } from '../../../shared/fetch.ts'
import type { NwcConnection } from './connection.ts'
import { kinds, signEvent, type NostrEvent } from './event.ts'
import { conversationKey, decrypt, encrypt } from './nip44.ts'
import { RelayLines } from './relay-lines.ts'

export type Method = 'get_info' | 'get_balance' | 'get_budget' | 'pay_invoice' | 'lookup_invoice'

export interface Question {
  readonly method: Method
  readonly params: Readonly<Record<string, string>>
  /** Unix ms: the wallet must not act on it later (NIP-40). */
  readonly expiresAt: number
  /** Starts when it was sent. */
  readonly timeoutMs: number
  readonly signal: AbortSignal
  /** It's sent to only one relay. */
  readonly toOne?: boolean
  /** Gets every answer after the first one, until `signal` aborts. A wallet may answer one request twice. */
  readonly onLater?: (answer: Answer) => void
}

/** `decrypted` is the decrypted answer, whatever its form. */
export type Answer =
  | { readonly kind: 'result'; readonly result: unknown; readonly decrypted: unknown }
  /** NIP-47, error codes. */
  | { readonly kind: 'error'; readonly code: string; readonly decrypted: unknown }
  /** It came from the wallet, and its form is unknown. */
  | { readonly kind: 'unreadable'; readonly decrypted?: unknown }
  /** It was sent, and no answer arrived. */
  | { readonly kind: 'silent' }
  /** It wasn't sent to any relay and won't be. */
  | { readonly kind: 'unsent' }

const responseSchema = z.object({
  result_type: z.string().max(100),
  error: z.object({ code: z.string().max(100) }).nullish(),
  result: z.record(z.string(), z.unknown()).nullish(),
})

/**
 * Sends requests to the wallet of one connection. No call throws, so that no outcome is lost in an exception.
 */
export class WalletQuestions {
  readonly #connection: NwcConnection
  readonly #dial: Dial
  readonly #now: () => number
  readonly #closing = new AbortController()

  constructor(connection: NwcConnection, dial: Dial, now: () => number) {
    this.#connection = connection
    this.#dial = dial
    this.#now = now
  }

  /** Cancels requests in progress. */
  close(): void {
    this.#closing.abort()
  }

  async ask(question: Question): Promise<Answer> {
    const signal = AbortSignal.any([question.signal, this.#closing.signal])
    if (signal.aborted) return { kind: 'unsent' }
    let request: NostrEvent
    try {
      request = this.#request(question)
    } catch {
      return { kind: 'unsent' }
    }
    const { publicKey, clientPublicKey, relays } = this.#connection
    return new Promise((resolve) => {
      let answered = false
      const close = () => {
        signal.removeEventListener('abort', abandon)
        lines.close()
      }
      const end = (answer?: Answer) => {
        if (answered) return
        answered = true
        clearTimeout(impatient)
        resolve(answer ?? { kind: lines.published ? 'silent' : 'unsent' })
        if (!question.onLater || !lines.published) close()
      }
      const abandon = () => {
        end()
        close()
      }
      let impatient: NodeJS.Timeout | undefined
      signal.addEventListener('abort', abandon)
      const lines: RelayLines = new RelayLines({
        relays,
        dial: this.#dial,
        publish: request,
        toOne: question.toOne === true,
        filter: {
          kinds: [kinds.response],
          authors: [publicKey],
          '#p': [clientPublicKey],
          '#e': [request.id],
        },
        onEvent: (event) => {
          const answer = this.#read(event, question.method)
          if (answered) question.onLater?.(answer)
          else end(answer)
        },
        onPublished: () => {
          impatient = setTimeout(end, question.timeoutMs)
        },
        onUnreached: abandon,
      })
    })
  }

  /**
   * Returns the wallet's newest info event from its relays; null if there is none, undefined if no relay is
   * reached.
   */
  info(timeoutMs: number, outer: AbortSignal): Promise<NostrEvent | null | undefined> {
    const signal = AbortSignal.any([outer, this.#closing.signal])
    const { publicKey, relays } = this.#connection
    return new Promise((resolve) => {
      let newest: NostrEvent | null = null
      const end = (found: NostrEvent | null | undefined) => {
        clearTimeout(impatient)
        signal.removeEventListener('abort', abandon)
        lines.close()
        resolve(found)
      }
      const abandon = () => end(newest ?? undefined)
      const impatient = setTimeout(abandon, timeoutMs)
      signal.addEventListener('abort', abandon)
      const lines: RelayLines = new RelayLines({
        relays,
        dial: this.#dial,
        filter: { kinds: [kinds.info], authors: [publicKey] },
        onEvent: (event) => {
          if (newest === null || event.created_at > newest.created_at) newest = event
        },
        onQuiet: () => end(newest),
        onUnreached: abandon,
      })
      if (signal.aborted) abandon()
    })
  }

  #request({ method, params, expiresAt }: Question): NostrEvent {
    const { publicKey, clientPublicKey } = this.#connection
    return this.#withKeys((secret, key) =>
      signEvent(
        {
          pubkey: clientPublicKey,
          kind: kinds.request,
          created_at: Math.floor(this.#now() / 1000),
          tags: [
            ['p', publicKey],
            ['encryption', 'nip44_v2'],
            ['expiration', String(Math.floor(expiresAt / 1000))],
          ],
          content: encrypt(JSON.stringify({ method, params }), key, randomBytes(32)),
        },
        secret,
      ),
    )
  }

  #read(event: NostrEvent, method: Method): Answer {
    let decrypted: unknown
    try {
      decrypted = JSON.parse(this.#withKeys((_, key) => decrypt(event.content, key)))
    } catch {
      return { kind: 'unreadable' }
    }
    const response = responseSchema.safeParse(decrypted).data
    if (response?.result_type !== method) return { kind: 'unreadable', decrypted }
    if (response.error)
      return response.result
        ? { kind: 'unreadable', decrypted }
        : { kind: 'error', code: response.error.code, decrypted }
    return response.result
      ? { kind: 'result', result: response.result, decrypted }
      : { kind: 'unreadable', decrypted }
  }

  /**
   * Calls `use` with the connection's secret and the key that it shares with the wallet, and zeroes both
   * afterwards.
   */
  #withKeys<T>(use: (secret: Uint8Array, key: Uint8Array) => T): T {
    return this.#connection.withSecret((secret) => {
      const key = conversationKey(secret, this.#connection.publicKey)
      try {
        return use(secret, key)
      } finally {
        key.fill(0)
      }
    })
  }
}
