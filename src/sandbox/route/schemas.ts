import { z } from 'zod'
import type { Dialect } from '../dialect.ts'
import type { Refusal } from '../refusal.ts'

/** A boolean in a query. */
export const queryFlag = z
  .enum(['true', 'false'], 'must be true or false')
  .default('false')
  .transform((value) => value === 'true')

/** A whole number in a query. */
export function queryNumber(least: number, most: number, otherwise: number) {
  return z
    .string()
    .regex(/^\d{1,9}$/, 'must be a whole number')
    .transform(Number)
    .pipe(z.number().min(least, `must be at least ${least}`).max(most, `must be at most ${most}`))
    .default(otherwise)
}

/** A moment in a body: ISO 8601 with its offset. */
export const isoMoment = z.iso.datetime({ offset: true, error: 'must be an ISO 8601 datetime' })

/** Unix ms as ISO 8601. */
export function iso(at: number): string {
  return new Date(at).toISOString()
}

export function isoOrNull(at: number | null): string | null {
  return at === null ? null : iso(at)
}

const pico = 1e12

/** Dollars as the service writes them: a number, with a float's noise. @param picoUsd 10^-12 USD */
export function dollars(picoUsd: bigint): number {
  return Number(picoUsd) / pico
}

/** 10^-12 USD, to the micro-dollar: what a caller can name. */
export function picoOf(usd: number): bigint {
  return BigInt(Math.round(usd * 1e6)) * 1_000_000n
}

export type Parsed<T> = { readonly value: T } | { readonly refusal: Refusal }

/** @returns the value, or 400 with the field and its problem */
export function parseWith<T>(schema: z.ZodType<T>, value: unknown, dialect: Dialect): Parsed<T> {
  const result = schema.safeParse(value)
  if (result.success) return { value: result.data }
  const [issue] = result.error.issues
  const unknown = issue?.code === 'unrecognized_keys' ? issue.keys[0] : undefined
  const field = [...(issue?.path ?? []), ...(unknown === undefined ? [] : [unknown])].join('.')
  return {
    refusal: dialect.refuse(400, issue?.message ?? 'unexpected form', field === '' ? undefined : field),
  }
}

const utf8 = new TextDecoder('utf-8', { fatal: true })
const jsonType = /^application\/(?:[\w.+-]+\+)?json *(?:;|$)/i

/** RFC 8259. A missing body is undefined. @returns 415 for another type, 400 for invalid JSON */
export function readJson(body: Buffer, contentType: string | undefined, dialect: Dialect): Parsed<unknown> {
  if (body.length === 0) return { value: undefined }
  if (contentType !== undefined && !jsonType.test(contentType))
    return { refusal: dialect.refuse(415, `Unsupported Media Type: ${contentType.slice(0, 80)}`) }
  try {
    return { value: JSON.parse(utf8.decode(body)) }
  } catch {
    return { refusal: dialect.refuse(400, 'The body is not valid JSON') }
  }
}

/** The value of a JSON text, or undefined if it isn't JSON. */
export function tryParseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
