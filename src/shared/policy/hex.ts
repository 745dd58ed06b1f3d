import { z } from 'zod'

/** Lowercase hex of so many bytes. */
export function hexOf(bytes: number): z.ZodString {
  return z.string().regex(new RegExp(`^[0-9a-f]{${String(bytes * 2)}}$`))
}
