import { expect, it } from 'vitest'
import { StoppableCalls } from '../../../src/core/conversations/stoppable-calls.ts'

/** Resolves with 'done' when it's finished, and with the code of the abort before that. */
function startCall(calls: StoppableCalls, id: string, signal?: AbortSignal) {
  const { promise, resolve } = Promise.withResolvers<string>()
  const result = calls.run(id, signal, (ended) => {
    ended.addEventListener('abort', () => resolve((ended.reason as { code: string }).code))
    return promise
  })
  return { result, finish: () => resolve('done') }
}

it('stops every call with a repeated ID, and no other', async () => {
  const calls = new StoppableCalls()
  const [first, second, other] = [startCall(calls, 'a'), startCall(calls, 'a'), startCall(calls, 'b')]
  calls.stop('a')
  expect(await Promise.all([first.result, second.result])).toEqual(['request/canceled', 'request/canceled'])
  other.finish()
  expect(await other.result).toBe('done')
})

it('still stops a call after another one with the same ID has ended', async () => {
  const calls = new StoppableCalls()
  const [first, second] = [startCall(calls, 'a'), startCall(calls, 'a')]
  first.finish()
  expect(await first.result).toBe('done')
  calls.stop('a')
  expect(await second.result).toBe('request/canceled')
  calls.stop('a')
})

it('ends with the signal of its caller', async () => {
  const caller = new AbortController()
  const { result } = startCall(new StoppableCalls(), 'a', caller.signal)
  caller.abort({ code: 'gone' })
  expect(await result).toBe('gone')
})
