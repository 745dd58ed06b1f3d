import type { z } from 'zod'
import type { Dialect } from '../dialect.ts'
import type { Refusal } from '../refusal.ts'

export type Parsed<T> = { readonly value: T } | { readonly refusal: Refusal }

/** @returns the value, or 400 that names the field and what is wrong with it */
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

/** RFC 8259. No body at all reads as undefined. @returns 415 for another type, 400 for what is no JSON */
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
