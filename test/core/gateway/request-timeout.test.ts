import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { RequestTimeout } from '../../../src/core/gateway/request-timeout.ts'
import { SottoError } from '../../../src/shared/errors.ts'

const timeouts = { firstByteMs: 600_000, idleMs: 90_000 }
const bytes = Uint8Array.of(1)
const invalid = Uint8Array.of(0)

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

/** A response whose chunks arrive when the test sends them. `push` refuses an invalid chunk with a coded error. */
function watched({ breaksOnAbort = true } = {}) {
  const caller = new AbortController()
  const timeout = new RequestTimeout(caller.signal, timeouts)
  let controller: ReadableStreamDefaultController<Uint8Array>
  const stream = new ReadableStream<Uint8Array>({
    start: (streamController) => {
      controller = streamController
    },
  })
  const fail = () => controller.error(new Error('connection reset'))
  if (breaksOnAbort) timeout.signal.addEventListener('abort', fail)
  const received: Uint8Array[] = []
  const push = (chunk: Uint8Array): readonly Uint8Array[] => {
    if (chunk === invalid) throw new SottoError('channel/response-invalid')
    return [chunk]
  }
  const done = (async (): Promise<string | undefined> => {
    try {
      for await (const chunk of timeout.watch(stream, { push })) received.push(chunk)
      return undefined
    } catch (error) {
      return error instanceof SottoError ? error.code : String(error)
    }
  })()
  return {
    caller,
    timeout,
    fail,
    received,
    done,
    send: (chunk = bytes) => controller.enqueue(chunk),
    end: () => controller.close(),
  }
}

describe('a silence', () => {
  it('before the first byte may last as long as one before the headers, because the model thinks', async () => {
    const response = watched()
    await vi.advanceTimersByTimeAsync(timeouts.firstByteMs - 1)
    response.send()
    await vi.advanceTimersByTimeAsync(timeouts.idleMs - 1)
    response.send()
    await vi.advanceTimersByTimeAsync(timeouts.idleMs - 1)
    response.end()
    expect(await response.done).toBeUndefined()
    expect(response.received).toHaveLength(2)
  })

  it('before the first byte ends the request after that', async () => {
    const response = watched()
    await vi.advanceTimersByTimeAsync(timeouts.firstByteMs)
    expect(await response.done).toBe('service/timeout')
  })

  it('within the response ends it, and the chunks before it are passed on', async () => {
    const response = watched()
    response.send()
    await vi.advanceTimersByTimeAsync(timeouts.idleMs - 1)
    expect(response.timeout.signal.aborted).toBe(false)
    await vi.advanceTimersByTimeAsync(1)
    expect(await response.done).toBe('service/timeout')
    expect(response.received).toHaveLength(1)
  })

  it('starts again when bytes are sent', async () => {
    const timeout = new RequestTimeout(undefined, timeouts)
    await vi.advanceTimersByTimeAsync(timeouts.firstByteMs - 1)
    timeout.restart()
    await vi.advanceTimersByTimeAsync(timeouts.firstByteMs - 1)
    expect(timeout.signal.aborted).toBe(false)
    await vi.advanceTimersByTimeAsync(1)
    expect(timeout.signal.aborted).toBe(true)
    timeout.close()
  })
})

it('doesn’t count the time in which the reader pauses as silence', async () => {
  const timeout = new RequestTimeout(undefined, timeouts)
  const reader = timeout.watch(ReadableStream.from([bytes, bytes]))[Symbol.asyncIterator]()
  await reader.next()
  await vi.advanceTimersByTimeAsync(timeouts.idleMs * 3)
  expect(timeout.signal.aborted).toBe(false)
  expect(await reader.next()).toEqual({ done: false, value: bytes })
  expect(await reader.next()).toEqual({ done: true, value: undefined })
})

it('counts silence again after a reader that paused', async () => {
  const response = new ReadableStream<Uint8Array>({ start: (controller) => controller.enqueue(bytes) })
  const timeout = new RequestTimeout(undefined, timeouts)
  const reader = timeout.watch(response)[Symbol.asyncIterator]()
  await reader.next()
  await vi.advanceTimersByTimeAsync(timeouts.idleMs * 3)
  void reader.next()
  await vi.advanceTimersByTimeAsync(timeouts.idleMs - 1)
  expect(timeout.signal.aborted).toBe(false)
  await vi.advanceTimersByTimeAsync(1)
  expect(timeout.signal.aborted).toBe(true)
})

it('leaves no timer and no listener behind a response that ended, and keeps its connection', async () => {
  const response = watched()
  response.send()
  response.end()
  await response.done
  expect(vi.getTimerCount()).toBe(0)
  response.caller.abort()
  expect(response.timeout.signal.aborted).toBe(false)
})

it('closes the connection when its reader stops early', async () => {
  const timeout = new RequestTimeout(undefined, timeouts)
  for await (const chunk of timeout.watch(ReadableStream.from([bytes, bytes]))) {
    expect(chunk).toBe(bytes)
    break
  }
  expect(timeout.signal.aborted).toBe(true)
  expect(vi.getTimerCount()).toBe(0)
})

it('is aborted from the start if its caller is', () => {
  const timeout = new RequestTimeout(AbortSignal.abort(), timeouts)
  expect(timeout.signal.aborted).toBe(true)
  expect(timeout.reasonFor(new SottoError('channel/response-invalid'), 'service/unreachable').code).toBe(
    'request/canceled',
  )
  timeout.close()
})

describe('the reason of a failure', () => {
  const before = ['chunk', 'abort', 'silence'] as const
  const last = ['invalid chunk', 'broken connection'] as const

  it('is the abort, then the timeout, then the coded error, in whatever order they happen', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.constantFrom(...before), { maxLength: 5 }),
        fc.constantFrom(...last),
        check,
      ),
    )
  })

  /** The transport ignores the abort here, so that a coded error can arrive after it. */
  async function check(events: readonly (typeof before)[number][], final: (typeof last)[number]) {
    const response = watched({ breaksOnAbort: false })
    for (const event of events) {
      if (event === 'chunk') response.send()
      else if (event === 'abort') response.caller.abort()
      else await vi.advanceTimersByTimeAsync(timeouts.firstByteMs)
      await vi.advanceTimersByTimeAsync(0)
    }
    if (final === 'invalid chunk') response.send(invalid)
    else response.fail()
    const coded = final === 'invalid chunk' ? 'channel/response-invalid' : 'service/interrupted'
    const expected = events.includes('abort')
      ? 'request/canceled'
      : events.includes('silence')
        ? 'service/timeout'
        : coded
    expect(await response.done).toBe(expected)
    expect(response.timeout.signal.aborted).toBe(true)
    expect(vi.getTimerCount()).toBe(0)
  }
})
