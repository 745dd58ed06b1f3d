import { z } from 'zod'
import { hexOf } from '../../shared/policy/hex.ts'
import type { JsonObject } from '../../shared/strict-json.ts'
import { decodeBase64 } from '../base64.ts'

/** Names, formats and addresses. */
export const text = z.string().min(1).max(2048)
export { hexOf }

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
