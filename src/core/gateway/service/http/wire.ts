import { z } from 'zod'
import { displayName } from '../../../../shared/display-name.ts'
import { parseUsd } from '../../../../shared/money.ts'
import { withoutTrailing } from '../../../../shared/without-trailing.ts'

/**
 * The values of the service's answers. Numbers are text: exact-json converts them, and the service has been
 * seen to write both.
 */

/** RFC 8259 section 6. */
const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d{1,3})?$/

/** A number as decimal text. */
export const decimal = z
  .union([z.string().max(64), z.number()])
  .transform(String)
  .pipe(z.string().regex(NUMBER))

/** Dollars, in pico-USD. */
export const usd = decimal.transform((text, context) => {
  const pico = parseUsd(text)
  if (pico !== null) return pico
  context.addIssue('beyond what an amount can be')
  return z.NEVER
})

/** Dollars that aren't negative. */
export const price = usd.refine((pico) => pico >= 0n)

const integer = decimal.transform(Number).pipe(z.int())
export const count = integer.pipe(z.int().min(0))

export const flag = z.union([z.boolean(), z.stringbool({ truthy: ['true', '1'], falsy: ['false', '0'] })])

/** A name from the service, only for display. A name without visible characters is invalid. */
export function name(longest: number): z.ZodString {
  return displayName(longest)
}

/** Text from the service, for display or for sending back. */
export function text(longest: number): z.ZodString {
  return z.string().max(longest)
}

/** From this value on, the number of a date is ms and not seconds: the year 5138 in seconds, 1973 in ms. */
const SECONDS_END = 1e11

/** ISO 8601 or Unix time in seconds or ms, as Unix ms. */
export const moment = z.union([
  decimal
    .transform((value) =>
      Math.abs(Number(value)) < SECONDS_END ? Math.round(Number(value) * 1000) : Math.round(Number(value)),
    )
    .pipe(z.int()),
  z.iso
    .datetime({ offset: true, local: true })
    .transform((value) => Date.parse(/(?:Z|[+-]\d{2}:?\d{2})$/.test(value) ? value : `${value}Z`)),
  z.iso.date().transform((value) => Date.parse(value)),
])

/** An optional member; an invalid value counts as absent. */
export function lenient<Schema extends z.ZodType>(schema: Schema): z.ZodCatch<z.ZodOptional<Schema>> {
  return schema.optional().catch(undefined)
}

/** Like lenient, but keeps null. */
export function lenientOrNull<Schema extends z.ZodType>(
  schema: Schema,
): z.ZodCatch<z.ZodOptional<z.ZodNullable<Schema>>> {
  return schema.nullable().optional().catch(undefined)
}

/** Returns the entries that fit, in their order, and the number of those that didn't. */
export function fitting<Schema extends z.ZodType>(
  schema: Schema,
  most: number,
): z.ZodType<{ entries: z.output<Schema>[]; unreadable: number }> {
  return z
    .array(z.unknown())
    .max(most)
    .transform((items) => {
      const entries = items.flatMap((item) => {
        const parsed = schema.safeParse(item)
        return parsed.success ? [parsed.data] : []
      })
      return { entries, unreadable: items.length - entries.length }
    })
}

/**
 * Writes a number in full, without exponent: `1.173e-05` is 0.00001173. Wallets read no exponents (BIP 21).
 * Undefined if there are more than 40 digits on either side of the point.
 */
export function plainDecimal(value: string): string | undefined {
  const match = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d{1,3}))?$/.exec(value)
  if (!match) return undefined
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = match
  const point = whole.length + Number(exponent)
  if (Math.abs(point) > 40 || fraction.length > 40) return undefined
  const digits = (whole + fraction).padEnd(point, '0')
  const left = point > 0 ? digits.slice(0, point) : '0'
  const right = point > 0 ? digits.slice(point) : digits.padStart(digits.length - point, '0')
  const trimmed = withoutTrailing('0', right)
  return `${sign}${left.replace(/^0+(?=\d)/, '')}${trimmed === '' ? '' : `.${trimmed}`}`
}
