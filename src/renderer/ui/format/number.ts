import { scaleBytes } from '../../../shared/byte-size.ts'
import {
  formatCount as countIn,
  formatDecimal as decimalIn,
  formatTokens as tokensIn,
} from '../../../shared/format-count.ts'
import { perLocale } from '../language/format-locale.ts'
import { formatLocale, isolate } from '../language/language.ts'

/** To its last digit, in the window's language. */
export function formatCount(count: number): string {
  return countIn(count, formatLocale())
}

/** Short: "12.4K", "1.2M". */
export function formatTokens(tokens: number): string {
  return tokensIn(tokens, formatLocale())
}

/** A number in decimal text, to its last digit: "1234.5" -> "1,234.5". With at least so many places. */
export function formatDecimal(decimal: string, least: 0 | 1 | 2 = 0): string {
  return decimalIn(decimal, formatLocale(), least)
}

const percents = perLocale((locale) => new Intl.NumberFormat(locale, { style: 'percent' }))

const tenths = perLocale(
  (locale) => new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 1 }),
)

/** A part of a whole: 0.123 -> "12%", or "12.3%" with one place. */
export function formatPercent(part: number, most: 0 | 1 = 0): string {
  return (most === 0 ? percents() : tenths()).format(part)
}

export function formatBytes(bytes: number): string {
  const { amount, unit } = scaleBytes(bytes)
  return isolate(`${unit === 'B' ? amount : formatDecimal(amount, 1)} ${unit}`)
}

/** Hex in groups of eight, so that two can be compared by eye. */
export function groupHex(hex: string): string {
  return hex.match(/.{1,8}/g)?.join(' ') ?? ''
}

export function isHex(text: string): boolean {
  return text.length >= 32 && text.length % 2 === 0 && /^[0-9a-f]+$/.test(text)
}
