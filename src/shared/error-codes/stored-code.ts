import { z } from 'zod'
import { currentErrorCode, isErrorCode, type ErrorCode } from '../error-codes.ts'

/** A code in a stored record. A code of an earlier version is read as its replacement; an unknown code is refused. */
export const storedErrorCodeSchema = z.codec(
  z.string(),
  z.custom<ErrorCode>((code) => typeof code === 'string' && isErrorCode(code)),
  {
    decode: (text, context) => {
      const code = currentErrorCode(text)
      if (code !== undefined) return code
      context.issues.push({ code: 'custom', message: 'unknown error code', input: text })
      return z.NEVER
    },
    encode: (code) => code,
  },
)
