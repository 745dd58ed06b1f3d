import { z } from 'zod'
import type { JsonObject } from '../strict-json.ts'
import { decodeBase64 } from '../base64.ts'

/** Names, formats and addresses. */
export const text = z.string().min(1).max(2048)

/** Lowercase hex of so many bytes. */
export function hexOf(bytes: number): z.ZodString {
  return z.string().regex(new RegExp(`^[0-9a-f]{${String(bytes * 2)}}$`))
}

/** Canonical base64 of at most so many bytes, decoded. */
export function base64Of(longest: number) {
  return z
    .string()
    .max(Math.ceil(longest / 3) * 4)
    .transform((value, context) => {
      const bytes = decodeBase64(value)
      if (bytes) return bytes
      context.addIssue({ code: 'custom', message: 'base64' })
      return z.NEVER
    })
}

export const jsonObject = z.custom<JsonObject>(
  (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
)
