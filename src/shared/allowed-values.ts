import type { z } from 'zod'

const TYPES: Readonly<Record<string, string>> = {
  string: 'a string',
  number: 'a number',
  int: 'an integer',
  boolean: 'a boolean',
  array: 'an array',
  object: 'an object',
  record: 'an object',
}
const UNITS: Readonly<Record<string, string>> = { string: ' characters', array: ' items' }

/**
 * Describes the values that a schema allows in place of a refused one, as a sentence for a tool.
 * @returns an empty string if the issue doesn't state them
 */
export function allowedBy(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case 'invalid_value':
      return oneOf(issue.values)
    case 'invalid_union':
      return 'options' in issue ? oneOf(issue.options) : ''
    case 'invalid_type':
      return Object.hasOwn(TYPES, issue.expected) ? `It must be ${TYPES[issue.expected] ?? ''}.` : ''
    case 'too_small':
      return bound('at least', issue.minimum, issue.origin)
    case 'too_big':
      return bound('at most', issue.maximum, issue.origin)
    case 'invalid_format':
      return issue.format === 'date' ? 'It must be a date in the form YYYY-MM-DD.' : ''
    default:
      return ''
  }
}

/** Values in quotes, with commas. */
export function quotedList(values: readonly unknown[]): string {
  return values.map((value) => JSON.stringify(value)).join(', ')
}

function oneOf(values: readonly unknown[]): string {
  // JSON has no bigint and no symbol.
  const known = values.filter(
    (value) => value === null || ['string', 'number', 'boolean'].includes(typeof value),
  )
  if (known.length === 0) return ''
  return known.length === 1 ? `It must be ${quotedList(known)}.` : `It must be one of ${quotedList(known)}.`
}

function bound(limitName: string, limit: number | bigint, origin: string): string {
  const unit = UNITS[origin]
  if (unit !== undefined) return `It must have ${limitName} ${String(limit)}${unit}.`
  return origin === 'number' || origin === 'int' || origin === 'bigint'
    ? `It must be ${limitName} ${String(limit)}.`
    : ''
}
