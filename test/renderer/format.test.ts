import { describe, expect, test } from 'vitest'
import { formatCost, formatExactUsd, formatPrice, formatSats, formatUsd } from '../../src/renderer/ui/format/money.ts'
import { formatBytes, formatTokens, groupHex, isHex } from '../../src/renderer/ui/format/number.ts'
import { formatAge, formatDayHeading, formatDuration, formatLatency } from '../../src/renderer/ui/format/time.ts'
import { tokenWords } from '../../src/renderer/ui/format/token-words.ts'

describe('money', () => {
  test.each([
    ['0', '$0.00'],
    ['1500000000', '0.15¢'],
    ['123450000', '0.013¢'],
    ['75000000000', '$0.075'],
    ['900000000000', '$0.90'],
    ['12341000000000', '$12.35'],
    ['99999999999', '$0.10'],
    ['-2500000000000', '−$2.50'],
  ])('%s pico-USD are shown as %s', (pico, shown) => expect(formatUsd(pico)).toBe(shown))

  test('is exact in details, and finer in prices', () => {
    expect([formatExactUsd('1500000000'), formatPrice('125000000000'), formatPrice('3000000000000')]).toEqual(['$0.0015', '$0.125', '$3.00'])
    expect(formatSats('53250')).toBe('53.25 sats')
  })

  test('an estimate has the expected cost first and the range behind it', () => {
    expect(formatCost({ least: '0', most: '50000000000', expected: '20000000000' })).toBe('$0.02 (up to $0.05)')
    expect(formatCost({ least: '0', most: '50000000000' })).toBe('up to $0.05')
    expect(formatCost({ least: '20000000000', most: '50000000000' })).toBe('$0.02 – $0.05')
    expect(formatCost({ least: '20000000000', most: '20000000000' })).toBe('$0.02')
  })
})

test('tokens of a request are short', () => {
  expect([tokenWords(1, 0), tokenWords(212, 430), tokenWords(12_400, 1840)]).toEqual(['1 token in, 0 out', '212 tokens in, 430 out', '12.4K tokens in, 1.8K out'])
})

test('durations name their two largest units', () => {
  expect(formatDuration(10_400)).toBe('10 s')
  expect(formatDuration(3_130_000)).toBe('52 min 10 s')
  expect(formatDuration(7_200_000)).toBe('2 h')
  expect(formatDuration(86_400_000 + 3_600_000)).toBe('1 d 1 h')
  expect(formatDuration(-5)).toBe('0 s')
})

test('latencies change to seconds at one second', () => {
  expect(formatLatency(412.4)).toBe('412 ms')
  expect(formatLatency(3960)).toBe('4.0 s')
})

test('ages are in one unit', () => {
  const now = 1_800_000_000_000
  expect(formatAge(now - 5000, now)).toBe('less than a minute ago')
  expect(formatAge(now - 60_000, now)).toBe('1 minute ago')
  expect(formatAge(now - 7_200_000, now)).toBe('2 hours ago')
  expect(formatAge(now + 5000, now)).toBe('less than a minute ago')
})

test('a list by age has its headings by the calendar', () => {
  const now = new Date(2026, 10, 20, 9).getTime()
  const at = (day: number, hour: number) => formatDayHeading(new Date(2026, 10, day, hour).getTime(), now)
  expect(at(20, 0)).toBe('Today')
  expect(at(19, 23)).toBe('Yesterday')
  expect(at(15, 12)).toBe('This week')
  expect(at(1, 12)).toBe('This month')
  expect(formatDayHeading(now - 100 * 86_400_000, now)).toBe('Earlier')
})

test('sizes, contexts and hex', () => {
  expect(formatBytes(1023)).toBe('1023 B')
  expect(formatBytes(6264)).toBe('6.1 KiB')
  expect(formatTokens(131_072)).toBe('131K')
  expect(formatTokens(1_048_576)).toBe('1M')
  expect(groupHex('00112233445566778899')).toBe('00112233 44556677 8899')
  expect(isHex('ab'.repeat(24))).toBe(true)
  expect(isHex('ab'.repeat(3))).toBe(false)
  expect(isHex(`${'ab'.repeat(24)} and words`)).toBe(false)
})
