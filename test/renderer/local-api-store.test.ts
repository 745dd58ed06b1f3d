import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { LocalApiEvent } from '../../src/shared/contract/local-api.ts'
import type { LocalKeyView } from '../../src/shared/local-key.ts'

/** Every stream that was asked for; `send` null ends it. */
const streams: { send(event: LocalApiEvent | null): void }[] = []

vi.mock('../../src/renderer/ui/api.ts', () => ({
  inDesktop: true,
  api: {
    localApi: {
      watch: (_input: undefined, { signal }: { signal: AbortSignal }) =>
        new ReadableStream<LocalApiEvent>({
          start(controller) {
            signal.addEventListener('abort', () => controller.error(signal.reason))
            streams.push({ send: (event) => (event ? controller.enqueue(event) : controller.close()) })
          },
        }),
    },
  },
}))

const { currentScope } = await import('../../src/renderer/data/service-scope.tsx')
const { readScopedState, setScopedState } = await import('../../src/renderer/data/use-answer.ts')
const local = await import('../../src/renderer/features/developer/local-api-store.ts')

const follow = (signal: AbortSignal) => local.follow(currentScope(), signal)
const isFollowing = () => readScopedState(currentScope(), local.localWatch).following

const key = (id: string): LocalKeyView => ({
  id,
  name: id,
  first: false,
  createdAt: 0,
  state: 'live',
  limits: {},
  spent: '0',
  held: '0',
  requests: 0,
})
const event = (...ids: string[]): LocalApiEvent => ({ keys: ids.map(key), requests: [], more: false })
const known = () => readScopedState(currentScope(), local.localKeys)?.map(({ id }) => id)

beforeEach(() => {
  vi.useFakeTimers()
  streams.length = 0
  setScopedState(currentScope(), local.localKeys, () => null)
})
afterEach(() => vi.useRealTimers())

/** Waits until sent values arrive. */
const arrive = () => vi.advanceTimersByTimeAsync(0)

test('the first event of each stream contains all keys, and later ones contain the changes', async () => {
  const left = new AbortController()
  const following = follow(left.signal)
  await arrive()
  streams[0]?.send(event('a', 'b'))
  streams[0]?.send(event('b', 'c'))
  await arrive()
  expect(known()).toEqual(['a', 'b', 'c'])
  streams[0]?.send(null)
  await arrive()
  expect(isFollowing()).toBe(false)
  await vi.runAllTimersAsync()
  streams[1]?.send(event('c'))
  await arrive()
  expect([known(), isFollowing()]).toEqual([['c'], true])
  left.abort()
  await following
  expect([known(), isFollowing()]).toEqual([['c'], false])
})

test('a follower that stops before a retry of the stream and follows again keeps all keys', async () => {
  const [left, leftAgain] = [new AbortController(), new AbortController()]
  const former = follow(left.signal)
  await arrive()
  streams[0]?.send(null)
  await arrive()
  left.abort()
  const latter = follow(leftAgain.signal)
  await arrive()
  streams[1]?.send(event('a', 'b'))
  await arrive()
  // The wait of the first follower is over.
  await vi.runAllTimersAsync()
  await former
  expect(isFollowing()).toBe(true)
  streams[1]?.send(event('b'))
  await arrive()
  expect(known()).toEqual(['a', 'b'])
  leftAgain.abort()
  await latter
})
