import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { watch, type WatchState } from '../../../src/renderer/data/watch.ts'

/** Every stream that was opened. `push` null ends it. */
let streams: { readonly push: (event: string | null) => void; readonly fail: () => void }[]
let states: (string | boolean | undefined)[]
let events: (readonly [string, boolean])[]
let left: AbortController

function open(): Promise<ReadableStream<string>> {
  return Promise.resolve(
    new ReadableStream<string>({
      start(controller) {
        streams.push({
          push: (event) => (event === null ? controller.close() : controller.enqueue(event)),
          fail: () => controller.error(new TypeError('gone')),
        })
      },
    }),
  )
}

/** Waits until sent values arrive. */
const arrive = () => vi.advanceTimersByTimeAsync(0)

beforeEach(async () => {
  vi.useFakeTimers()
  streams = []
  states = []
  events = []
  left = new AbortController()
  const onState = ({ following, failure }: WatchState) => states.push(failure?.code ?? following)
  void watch({ open, onEvent: (event, first) => events.push([event, first]), onState }, left.signal)
  await arrive()
})
afterEach(() => {
  left.abort()
  vi.useRealTimers()
})

test('a stream that ends or breaks is opened again after the same time, and its first event is marked', async () => {
  streams[0]?.push('a')
  streams[0]?.push('b')
  streams[0]?.push(null)
  await arrive()
  expect(states).toEqual([true, false])
  await vi.advanceTimersByTimeAsync(1499)
  expect(streams).toHaveLength(1)
  await vi.advanceTimersByTimeAsync(1)
  streams[1]?.fail()
  await arrive()
  expect(states).toEqual([true, false, 'window/unreachable'])
  await vi.advanceTimersByTimeAsync(1500)
  streams[2]?.push('c')
  await arrive()
  expect(states).toEqual([true, false, 'window/unreachable', true])
  expect(events).toEqual([
    ['a', true],
    ['b', false],
    ['c', true],
  ])
})

test('nothing is reported or opened after the abort', async () => {
  streams[0]?.push('a')
  await arrive()
  left.abort()
  expect(states).toEqual([true, false])
  streams[0]?.push('late')
  await vi.advanceTimersByTimeAsync(10_000)
  expect(events).toEqual([['a', true]])
  expect(streams).toHaveLength(1)
  expect(states).toEqual([true, false])
})
