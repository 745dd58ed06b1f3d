import type { ErrorCode } from '../../../../shared/error-codes.ts'
import type { ErrorType } from '../../../../shared/error-codes/error-entry.ts'
import type { SottoError } from '../../../../shared/errors.ts'

type AnthropicType =
  | 'invalid_request_error'
  | 'authentication_error'
  | 'billing_error'
  | 'permission_error'
  | 'not_found_error'
  | 'rate_limit_error'
  | 'timeout_error'
  | 'overloaded_error'
  | 'api_error'

/**
 * Anthropic's error shape. Its SDKs select their class by the status, and show `details.error_code` as
 * `errorCode`.
 */
export interface AnthropicError {
  type: 'error'
  error: {
    type: AnthropicType
    message: string
    details: {
      error_code: SottoError['codeForTools'] | typeof NO_THREADS
      param?: string
      step?: string
      unsupported?: readonly string[]
    }
  }
  request_id: string | null
}

/**
 * With this code and the member's name, the official SDKs know that they must send the whole conversation
 * each time.
 */
const NO_THREADS = 'thread_unsupported_request'
const THREAD = 'thread'
/** Anthropic has no code for it. Its own service's message begins like this, and programs recognize it. */
const TOO_LONG = 'prompt is too long'

/** Maps OpenAI's types to Anthropic's. */
const types: Readonly<Record<ErrorType, AnthropicType>> = {
  invalid_request_error: 'invalid_request_error',
  authentication_error: 'authentication_error',
  permission_error: 'permission_error',
  not_found_error: 'not_found_error',
  rate_limit_error: 'rate_limit_error',
  insufficient_quota: 'billing_error',
  api_error: 'api_error',
}

/** Codes with a more specific type at Anthropic. */
const nearer: Partial<Record<ErrorCode, AnthropicType>> = {
  'service/timeout': 'timeout_error',
  'service/unavailable': 'overloaded_error',
  'proxy/busy': 'overloaded_error',
}

/**
 * Builds the body of a refusal, and of the event `error` in a stream. `request_id` is the receipt's ID, or
 * null.
 */
export function toAnthropicError(failure: SottoError): AnthropicError {
  const { param, step, stepCode, receiptId } = failure.details
  const noThreads = failure.code === 'dialect/unsupported' && param === THREAD
  return {
    type: 'error',
    error: {
      type: nearer[failure.code] ?? types[failure.type],
      message:
        failure.details.serviceCode === 'context_length_exceeded'
          ? `${TOO_LONG}: ${failure.message}`
          : failure.message,
      details: {
        error_code: noThreads ? NO_THREADS : failure.codeForTools,
        ...(noThreads && { unsupported: [THREAD] }),
        ...(param !== undefined && { param }),
        ...(step !== undefined && { step: stepCode === undefined ? step : `${step}: ${stepCode}` }),
      },
    },
    request_id: receiptId ?? null,
  }
}
