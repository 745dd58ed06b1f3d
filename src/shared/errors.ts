import { errorCodes, errorType, type ErrorCode } from './error-codes.ts'
import type { ErrorType } from './error-codes/error-entry.ts'
import type { Privacy } from './privacy.ts'
import { renderEnglish, msg, withoutControls, type LocalizedText } from './localized-text.ts'
import { toolTextOf } from './tool-texts.ts'

/**
 * Codes of the service that are passed on to tools, because tools act on them: agents shorten a
 * conversation that has grown too long. A closed list, so that no service can send Sotto's own codes, or
 * make a tool mistake its refusal for another one.
 */
export const serviceCodes = ['context_length_exceeded'] as const
export type ServiceCode = (typeof serviceCodes)[number]

export interface SottoErrorDetails {
  /** More about the failure, for both audiences. It contains no secrets and nothing that the user wrote. */
  detail?: LocalizedText
  /** What a tool reads instead of `detail`, in English: it may name routes, headers, options and allowed values. */
  toolDetail?: string
  /** The request member at fault, in OpenAI's `param`. A tool's text names it. */
  param?: string
  /** The service's own code, if tools act on it. */
  serviceCode?: ServiceCode
  /** The code that OpenAI's clients act on, instead of Sotto's. */
  toolCode?: 'previous_response_not_found'
  /** The step and code of the verdict, if a verdict failed. */
  step?: string
  stepCode?: string
  receiptId?: string
  /** The privacy state of the request when it failed. */
  privacy?: Privacy
  retryAfterSeconds?: number
  /** The delay that Sotto had added when the request failed. */
  addedMs?: number
  cause?: unknown
}

/** A coded failure. Its message is for tools, the command line and logs; `explained` is for a person in the window. Switch on `code`. */
export class SottoError extends Error {
  override name = 'SottoError'
  readonly code: ErrorCode
  readonly details: SottoErrorDetails

  constructor(code: ErrorCode, details: SottoErrorDetails = {}) {
    super(toolMessage(code, details), details.cause === undefined ? undefined : { cause: details.cause })
    this.code = code
    this.details = details
  }

  /** The code for tools: OpenAI's or the service's if tools act on it, and Sotto's otherwise. */
  get codeForTools(): ErrorCode | ServiceCode | 'previous_response_not_found' {
    return this.details.toolCode ?? this.details.serviceCode ?? this.code
  }

  get status(): number {
    return errorCodes[this.code].status
  }

  /** The `type` of OpenAI's errors. */
  get type(): ErrorType {
    return errorType(this.code)
  }
}

function toolMessage(
  code: ErrorCode,
  { param, detail = [], toolDetail = renderEnglish(detail) }: SottoErrorDetails,
): string {
  const { says, remedy } = toolTextOf(code)
  const parameter = param === undefined ? '' : `Parameter: "${param}".`
  return withoutControls([says, parameter, toolDetail, remedy].filter(Boolean).join(' '))
}

/** The text for a person in the window: what happened, more about it, and what to do. */
export function explained({
  code,
  details: { detail = [] },
}: Pick<SottoError, 'code' | 'details'>): LocalizedText {
  const { says, remedy } = errorCodes[code]
  return [...msg(says), ...detail, ...msg(remedy)]
}

/** The failure of what an aborted signal ended: its reason if that is coded, or request/canceled. */
export function failureOfAbort({ reason }: AbortSignal, cause?: unknown): SottoError {
  return reason instanceof SottoError ? reason : new SottoError('request/canceled', { cause })
}

/**
 * Converts anything thrown to an error with a code. An error without one becomes `fallback`, with the
 * original as its cause for the log.
 */
export function asSottoError(thrown: unknown, fallback: ErrorCode = 'proxy/internal'): SottoError {
  if (thrown instanceof SottoError) return thrown
  if (thrown instanceof Error && thrown.name === 'AbortError')
    return new SottoError('request/canceled', { cause: thrown })
  return new SottoError(fallback, { cause: thrown })
}
