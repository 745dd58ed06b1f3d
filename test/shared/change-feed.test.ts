import { expect, it } from 'vitest'
import { ChangeFeed } from '../../src/shared/change-feed.ts'

const never = new AbortController().signal

it('yields nothing first, and then the latest value of each key', async () => {
  const feed = new ChangeFeed<number>()
  const changes = feed.read(never)
  feed.note('a', 0)
  expect((await changes.next()).value).toEqual([])
  feed.note('a', 1)
  feed.note('b', 2)
  feed.note('a', 3)
  expect((await changes.next()).value).toEqual([3, 2])
  const later = changes.next()
  feed.note('b', 4)
  expect((await later).value).toEqual([4])
})

it('tells each reader, and knows whether there is one', async () => {
  const feed = new ChangeFeed<string>()
  const readers = [feed.read(never), feed.read(never)]
  expect(feed.isWatched).toBe(false)
  for (const reader of readers) await reader.next()
  expect(feed.isWatched).toBe(true)
  feed.note('a', 'x')
  for (const reader of readers) expect((await reader.next()).value).toEqual(['x'])
  for (const reader of readers) await reader.return()
  expect(feed.isWatched).toBe(false)
})

it.each(['while it waits', 'before it waits'])('ends when the signal aborts %s', async (when) => {
  const feed = new ChangeFeed<string>()
  const ending = new AbortController()
  const changes = feed.read(ending.signal)
  await changes.next()
  if (when === 'before it waits') ending.abort()
  const last = changes.next()
  ending.abort()
  expect(await last).toEqual({ done: true, value: undefined })
  expect(feed.isWatched).toBe(false)
})
