const formats = new Map<string, Intl.NumberFormat>()

/** Cached, because creating a formatter takes longer than using it. */
function numberFormat(locale: string, least: number): Intl.NumberFormat {
  const key = `${locale} ${String(least)}`
  const format =
    formats.get(key) ??
    new Intl.NumberFormat(locale, { minimumFractionDigits: least, maximumFractionDigits: 20 })
  formats.set(key, format)
  return format
}

/** A whole number, to its last digit: 12400 -> "12,400". */
export function formatCount(count: number, locale = 'en'): string {
  return numberFormat(locale, 0).format(count)
}

/** A number in decimal text, to its last digit, as the language writes it: "1234.5" -> "1,234.5". With at least so many places. */
export function formatDecimal(decimal: string, locale = 'en', least: 0 | 1 | 2 = 0): string {
  return isDecimal(decimal) ? numberFormat(locale, least).format(decimal) : decimal
}

/** Decimal text as Intl takes it, exactly. */
export function decimalNumber(text: string): `${number}` {
  if (!isDecimal(text)) throw new SyntaxError(`Not a decimal number: ${text}`)
  return text
}

function isDecimal(text: string): text is `${number}` {
  return /^-?\d+(?:\.\d+)?$/.test(text)
}

/** K and M stand for thousand and million in every language, as in the names and data sheets of models. */
const UNITS = [
  { size: 1, letter: '' },
  { size: 1e3, letter: 'K' },
  { size: 1e6, letter: 'M' },
] as const
const LARGEST = { size: 1e9, letter: 'B' } as const

/** A number of tokens, short, with one decimal below a hundred of its unit: 940 -> "940", 12400 -> "12.4K", 131072 -> "131K", 1200000 -> "1.2M". */
export function formatTokens(tokens: number, locale = 'en'): string {
  // A number that rounds up to a thousand uses the next unit.
  const { size, letter } = UNITS.find((unit) => inUnit(tokens, unit.size) < 1000) ?? LARGEST
  return `${formatDecimal(String(inUnit(tokens, size)), locale)}${letter}`
}

function inUnit(tokens: number, size: number): number {
  const amount = tokens / size
  return size === 1 || amount >= 99.95 ? Math.round(amount) : Math.round(amount * 10) / 10
}
