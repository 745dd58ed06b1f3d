import {
  EventRepository,
  EventType,
  EventUtils,
  type Event,
  type EventRepositoryUpsertResult,
  type Filter,
} from '@nostr-relay/common'

/** What a relay keeps, in memory: of replaceable events the newest of each author (NIP-01), and of others a thousand. */
export class KeptEvents extends EventRepository {
  readonly #events = new Map<string, Event>()

  isSearchSupported(): boolean {
    return false
  }

  upsert(event: Event): EventRepositoryUpsertResult {
    const key =
      EventUtils.getType(event.kind) === EventType.REPLACEABLE
        ? `${String(event.kind)}:${event.pubkey}`
        : event.id
    const kept = this.#events.get(key)
    if (kept && (kept.id === event.id || kept.created_at > event.created_at)) return { isDuplicate: true }
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
