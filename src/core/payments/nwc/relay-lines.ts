import { WebSocket } from 'ws'
import { z } from 'zod'
import type { Dial, Socket } from '../../../shared/fetch.ts'
import { isAuthentic, nostrEventSchema, type NostrEvent } from './event.ts'

const largestMessage = 256 * 1024
const connectMs = 8000
/** After this time, a relay that doesn't report the end of its stored events is assumed to listen. */
const readyMs = 1500
const reconnectMs = [500, 1000, 2000, 4000, 8000] as const

/** Connects to the relay without a proxy. */
export const dialDirectly: Dial = (relay) =>
  new WebSocket(relay, {
    maxPayload: largestMessage,
    handshakeTimeout: connectMs,
    followRedirects: false,
    perMessageDeflate: false,
  })

const eventMessageSchema = z.tuple([z.literal('EVENT'), z.string(), nostrEventSchema])
const otherMessageSchema = z.tuple([z.enum(['EOSE', 'CLOSED'])]).rest(z.unknown())

export interface LineOptions {
  readonly relays: readonly string[]
  readonly dial: Dial
  /** NIP-01. */
  readonly filter: {
    readonly kinds: readonly number[]
    readonly authors: readonly [string]
    readonly [tag: `#${string}`]: readonly string[]
  }
  readonly publish?: NostrEvent
  /**
   * Only one relay gets the published event. If a wallet received a request to pay from two relays, it could
   * refuse the second while it executes the first.
   */
  readonly toOne?: boolean
  /** Its author is the filter's, and signed it. */
  readonly onEvent: (event: NostrEvent) => void
  /** It was sent to the first relay. */
  readonly onPublished?: () => void
  /** Each relay has sent all its stored events, or can't be reached. */
  readonly onQuiet?: () => void
  /** No relay was reached, and nothing was published or will be. */
  readonly onUnreached: () => void
}

/**
 * Connections to the relays for one request. Each subscribes before anything is published, and reconnects if
 * it drops.
 */
export class RelayLines {
  readonly #options: LineOptions
  readonly #sockets = new Set<Socket>()
  readonly #timers = new Set<NodeJS.Timeout>()
  readonly #busy: Set<string>
  #published = false
  #reached = false
  #closed = false
  /** From then on nothing more is published. */
  #late = false

  constructor(options: LineOptions) {
    this.#options = options
    this.#busy = new Set(options.relays)
    this.#after(connectMs, () => {
      this.#late = true
      if (options.publish ? !this.#published : !this.#reached) this.#unreached()
    })
    // Deferred, so that the creator has this object before the first callback.
    queueMicrotask(() => options.relays.forEach((relay) => this.#dial(relay, 0)))
  }

  /** Whether a relay may have received it: true as soon as it was written to a socket. */
  get published(): boolean {
    return this.#published
  }

  close(): void {
    this.#closed = true
    for (const timer of this.#timers) clearTimeout(timer)
    this.#timers.clear()
    for (const socket of this.#sockets) socket.close()
    this.#sockets.clear()
  }

  #dial(relay: string, attempt: number): void {
    if (this.#closed) return
    let socket: Socket
    try {
      socket = this.#options.dial(relay)
    } catch {
      this.#dropped(relay, attempt, false)
      return
    }
    this.#sockets.add(socket)
    let [opened, ready, over] = [false, false, false]
    const listening = () => {
      if (ready || over || this.#closed) return
      ready = true
      this.#publish(socket)
    }
    const end = () => {
      if (over) return
      over = true
      this.#sockets.delete(socket)
      socket.close()
      this.#dropped(relay, ready ? 0 : attempt, opened)
    }
    socket.addEventListener('error', end)
    socket.addEventListener('close', end)
    socket.addEventListener('open', () => {
      if (this.#closed) return
      opened = true
      this.#reached = true
      socket.send(JSON.stringify(['REQ', 'answers', this.#options.filter]))
      this.#after(readyMs, listening)
    })
    socket.addEventListener('message', ({ data }) => {
      if (this.#closed || over) return
      const message = tryParseJson(data)
      const event = eventMessageSchema.safeParse(message)
      if (event.success) {
        this.#hear(event.data[2])
        return
      }
      switch (otherMessageSchema.safeParse(message).data?.[0]) {
        case 'EOSE':
          listening()
          this.#quiet(relay)
          break
        case 'CLOSED':
          end()
          break
        case undefined:
      }
    })
  }

  #publish(socket: Socket): void {
    const { publish, toOne = false, onPublished } = this.#options
    if (!publish || this.#late || (toOne && this.#published)) return
    const first = !this.#published
    this.#published = true
    socket.send(JSON.stringify(['EVENT', publish]))
    if (first) onPublished?.()
  }

  #hear(event: NostrEvent): void {
    const { filter, onEvent } = this.#options
    const matches = filter.kinds.includes(event.kind) && filter.authors.includes(event.pubkey)
    // A relay may send events that don't match the filter, so it's applied here.
    const tagged = Object.entries(filter).every(
      ([name, wanted]) =>
        !name.startsWith('#') ||
        event.tags.some(
          ([tag, value]) =>
            `#${tag ?? ''}` === name && value !== undefined && wanted.some((one) => one === value),
        ),
    )
    if (matches && tagged && isAuthentic(event)) onEvent(event)
  }

  #quiet(relay: string): void {
    this.#busy.delete(relay)
    if (this.#busy.size > 0) return
    if (this.#reached) this.#options.onQuiet?.()
    else this.#unreached()
  }

  #dropped(relay: string, attempt: number, opened: boolean): void {
    if (this.#closed) return
    // A connection that never opened isn't retried, so that a request without any relay is known to be
    // unsent.
    if (opened || attempt > 0)
      this.#after(reconnectMs[Math.min(attempt, reconnectMs.length - 1)] ?? 0, () =>
        this.#dial(relay, attempt + 1),
      )
    this.#quiet(relay)
  }

  #unreached(): void {
    if (this.#closed) return
    this.close()
    this.#options.onUnreached()
  }

  #after(ms: number, then: () => void): void {
    const timer = setTimeout(() => {
      this.#timers.delete(timer)
      then()
    }, ms)
    this.#timers.add(timer)
  }
}

function tryParseJson(data: unknown): unknown {
  try {
    return typeof data === 'string' && data.length <= largestMessage ? JSON.parse(data) : undefined
  } catch {
    return undefined
  }
}
