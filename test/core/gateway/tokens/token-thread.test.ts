import { afterEach, describe, expect, it, vi } from 'vitest'
import { createCachedCounter } from '../../../../src/core/gateway/tokens/cached-counter.ts'
import { countTextTokens } from '../../../../src/core/gateway/tokens/text.ts'
import { createTokenCounter, type TokenCounter } from '../../../../src/core/gateway/tokens/token-thread.ts'

let counter: TokenCounter | undefined
afterEach(() => counter?.close())

const threads = () => process.getActiveResourcesInfo().filter((name) => name === 'MessagePort').length

describe('the thread that counts', () => {
  it('counts each text, and several requests at once', async () => {
    counter = createTokenCounter()
    const long = 'Nothing is sent if the check fails. '.repeat(2000)
    const all = await Promise.all([
      counter.count([long, 'hello world']),
      counter.count(['2 + 2 = 4']),
      counter.count([]),
    ])
    expect(all).toEqual([[await countTextTokens(long), 2], [7], []])
  })

  it('ends when it is idle, and starts again for the next count', async () => {
    const before = threads()
    counter = createTokenCounter({ idleMs: 1 })
    expect(await counter.count(['hello world'])).toEqual([2])
    await vi.waitFor(() => expect(threads()).toBe(before))
    expect(await counter.count(['hello world'])).toEqual([2])
    await vi.waitFor(() => expect(threads()).toBe(before))
  })

  it('ends with its counter: what it counts is refused, and what comes later', async () => {
    counter = createTokenCounter()
    const counting = counter.count(['hello world'])
    counter.close()
    await expect(counting).rejects.toThrow('closed')
    await expect(counter.count(['hello world'])).rejects.toThrow('closed')
  })

  it.each(['unknown', 'ends', 'throws'])(
    'fails every count if the thread fails (%s), and starts another for the next',
    async (way) => {
      counter = createTokenCounter({ file: new URL('./bad-token-worker.ts', import.meta.url) })
      const both = await Promise.allSettled([counter.count(['waits']), counter.count([way])])
      expect(both.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
      await expect(counter.count([way])).rejects.toThrow()
    },
  )
})

describe('the cache', () => {
  const counted: string[] = []
  const counting = {
    count: (texts: readonly string[]) =>
      Promise.resolve(texts.map((text) => (counted.push(text), text.length))),
  }
  afterEach(() => counted.splice(0))

  it('counts a text once, in whatever order it comes', async () => {
    const cache = createCachedCounter(counting)
    expect(await cache.count(['a', 'bb', 'a'])).toEqual([1, 2, 1])
    expect(await cache.count(['ccc', 'bb'])).toEqual([3, 2])
    expect(counted).toEqual(['a', 'bb', 'ccc'])
  })

  it('is bounded, and drops the count that was used least recently', async () => {
    const cache = createCachedCounter(counting, 2)
    await cache.count(['a', 'b'])
    await cache.count(['a'])
    await cache.count(['c'])
    await cache.count(['a', 'b'])
    expect(counted).toEqual(['a', 'b', 'c', 'b'])
  })

  it('caches no failure', async () => {
    let fails = true
    const cache = createCachedCounter({
      count: (texts) => (fails ? Promise.reject(new Error('ended')) : counting.count(texts)),
    })
    await expect(cache.count(['a'])).rejects.toThrow('ended')
    fails = false
    expect(await cache.count(['a'])).toEqual([1])
  })
})
