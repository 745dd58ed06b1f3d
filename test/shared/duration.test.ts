import { describe, expect, test } from 'vitest'
import { formatDuration, isDue } from '../../src/shared/duration.ts'

const NOW = 1_800_000_000_000
const SECOND = 1_000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE

describe('something that is done at most once a minute', () => {
  test.each([
    ['for the first time', -Infinity, true],
    ['at once after the last time', NOW, false],
    ['before the minute is over', NOW - MINUTE + 1, false],
    ['after the minute', NOW - MINUTE, true],
    ['after the clock was set back by a moment', NOW + 1, true],
    ['after the clock was set back by an hour', NOW + HOUR, true],
  ])('is due or not %s', (_, last, due) => expect(isDue(NOW, last, MINUTE)).toBe(due))
})

describe('a duration', () => {
  test.each([
    [-1, '0 s'],
    [MINUTE - 1, '59 s'],
    [52 * MINUTE + 10 * SECOND, '52 min 10 s'],
    [24 * HOUR, '1 d'],
  ])('of %i ms is written as %s', (ms, text) => expect(formatDuration(ms)).toBe(text))
})
