import { scaleBytes } from '../../../shared/byte-size.ts'
import { perLocale } from '../language/format-locale.ts'

const counting = perLocale((locale) => new Intl.NumberFormat(locale))

export function formatCount(count: number): string {
  return counting().format(count)
}

const decimals = perLocale((locale) => {
  const made = [0, 1, 2].map((least) => new Intl.NumberFormat(locale, { minimumFractionDigits: least, maximumFractionDigits: 20 }))
  return (least: number) => made[least] ?? counting()
})

function isNumber(text: string): text is `${number}` {
  return /^-?\d+(\.\d+)?$/.test(text)
}

/** A number in decimal text, to its last digit, as the language writes it: "1234.5" -> "1,234.5". With at least so many places. */
export function formatDecimal(decimal: string, least: 0 | 1 | 2 = 0): string {
  return isNumber(decimal) ? decimals()(least).format(decimal) : decimal
}

const percents = perLocale((locale) => new Intl.NumberFormat(locale, { style: 'percent' }))

/** A part of a whole: 0.123 -> "12%". */
export function formatPercent(part: number): string {
  return percents().format(part)
}

/** A context window in thousands of tokens, as models are spoken of: 131072 -> "131K". */
export function formatContext(tokens: number): string {
  if (tokens >= 1_000_000) return `${formatDecimal(String(Number((tokens / 1_000_000).toFixed(1))))}M`
  return tokens >= 1000 ? `${Math.round(tokens / 1000)}K` : String(tokens)
}

export function formatBytes(bytes: number): string {
  const { amount, unit } = scaleBytes(bytes)
  return unit === 'B' ? `${amount} B` : `${formatDecimal(amount, 1)} ${unit}`
}

/** Hex in groups of eight, so that two can be compared by eye. */
export function groupHex(hex: string): string {
  return hex.match(/.{1,8}/g)?.join(' ') ?? ''
}

export function isHex(text: string): boolean {
  return text.length >= 32 && text.length % 2 === 0 && /^[0-9a-f]+$/.test(text)
}
