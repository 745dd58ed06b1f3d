import type { ErrorCode } from '../../shared/error-codes.ts'
import type { SottoError } from '../../shared/errors.ts'
import type { LocalizedText } from '../../shared/localized-text.ts'

/** What is kept of a failure: why a job or a row failed, or a batch pauses. */
export interface Failure {
  readonly code: ErrorCode
  readonly detail?: LocalizedText
}

/** What is kept of what was thrown: its code and its detail, and not its cause. */
export function failureOf({ code, details: { detail } }: SottoError): Failure {
  return { code, ...(detail !== undefined && { detail }) }
}
