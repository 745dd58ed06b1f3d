import type { IncomingMessage } from 'node:http'
import { toAnthropicError, type AnthropicError } from '../dialect/messages/index.ts'
import { toOllamaError, type OllamaError } from '../dialect/ollama/index.ts'
import type { ErrorCode } from '../../../shared/error-codes.ts'
import type { SottoError } from '../../../shared/errors.ts'
import { requestIdHeaders } from './answer-headers.ts'
import { ACCEPTED_CODINGS } from './content-coding.ts'

/** The shape in which a caller reads errors. */
export type ErrorShape = 'openai' | 'messages' | 'ollama'

/**
 * Returns the shape for a caller of no particular dialect. Anthropic's SDKs name their version in every
 * request.
 */
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

/**
 * Writes the failure in OpenAI's shape. `step` is the verdict's failed step, with its code; `receipt` is the
 * ID of the request's receipt.
 */
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

/** Builds the body of a refusal. */
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

/**
 * Failures with a status that tools retry automatically, although a retry can't succeed before a person acts.
 */
const FINAL: ReadonlySet<ErrorCode> = new Set([
  'attestation/failed',
  'attestation/evidence-too-large',
  'attestation/older-release',
  'attestation/release-not-approved',
  'relay/unverified',
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
  'budget/member-exceeded',
  'budget/group-exceeded',
  'budget/team-price-unknown',
])

/** Builds the headers of a refusal. Both official SDKs follow `x-should-retry`. */
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
