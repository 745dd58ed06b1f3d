import { expect, it } from 'vitest'
import { createListing } from '../../../../src/core/gateway/relay/listing.ts'

const MINUTE = 60_000

/** A listing whose service answers or fails depending on `state`, with its clock in ms. */
function world() {
  const state = { now: 0, fails: false, loads: 0, entries: ['a'] }
  const listing = createListing(
    () => {
      state.loads += 1
      return state.fails
        ? Promise.reject(new Error('unavailable'))
        : Promise.resolve({ entries: state.entries })
    },
    (entry) => entry,
    () => state.now,
  )
  return { state, listing }
}

it('loads again after five minutes, and for an unknown ID after ten seconds', async () => {
  const { state, listing } = world()
  expect(await listing.find('a')).toBe('a')
  state.now = 5 * MINUTE
  expect(await listing.find('a')).toBe('a')
  expect(state.loads).toBe(1)
  expect(await listing.find('b')).toBeUndefined()
  expect(state.loads).toBe(2)
  expect(await listing.find('b')).toBeUndefined()
  expect(state.loads).toBe(2)
  state.now += 5 * MINUTE + 1
  state.entries = []
  expect(await listing.find('a')).toBeUndefined()
})

it('finds a known entry for an hour while the service doesn’t list, and doesn’t ask for each request', async () => {
  const { state, listing } = world()
  await listing.find('a')
  state.fails = true
  state.now = 6 * MINUTE
  expect(await listing.find('a')).toBe('a')
  expect(await listing.find('a')).toBe('a')
  expect(state.loads).toBe(2)
  state.now += 10_001
  expect(await listing.find('a')).toBe('a')
  expect(state.loads).toBe(3)
  state.now = 60 * MINUTE + 1
  await expect(listing.find('a')).rejects.toThrow('unavailable')
})

it('rejects if it has no listing yet, and if the ID is unknown', async () => {
  const { state, listing } = world()
  state.fails = true
  await expect(listing.find('a')).rejects.toThrow('unavailable')
  state.fails = false
  state.now = MINUTE
  await listing.find('a')
  state.fails = true
  state.now += 6 * MINUTE
  await expect(listing.find('b')).rejects.toThrow('unavailable')
  expect(await listing.all()).toEqual(['a'])
  state.now = 62 * MINUTE
  await expect(listing.all()).rejects.toThrow('unavailable')
})
