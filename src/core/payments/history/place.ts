import { z } from 'zod'
import { SottoError } from '../../../shared/errors.ts'

/** The position at which a reading of the history continues. */
export interface Place {
  /** The service's page, from 1, and how many of its records were yielded. */
  readonly page: number
  readonly index: number
  /** Unix ms of the last yielded record: all older ones weren't. Infinity before the first. */
  readonly before: number
  /** The number of all records. */
  readonly total: number
  /** The last page whose unreadable entries were counted. */
  readonly counted: number
}

export const START: Place = { page: 1, index: 0, before: Infinity, total: 0, counted: 0 }

const whole = z.coerce.number().pipe(z.int().min(0))
const placeSchema = z.tuple([
  whole.pipe(z.int().min(1)),
  whole.pipe(z.int().max(1000)),
  z.union([z.literal('new').transform(() => Infinity), z.coerce.number().pipe(z.int())]),
  whole,
  whole,
])

/**
 * Encodes the place as text, which the window returns for placeOf. Nothing in it is secret, and the window's
 * text is untrusted.
 */
export function cursorOf({ page, index, before, total, counted }: Place): string {
  return [page, index, before === Infinity ? 'new' : before, total, counted].join('.')
}

/** @throws {SottoError} request/invalid – not a text of cursorOf */
export function placeOf(cursor: string): Place {
  const parsed = placeSchema.safeParse(/^[\w.-]{1,100}$/.test(cursor) ? cursor.split('.') : undefined)
  if (!parsed.success) throw new SottoError('request/invalid', { param: 'cursor' })
  const [page, index, before, total, counted] = parsed.data
  return { page, index, before, total, counted }
}
