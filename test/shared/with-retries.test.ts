import { expect, it } from 'vitest'
import { RETRY_DELAYS_MS, withRetries } from '../../src/shared/with-retries.ts'

/** Runs work that fails so many times, and returns its result with the delays between the attempts. */
async function run(failures: number, options: { mayPass?: () => boolean; closed?: AbortSignal } = {}) {
  const waits: number[] = []
  const { closed = new AbortController().signal, ...more } = options
  let left = failures
  const work = () => {
    if (left-- > 0) throw new Error('failed')
    return 'done'
  }
  const wait = async (ms: number, signal: AbortSignal) => {
    signal.throwIfAborted()
    waits.push(ms)
    await Promise.resolve()
  }
  const result = await withRetries(work, RETRY_DELAYS_MS, { wait, closed, ...more }).catch(
    (thrown: unknown) => (thrown instanceof Error ? thrown.message : thrown),
  )
  return { result, waits }
}

it('repeats the work after each delay until it succeeds', async () => {
  expect(await run(0)).toEqual({ result: 'done', waits: [] })
  expect(await run(2)).toEqual({ result: 'done', waits: [500, 1000] })
})

it('throws the last error after the last delay, or at once if it can’t pass', async () => {
  expect(await run(9)).toEqual({ result: 'failed', waits: [...RETRY_DELAYS_MS] })
  expect(await run(9, { mayPass: () => false })).toEqual({ result: 'failed', waits: [] })
})

it('ends with the error of the wait when it’s closed', async () => {
  expect(await run(9, { closed: AbortSignal.abort('closed') })).toEqual({ result: 'closed', waits: [] })
})
