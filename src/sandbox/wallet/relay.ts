import {
  EventType,
  EventUtils,
  LogLevel,
  MessageType,
  type Event,
  EventRepository,
  type EventRepositoryUpsertResult,
  type Filter,
} from '@nostr-relay/common'
import { NostrRelay } from '@nostr-relay/core'
import { Validator } from '@nostr-relay/validator'
import { WebSocketServer, type RawData, type WebSocket } from 'ws'

/**
 * Events in the relay's memory: the newest of each author for replaceable events (NIP-01), and a thousand
 * others.
 */
class StoredEvents extends EventRepository {
  readonly #events = new Map<string, Event>()

  isSearchSupported(): boolean {
    return false
  }

  upsert(event: Event): EventRepositoryUpsertResult {
    const key =
      EventUtils.getType(event.kind) === EventType.REPLACEABLE
        ? `${String(event.kind)}:${event.pubkey}`
        : event.id
    const stored = this.#events.get(key)
    if (stored && (stored.id === event.id || stored.created_at > event.created_at))
      return { isDuplicate: true }
    this.#events.set(key, event)
    const [oldest] = this.#events.keys()
    if (this.#events.size > 1000 && oldest !== undefined) this.#events.delete(oldest)
    return { isDuplicate: false }
  }

  find(filter: Filter): Event[] {
    const found = [...this.#events.values()].filter((event) => EventUtils.isMatchingFilter(event, filter))
    return found.sort((a, b) => b.created_at - a.created_at).slice(0, filter.limit ?? 1000)
  }

  destroy(): Promise<void> {
    this.#events.clear()
    return Promise.resolve()
  }
}

const quiet = {
  setLogLevel: () => undefined,
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
}

/** A Nostr relay (NIP-01) on 127.0.0.1. Its port is found when it first opens, and stays. */
export class LocalRelay {
  readonly #now: () => number
  readonly #relay = new NostrRelay(new StoredEvents(), {
    logger: quiet,
    logLevel: LogLevel.ERROR,
    filterResultCacheTtl: 0,
  })
  readonly #validator = new Validator()
  #server: WebSocketServer | undefined
  #port = 0

  /** @param now Unix ms */
  constructor(now: () => number) {
    this.#now = now
  }

  get url(): string {
    return `ws://127.0.0.1:${String(this.#port)}`
  }

  async open(): Promise<void> {
    if (this.#server) return
    // A browser names the page that asks, and no page has business here.
    const server = new WebSocketServer({
      host: '127.0.0.1',
      port: this.#port,
      maxPayload: 256 * 1024,
      verifyClient: ({ origin }: { origin?: string }) => !origin,
    })
    this.#server = server
    await new Promise<void>((resolve, reject) => {
      server.once('listening', resolve)
      server.once('error', reject)
    })
    const address = server.address()
    if (address !== null && typeof address !== 'string') this.#port = address.port
    server.on('connection', (socket) => {
      this.#relay.handleConnection(socket)
      socket.on('message', (data) => void this.#take(socket, data))
      socket.on('error', () => socket.terminate())
      socket.on('close', () => this.#relay.handleDisconnect(socket))
    })
  }

  /** Cuts every connection and accepts none until it's opened again. */
  async shut(): Promise<void> {
    const server = this.#server
    this.#server = undefined
    if (!server) return
    for (const socket of server.clients) socket.terminate()
    await new Promise<void>((resolve) => server.close(() => resolve()))
  }

  async close(): Promise<void> {
    await this.shut()
    await this.#relay.destroy()
  }

  async #take(socket: WebSocket, data: RawData): Promise<void> {
    try {
      const message = await this.#validator.validateIncomingMessage(
        Buffer.isBuffer(data) ? data : Buffer.alloc(0),
      )
      if (message[0] === MessageType.EVENT && EventUtils.getType(message[1].kind) === EventType.EPHEMERAL)
        await this.#pass(socket, message[1])
      else await this.#relay.handleMessage(socket, message)
    } catch {
      if (socket.readyState === socket.OPEN)
        socket.send(JSON.stringify(['NOTICE', 'invalid: not a client message']))
    }
  }

  /**
   * Passes ephemeral events on without storing them. The sandbox's clock determines whether an event has
   * expired (NIP-40), not the computer's.
   */
  async #pass(socket: WebSocket, event: Event): Promise<void> {
    const expiresAt = EventUtils.extractExpirationTimestamp(event)
    const expired = expiresAt !== null && expiresAt * 1000 < this.#now()
    const authentic = EventUtils.isIdValid(event) && EventUtils.isSigValid(event)
    const refusal = expired
      ? 'invalid: the event has expired'
      : authentic
        ? ''
        : 'invalid: not signed by its author'
    if (refusal === '') await this.#relay.broadcast(event)
    socket.send(JSON.stringify(['OK', event.id, refusal === '', refusal]))
  }
}
