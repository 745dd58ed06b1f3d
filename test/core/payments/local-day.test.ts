import { execFileSync } from 'node:child_process'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { dateOf } from '../../../src/core/payments/budget-period.ts'
import { localDayOf, startOfLocalDay } from '../../../src/core/payments/local-day.ts'

const HOUR_MS = 3_600_000
const day = (date: string) => Date.parse(date) / 86_400_000
const zones = [
  'UTC',
  'America/New_York',
  'Europe/Berlin',
  'Asia/Kathmandu',
  'Australia/Lord_Howe',
  'Pacific/Kiritimati',
  'Pacific/Pago_Pago',
  'America/Santiago',
  'Africa/Cairo',
  'Asia/Jerusalem',
]

describe('a local day', () => {
  test.each<[string, string, string, number]>([
    // Spring, autumn, and a day without a change.
    ['America/New_York', '2026-03-08', '2026-03-08T05:00:00Z', 23],
    ['America/New_York', '2026-11-01', '2026-11-01T04:00:00Z', 25],
    ['America/New_York', '2026-11-02', '2026-11-02T05:00:00Z', 24],
    ['Europe/Berlin', '2026-03-29', '2026-03-28T23:00:00Z', 23],
    ['Europe/Berlin', '2026-10-25', '2026-10-24T22:00:00Z', 25],
    // Half an hour.
    ['Australia/Lord_Howe', '2026-04-05', '2026-04-04T13:00:00Z', 24.5],
    // Midnight doesn't exist: the day begins at 01:00.
    ['America/Santiago', '2026-09-06', '2026-09-06T04:00:00Z', 23],
    ['America/Sao_Paulo', '2018-11-04', '2018-11-04T03:00:00Z', 23],
    // The hour before midnight exists twice.
    ['America/Santiago', '2026-04-04', '2026-04-04T03:00:00Z', 25],
    // The last day before a day that this zone skipped.
    ['Pacific/Apia', '2011-12-29', '2011-12-29T10:00:00Z', 24],
  ])('in %s, %s, begins at %s and has %d hours', (zone, date, start, hours) => {
    const first = startOfLocalDay(day(date), zone)
    expect(new Date(first).toISOString()).toBe(start.replace('Z', '.000Z'))
    const end = startOfLocalDay(day(date) + 1, zone)
    expect((end - first) / HOUR_MS).toBe(hours)
    expect([first, end - 1].map((at) => dateOf(localDayOf(at, zone)))).toEqual([date, date])
    expect(localDayOf(first - 1, zone)).toBe(day(date) - 1)
    expect(localDayOf(end, zone)).toBeGreaterThan(day(date))
  })

  test('that a zone skipped begins with the day after it', () => {
    expect(new Date(startOfLocalDay(day('2011-12-30'), 'Pacific/Apia')).toISOString()).toBe(
      '2011-12-30T10:00:00.000Z',
    )
    expect(dateOf(localDayOf(Date.parse('2011-12-30T10:00:00Z'), 'Pacific/Apia'))).toBe('2011-12-31')
  })

  test('has the date that the zone shows, and holds every moment from its start to the next one’s', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...zones),
        fc.integer({ min: Date.UTC(2015, 0), max: Date.UTC(2040, 0) }),
        (zone, at) => {
          const local = localDayOf(at, zone)
          expect(dateOf(local)).toBe(new Date(at).toLocaleDateString('sv-SE', { timeZone: zone }))
          expect(startOfLocalDay(local, zone)).toBeLessThanOrEqual(at)
          expect(startOfLocalDay(local + 1, zone)).toBeGreaterThan(at)
        },
      ),
      { numRuns: 300 },
    )
  })

  test.each([
    ['America/New_York', '2026-10-31T04:00:00.000Z,2026-11-01T04:00:00.000Z'],
    ['Asia/Tokyo', '2026-10-31T15:00:00.000Z,2026-11-01T15:00:00.000Z'],
    // Zones without a name, and without a meaning.
    ['UTC+3', '2026-11-01T03:00:00.000Z,2026-11-02T03:00:00.000Z'],
    [':', '2026-11-01T00:00:00.000Z,2026-11-02T00:00:00.000Z'],
  ])('is the system’s own: TZ=%s', (TZ, expected) => {
    const script = `
      const { localDayOf, startOfLocalDay, systemZone } = await import(process.argv[1])
      const today = localDayOf(Date.parse('2026-11-01T03:30:00Z'), systemZone())
      console.log([today, today + 1].map((day) => new Date(startOfLocalDay(day, systemZone())).toISOString()).join())`
    const file = new URL('../../../src/core/payments/local-day.ts', import.meta.url).href
    expect(
      execFileSync(process.execPath, ['--input-type=module', '-e', script, file], {
        env: { ...process.env, TZ },
        encoding: 'utf8',
      }).trim(),
    ).toBe(expected)
  })
})
