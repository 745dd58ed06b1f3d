import { errorCodes, type ErrorCode } from './error-codes.ts'
import type { Privacy } from './privacy.ts'
import { inEnglish, say, type Said } from './say.ts'

/**
 * Codes of the service that are passed on to tools, because these act on them: agents shorten a conversation that has grown too long. A closed
 * list, so that no service can speak in Sotto's own codes, or make a tool take its refusal for another.
 */
export const serviceCodes = ['context_length_exceeded'] as const
export type ServiceCode = (typeof serviceCodes)[number]

export interface SottoErrorDetails {
  /** What more there is to say, free of secrets and of the user's content. */
  detail?: Said
  /** The request member at fault, in OpenAI's `param`. */
  param?: string
  /** The service's own word for it, where tools act on that word. */
  serviceCode?: ServiceCode
  /** The verdict's step and code, where a verdict failed. */
  step?: string
  stepCode?: string
  receiptId?: string
  /** What had become of the request when it failed. */
  privacy?: Privacy
  retryAfterSeconds?: number
  /** What Sotto had added of delay when it failed. */
  addedMs?: number
  cause?: unknown
}

/** A coded failure. Its message is for people; switch on `code`. */
export class SottoError extends Error {
  override name = 'SottoError'
  readonly code: ErrorCode
  readonly details: SottoErrorDetails

  constructor(code: ErrorCode, details: SottoErrorDetails = {}) {
    super(inEnglish(explained({ code, details })), details.cause === undefined ? undefined : { cause: details.cause })
    this.code = code
    this.details = details
  }

  /** What a tool is told as its code: the service's own where tools act on that, and Sotto's otherwise. */
  get toldCode(): ErrorCode | ServiceCode {
    return this.details.serviceCode ?? this.code
  }

  get status(): number {
    return errorCodes[this.code].status
  }
}

/** What happened, what more there is to say of it, and what to do. */
export function explained({ code, details: { detail = [] } }: Pick<SottoError, 'code' | 'details'>): Said {
  const { says, remedy } = errorCodes[code]
  return [...say(says), ...detail, ...say(remedy)]
}

/** The failure of what an aborted signal ended: its reason if that is coded, or request/cancelled. */
export function failureOfAbort({ reason }: AbortSignal, cause?: unknown): SottoError {
  return reason instanceof SottoError ? reason : new SottoError('request/cancelled', { cause })
}

/** Anything thrown, as a coded failure: what is not one already becomes `fallback`, and keeps its cause for the log. */
export function asSottoError(thrown: unknown, fallback: ErrorCode = 'proxy/internal'): SottoError {
  if (thrown instanceof SottoError) return thrown
  if (thrown instanceof Error && thrown.name === 'AbortError') return new SottoError('request/cancelled', { cause: thrown })
  return new SottoError(fallback, { cause: thrown })
}
