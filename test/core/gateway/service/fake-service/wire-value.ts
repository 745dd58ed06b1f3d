import type { Random } from './random.ts'

/** A number that an answer may write in several ways, as plain decimal text. */
export class Decimal {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

/** A value of an answer. A JavaScript number is written as it is. */
export type WireValue =
  | string
  | number
  | boolean
  | null
  | Decimal
  | readonly WireValue[]
  | { readonly [name: string]: WireValue | undefined }
export type WireObject = Readonly<Record<string, WireValue | undefined>>

/** JSON in which each Decimal is a number or text, with an exponent or without. */
export function writeJson(value: WireValue, random: Random): string {
  if (value instanceof Decimal) return writeDecimal(value.text, random)
  if (Array.isArray(value))
    return `[${value.map((member: WireValue) => writeJson(member, random)).join(',')}]`
  if (typeof value === 'object' && value !== null) {
    const members = Object.entries(value as WireObject).flatMap(([name, member]) =>
      member === undefined ? [] : [`${JSON.stringify(name)}:${writeJson(member, random)}`],
    )
    return `{${members.join(',')}}`
  }
  return JSON.stringify(value)
}

function writeDecimal(text: string, random: Random): string {
  const [whole = '', fraction = ''] = text.split('.')
  switch (random.pick(['number', 'text', 'zeros', 'exponent', 'exponent in text'] as const)) {
    case 'number':
      return text
    case 'text':
      return `"${text}"`
    case 'zeros':
      return `"${whole}.${fraction}${'0'.repeat(random.int(1, 3))}"`
    case 'exponent':
      return withExponent(whole, fraction, random)
    case 'exponent in text':
      return `"${withExponent(whole, fraction, random)}"`
  }
}

function withExponent(whole: string, fraction: string, random: Random): string {
  return `${BigInt(whole + fraction).toString()}${random.pick(['e', 'E'])}-${String(fraction.length)}`
}

/** Pico-USD of plain decimal text with at most 12 decimal places: computed here, independently of the client. */
export function picoOf(text: string): bigint {
  const [whole = '', fraction = ''] = text.split('.')
  return BigInt(whole + fraction.padEnd(12, '0'))
}

/** A random amount without a trailing zero. @param places most decimal places */
export function amount(random: Random, most: number, places: number): Decimal {
  const digits = random.int(0, places)
  const fraction =
    digits === 0 ? '' : `${random.text('0123456789', digits - 1)}${random.text('123456789', 1)}`
  return new Decimal(`${String(random.int(0, most))}${fraction === '' ? '' : `.${fraction}`}`)
}
