import fc from 'fast-check'
import { describe, expect, it, vi } from 'vitest'
import { columnName, columnsOf, shareOf } from '../../src/renderer/features/history/days.ts'
import { dayOf, daysOf, presetOf, presets } from '../../src/renderer/ui/day-range.ts'
import type { SpendingGroup } from '../../src/shared/history.ts'

const DAY = 86_400_000
const now = Date.UTC(2026, 10, 22, 15)
const group = (label: string, cost = '1000'): SpendingGroup => ({
  label,
  cost,
  unpriced: 0,
  requests: 1,
  inputTokens: 2,
  outputTokens: 3,
})

describe('the columns of the daily chart', () => {
  it('are every day of the range, including days without a request', () => {
    const columns = columnsOf([group('2026-11-20'), group('2026-11-22')], { from: '2026-11-19' }, now)
    expect(columns.map(({ from, until, requests }) => [from, until, requests])).toEqual([
      ['2026-11-19', '2026-11-19', 0],
      ['2026-11-20', '2026-11-20', 1],
      ['2026-11-21', '2026-11-21', 0],
      ['2026-11-22', '2026-11-22', 1],
    ])
  })

  it('begin with the first request if no day is chosen, and are empty without requests', () => {
    expect(columnsOf([group('2026-11-21')], {}, now).map(({ from }) => from)).toEqual([
      '2026-11-21',
      '2026-11-22',
    ])
    expect(columnsOf([], {}, now)).toEqual([])
    expect(columnsOf([], { from: '2026-11-22' }, now)).toHaveLength(1)
  })

  it('contain everything once, without a gap, and are limited in number', () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.integer({ min: 0, max: 4_000 }), { maxLength: 60 }),
        fc.boolean(),
        (backs, open) => {
          const groups = backs
            .map((back) => group(dayOf(now - back * DAY), String(back + 1)))
            .toSorted((a, b) => (a.label < b.label ? -1 : 1))
          const first = dayOf(now - 4_000 * DAY)
          const columns = columnsOf(groups, open ? {} : { from: first, until: dayOf(now) }, now)
          expect(columns.length).toBeLessThanOrEqual(62)
          expect(columns.reduce((sum, { cost }) => sum + cost, 0n)).toBe(
            groups.reduce((sum, { cost }) => sum + BigInt(cost), 0n),
          )
          expect(columns.reduce((sum, { requests }) => sum + requests, 0)).toBe(groups.length)
          for (const [index, { from }] of columns.entries())
            if (index > 0) expect(Date.parse(from) - Date.parse(columns[index - 1]!.until)).toBe(DAY)
          if (!open) expect([columns[0]?.from, columns.at(-1)?.until]).toEqual([first, dayOf(now)])
        },
      ),
    )
  })

  it('are created without visiting each day, even from the year 2', () => {
    const named = vi.spyOn(Date.prototype, 'toISOString')
    const columns = columnsOf([group('2026-11-21')], { from: '0002-01-01' }, now)
    expect(columns.reduce((sum, { requests }) => sum + requests, 0)).toBe(1)
    expect(named.mock.calls.length).toBeLessThan(200)
    named.mockRestore()
  })

  it('are named after their days', () => {
    expect(columnName({ from: '2026-11-22', until: '2026-11-22' })).toBe('Nov 22, 2026')
    expect(columnName({ from: '2026-11-16', until: '2026-11-22' })).toMatch(/^Nov 16\s–\s22, 2026$/)
  })
})

it('each preset matches its days in UTC, and no preset matches a custom range', () => {
  for (const { id } of presets) expect(presetOf(daysOf(id, now), now)).toBe(id)
  expect(daysOf('today', Date.UTC(2026, 10, 22, 23, 59))).toEqual({ from: '2026-11-22' })
  expect(daysOf('week', now)).toEqual({ from: '2026-11-16' })
  expect(presetOf({ from: '2026-11-22', until: '2026-11-22' }, now)).toBeUndefined()
  expect(presetOf({ from: '2026-11-01' }, now)).toBeUndefined()
})

it('a bar is as long as its share, and a small share is still visible', () => {
  expect([
    shareOf(0n, 10n),
    shareOf(10n, 10n),
    shareOf(5n, 10n),
    shareOf(1n, 10n ** 30n),
    shareOf(-5n, 10n),
    shareOf(1n, 0n),
  ]).toEqual([0, 1000, 500, 8, 0, 0])
})
