import type { LocalApiEvent } from '../../src/shared/contract/local-api.ts'
import type { LocalKeyView, LocalRequest } from '../../src/shared/local-key.ts'
import type { Trial } from '../../src/shared/trial.ts'
import { receipt, usd } from './mock-data.ts'

/** Local keys of the mock core. A test changes them, and `tell` sends the change to the window. */
export interface MockLocalApi {
  keys: LocalKeyView[]
  /** Newest first. */
  requests: LocalRequest[]
  /** The result of a trial. */
  trial: Trial
  /** Requests per page. */
  page: number
  /** Delays calls. */
  before: () => Promise<void>
  tell(part: Partial<LocalApiEvent>): void
  /** Interrupts every stream. */
  cut(): void
}

export const MOCK_KEY = 'sotto-4f9d2c7a8b1e6035'
const DAY = 86_400_000

export function localKey(id: string, name: string, part: Partial<LocalKeyView> = {}): LocalKeyView {
  return {
    id,
    name,
    first: false,
    createdAt: Date.now() - 9 * DAY,
    state: 'live',
    limits: {},
    spent: '0',
    held: '0',
    requests: 0,
    ...part,
  }
}

/** Keys of every kind. */
export function someKeys(now: number): LocalKeyView[] {
  return [
    localKey('k1', 'First key', {
      first: true,
      spent: usd(0.4183),
      requests: 57,
      firstUsedAt: now - 8 * DAY,
      lastUsedAt: now - 3_700_000,
    }),
    localKey('k2', 'Claude Code', {
      limits: { budget: { picoUsd: usd(5), period: 'day' }, atLeast: 'sealed', requestsPerMinute: 240 },
      spent: usd(1.9274),
      held: usd(0.35),
      renewsAt: now + 11_400_000,
      requests: 1204,
      firstUsedAt: now - 5 * DAY,
      lastUsedAt: now - 21_000,
    }),
    localKey('k3', 'Notebook of the long name that somebody gave to it', {
      limits: {
        budget: { picoUsd: usd(2), period: 'week' },
        allowUnpriced: true,
        models: ['private/*', 'sandbox/echo'],
        expiresAt: now + 30 * DAY,
        grants: ['balance', 'metrics'],
      },
      spent: usd(2.0001),
      renewsAt: now + 2 * DAY,
      requests: 88,
      lastUsedAt: now - 2 * DAY,
    }),
    localKey('k6', 'Research', {
      limits: {
        budget: { picoUsd: usd(10), period: 'month', soft: true, alertPercent: 80 },
        tokensPerMinute: 200_000,
        parallelRequests: 4,
        aliases: [
          { pattern: 'claude-*haiku*', model: 'private/sandbox-large' },
          { pattern: 'gpt-4o', model: 'private/not-listed' },
        ],
        origins: ['app://obsidian.md'],
      },
      increase: { picoUsd: usd(5), until: now + 6 * DAY },
      spent: usd(12.4),
      renewsAt: now + 6 * DAY,
      requests: 310,
      lastUsedAt: now - 90_000,
    }),
    localKey('k4', 'Trip', {
      state: 'expired',
      limits: { expiresAt: now - DAY, budget: { picoUsd: usd(1), period: 'total' } },
      spent: usd(0.12),
      requests: 9,
      lastUsedAt: now - DAY,
    }),
    localKey('k5', 'Old laptop', {
      state: 'revoked',
      revokedAt: now - 3 * DAY,
      spent: usd(3.2),
      requests: 412,
    }),
  ]
}

export function request(id: string, at: number, part: Partial<LocalRequest> = {}): LocalRequest {
  const { model, path, privacy, outcome, usage, estimate, cost, durationMs } = receipt(id, at)
  return {
    id,
    at,
    keyId: 'k2',
    tool: 'Claude Code',
    model,
    path,
    privacy,
    outcome,
    usage: usage!,
    estimate: estimate!,
    cost: cost!,
    durationMs: durationMs!,
    addedMs: 0.8,
    ...part,
  }
}

/** A refused request, of which nothing was sent. */
export function refusedRequest(id: string, at: number, part: Partial<LocalRequest> = {}): LocalRequest {
  const { usage: _u, cost: _c, ...rest } = request(id, at)
  return { ...rest, privacy: 'refused', outcome: 'refused', code: 'attestation/failed', ...part }
}

export function someRequests(now: number, count: number): LocalRequest[] {
  return Array.from({ length: count }, (_, index) => {
    const [id, at] = [`q${String(index)}`, now - index * 41_000]
    if (index % 7 === 3) return refusedRequest(id, at)
    if (index % 5 === 2)
      return request(id, at, {
        keyId: 'k3',
        tool: 'Notebook of the long name that somebody gave to it',
        privacy: 'forwarded',
        model: 'sandbox/essayist-with-a-rather-long-identifier-2026-10-31',
        askedModel: 'claude-haiku-4-5-20251001[1m]',
        addedMs: 12.4,
      })
    if (index % 11 === 6) return request(id, at, { outcome: 'cancelled', code: 'request/canceled' })
    return request(id, at, index % 3 === 1 ? { askedModel: 'gpt-4o' } : {})
  })
}

export function goodTrial(now: number): Trial {
  const storedReceipt = receipt('trial-1', now, {
    caller: { kind: 'proxy', localKeyId: 'k9' },
    usage: { prompt: 18, completion: 9 },
    cost: usd(0.0000405),
    addedMs: 0.7,
  })
  return {
    status: 200,
    privacy: 'sealed',
    text: 'Hello, and good to meet you.',
    receipt: storedReceipt,
    durationMs: 431,
  }
}

/** Streams to the windows that follow changes. */
export class MockFollowers {
  readonly #followers = new Set<(event: LocalApiEvent | null) => void>()

  tell(event: LocalApiEvent): void {
    for (const take of this.#followers) take(event)
  }

  cut(): void {
    for (const take of this.#followers) take(null)
  }

  async *events(
    keys: () => LocalKeyView[],
    signal: AbortSignal | undefined,
  ): AsyncGenerator<LocalApiEvent, void> {
    const waiting: (LocalApiEvent | null)[] = []
    let wake: () => void = () => undefined
    const take = (event: LocalApiEvent | null): void => {
      waiting.push(event)
      wake()
    }
    this.#followers.add(take)
    signal?.addEventListener('abort', () => take(null))
    try {
      yield { keys: keys(), requests: [], more: false }
      for (;;) {
        const event = waiting.shift()
        if (event === null) return
        if (event) yield event
        else
          await new Promise<void>((resolve) => {
            wake = resolve
          })
      }
    } finally {
      this.#followers.delete(take)
    }
  }
}
