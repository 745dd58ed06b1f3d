import { afterEach, describe, expect, test } from 'vitest'
import { formatClauses, formatList } from '../../src/renderer/ui/format/list.ts'
import {
  formatCost,
  formatExactUsd,
  formatPrice,
  formatSats,
  formatUsd,
} from '../../src/renderer/ui/format/money.ts'
import {
  formatBytes,
  formatCount,
  formatPercent,
  formatTokens,
  groupHex,
  isHex,
} from '../../src/renderer/ui/format/number.ts'
import {
  formatAge,
  formatDateMinute,
  formatDayHeading,
  formatDuration,
  formatLatency,
} from '../../src/renderer/ui/format/time.ts'
import { tokenWords } from '../../src/renderer/ui/format/token-words.ts'
import { useLanguage } from '../../src/renderer/ui/language/language.ts'
import type { LanguageTag } from '../../src/shared/window-preferences.ts'

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
    expect([formatExactUsd('1500000000'), formatPrice('125000000000'), formatPrice('3000000000000')]).toEqual(
      ['$0.0015', '$0.125', '$3.00'],
    )
    expect(formatSats('53250')).toBe('53.25 sats')
  })

  test('an estimate has the expected cost first and the range behind it', () => {
    expect(formatCost({ least: '0', most: '50000000000', expected: '20000000000' })).toBe(
      '$0.02 (up to $0.05)',
    )
    expect(formatCost({ least: '0', most: '50000000000' })).toBe('up to $0.05')
    expect(formatCost({ least: '20000000000', most: '50000000000' })).toBe('$0.02 – $0.05')
    expect(formatCost({ least: '20000000000', most: '20000000000' })).toBe('$0.02')
  })
})

test('tokens of a request are short', () => {
  expect([tokenWords(1, 0), tokenWords(212, 430), tokenWords(12_400, 1840)]).toEqual([
    '1 token in, 0 out',
    '212 tokens in, 430 out',
    '12.4K tokens in, 1.8K out',
  ])
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
  expect(formatBytes(999)).toBe('999 B')
  expect(formatBytes(6264)).toBe('6.3 kB')
  expect(formatTokens(131_072)).toBe('131K')
  expect(formatTokens(1_048_576)).toBe('1M')
  expect(groupHex('00112233445566778899')).toBe('00112233 44556677 8899')
  expect(isHex('ab'.repeat(24))).toBe(true)
  expect(isHex('ab'.repeat(3))).toBe(false)
  expect(isHex(`${'ab'.repeat(24)} and words`)).toBe(false)
})

describe('in the formats of a language', () => {
  const now = new Date(2026, 10, 20, 9, 5).getTime()
  const hours = (count: number): string => formatAge(now - count * 3_600_000, now)
  afterEach(() => useLanguage.setState({ tag: 'en' }))

  test.each<[LanguageTag, Readonly<Record<'usd' | 'count' | 'percent' | 'date' | 'age' | 'list', string>>]>([
    [
      'he',
      {
        usd: '\u200f1,234.50\u00a0\u200f$',
        count: '1,234,567',
        percent: '12%',
        date: '20 בנוב׳ 2026, 9:05',
        age: 'לפני 3 שעות',
        list: 'a, b ו-c',
      },
    ],
    [
      'ko',
      {
        usd: '$1,234.50',
        count: '1,234,567',
        percent: '12%',
        date: '2026. 11. 20. 오전 9:05',
        age: '3시간 전',
        list: 'a, b 및 c',
      },
    ],
    [
      'zh-Hant',
      {
        usd: '$1,234.50',
        count: '1,234,567',
        percent: '12%',
        date: '2026年11月20日 上午9:05',
        age: '3 小時前',
        list: 'a、b和c',
      },
    ],
  ])('%s', (tag, expected) => {
    useLanguage.setState({ tag })
    expect({
      usd: formatUsd('1234500000000000'),
      count: formatCount(1_234_567),
      percent: formatPercent(0.123),
      date: formatDateMinute(now),
      age: hours(3),
      list: formatClauses(['a', 'b', 'c']),
    }).toEqual(expected)
  })

  test('a number keeps its unit within Hebrew', () => {
    useLanguage.setState({ tag: 'he' })
    expect([formatLatency(412), formatSats('5000000'), formatList(['a', 'b'])]).toEqual([
      '\u2068412 ms\u2069',
      '\u20685,000 sats\u2069',
      '\u2068a\u2069, \u2068b\u2069',
    ])
  })

  test.each<[LanguageTag, string]>([
    ['en', 'a, b, c'],
    ['de', 'a, b, c'],
    ['fr', 'a, b, c'],
    ['ja', 'a、b、c'],
    ['zh-Hans', 'a、b、c'],
  ])('facts are a list without a conjunction: %s', (tag, shown) => {
    useLanguage.setState({ tag })
    expect(formatList(['a', false, 'b', '', 'c'])).toBe(shown)
  })

  test('a percentage has a decimal place if asked for', () => {
    useLanguage.setState({ tag: 'de' })
    expect(formatPercent(0.385, 1)).toBe('38,5\u00a0%')
  })

  test('Hebrew’s one and two hours or days have no digit after the word', () => {
    useLanguage.setState({ tag: 'he' })
    expect([hours(1), hours(2), hours(24), hours(48)]).toEqual([
      'לפני שעה',
      'לפני שעתיים',
      'לפני יום אחד',
      'לפני יומיים',
    ])
  })
})
