import type { IncomingMessage } from 'node:http'
import { toAnthropicError, type AnthropicError } from '../dialect/messages/index.ts'
import { toOllamaError, type OllamaError } from '../dialect/ollama/index.ts'
import type { ErrorCode } from '../../../shared/error-codes.ts'
import type { SottoError } from '../../../shared/errors.ts'
import { requestIdHeaders } from './answer-headers.ts'
import { ACCEPTED_CODINGS } from './content-coding.ts'

/** In which shape a caller reads errors. */
export type ErrorShape = 'openai' | 'messages' | 'ollama'

/** The shape that a caller of no particular dialect reads: Anthropic's SDKs name their version in every request. */
export function callerShape({ headers }: IncomingMessage): 'openai' | 'messages' {
  return headers['anthropic-version'] === undefined ? 'openai' : 'messages'
}

/** OpenAI's error shape; official SDKs turn it into their own classes by the status. `code` is SottoError.codeForTools. */
export interface OpenAiError {
  error: {
    message: string
    type: string
    code: string
    param: string | null
    step?: string
    receipt?: string
  }
}

/** `step` is the verdict's step that failed, with its code; `receipt` the id of what was kept of the request. */
export function toOpenAiError(failure: SottoError): OpenAiError {
  const { param, step, stepCode, receiptId } = failure.details
  return {
    error: {
      message: failure.message,
      type: failure.type,
      code: failure.codeForTools,
      param: param ?? null,
      ...(step !== undefined && { step: stepCode === undefined ? step : `${step}: ${stepCode}` }),
      ...(receiptId !== undefined && { receipt: receiptId }),
    },
  }
}

/** The body of an answer that is a refusal. */
export function errorBody(
  failure: SottoError,
  shape: ErrorShape = 'openai',
): OpenAiError | AnthropicError | OllamaError {
  switch (shape) {
    case 'openai':
      return toOpenAiError(failure)
    case 'messages':
      return toAnthropicError(failure)
    case 'ollama':
      return toOllamaError(failure)
  }
}

/** Failures of a status that tools try again by themselves, and that no trying again mends: somebody must do something first. */
const FINAL: ReadonlySet<ErrorCode> = new Set([
  'attestation/failed',
  'attestation/evidence-too-large',
  'attestation/older-release',
  'attestation/release-not-approved',
  'channel/crypto-unavailable',
  'vault/locked',
  'request/locked',
  'vault/damaged',
  'vault/unavailable',
  'vault/passphrase-needed',
  'store/damaged',
  'store/newer-version',
  'store/schema-changed',
  'store/rows-changed',
  'budget/exceeded',
  'budget/price-unknown',
])

/** Headers of a refusal. Both official SDKs heed `x-should-retry`. */
export function errorHeaders({ code, details }: SottoError): Record<string, string> {
  const { receiptId, retryAfterSeconds, privacy, addedMs } = details
  return {
    ...(addedMs !== undefined && { 'server-timing': `sotto;dur=${addedMs.toFixed(2)}` }),
    ...requestIdHeaders(receiptId),
    ...(receiptId !== undefined && { 'x-sotto-receipt': receiptId }),
    ...(privacy !== undefined && { 'x-sotto-privacy': privacy }),
    ...(retryAfterSeconds !== undefined && { 'retry-after': String(retryAfterSeconds) }),
    // RFC 9110 section 15.5.16.
    ...(code === 'proxy/content-encoding' && { 'accept-encoding': ACCEPTED_CODINGS }),
    ...(FINAL.has(code) && { 'x-should-retry': 'false' }),
  }
}
