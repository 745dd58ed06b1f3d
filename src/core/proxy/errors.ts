import { errorCodes } from '../../shared/error-codes.ts'
import type { SottoError } from '../../shared/errors.ts'

/** OpenAI's error shape; official SDKs turn it into their own classes by the status. */
export interface OpenAiError {
  error: { message: string; type: string; code: string; param: string | null; step?: string; receipt?: string }
}

export function toOpenAiError(failure: SottoError): OpenAiError {
  const { param, step, stepCode, receiptId } = failure.details
  return {
    error: {
      message: failure.message,
      type: errorCodes[failure.code].type,
      code: failure.code,
      param: param ?? null,
      ...(step !== undefined && { step: stepCode === undefined ? step : `${step}: ${stepCode}` }),
      ...(receiptId !== undefined && { receipt: receiptId }),
    },
  }
}
