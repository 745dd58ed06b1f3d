import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { ExchangeGuard } from '../../../../src/core/gateway/channel/index.ts'
import { SottoError } from '../../../../src/shared/errors.ts'

const timeouts = { firstByteMs: 600_000, idleMs: 90_000 }
const bytes = Uint8Array.of(1)

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

/** A body whose pieces come when they are told to, and which breaks off as a connection does when its signal aborts. */
function body(signal: AbortSignal) {
  let controller: ReadableStreamDefaultController<Uint8Array>
  const stream = new ReadableStream<Uint8Array>({
    start: (given) => {
      controller = given
    },
  })
  signal.addEventListener('abort', () => {
    try {
      controller.error(new Error('aborted'))
    } catch {
      /* it has ended */
    }
  })
  return { stream, send: () => controller.enqueue(bytes), end: () => controller.close() }
}

function watched() {
  const guard = new ExchangeGuard(new AbortController().signal, timeouts)
  const { stream, ...sender } = body(guard.signal)
  const received: Uint8Array[] = []
  let failure: unknown
  const done = (async () => {
    try {
      for await (const chunk of guard.watch(stream)) received.push(chunk)
    } catch (error) {
      failure = error
    }
  })()
  return { ...sender, received, done, code: () => (failure instanceof SottoError ? failure.code : failure) }
}

describe('a silence', () => {
  it('before the first byte of an answer may last as long as one before its headers: the model thinks', async () => {
    const answer = watched()
    await vi.advanceTimersByTimeAsync(timeouts.firstByteMs - 1)
    answer.send()
    await vi.advanceTimersByTimeAsync(timeouts.idleMs - 1)
    answer.send()
    await vi.advanceTimersByTimeAsync(timeouts.idleMs - 1)
    answer.end()
    await answer.done
    expect(answer.code()).toBeUndefined()
    expect(answer.received).toHaveLength(2)
  })

  it('before the first byte ends it after that', async () => {
    const answer = watched()
    await vi.advanceTimersByTimeAsync(timeouts.firstByteMs)
    await answer.done
    expect(answer.code()).toBe('service/timeout')
  })

  it('within the answer ends it, and what came before it was passed on', async () => {
    const answer = watched()
    answer.send()
    await vi.advanceTimersByTimeAsync(timeouts.idleMs - 1)
    expect(answer.code()).toBeUndefined()
    await vi.advanceTimersByTimeAsync(1)
    await answer.done
    expect(answer.code()).toBe('service/timeout')
    expect(answer.received).toHaveLength(1)
  })
})

it('leaves no timer behind an answer that ended', async () => {
  const answer = watched()
  answer.send()
  answer.end()
  await answer.done
  expect(vi.getTimerCount()).toBe(0)
})
