import type { ErrorCode } from '../../shared/error-codes.ts'
import type { SottoError } from '../../shared/errors.ts'
import type { LocalizedText } from '../../shared/localized-text.ts'

/** The stored reason why a job or a row failed, or why a batch pauses. */
export interface Failure {
  readonly code: ErrorCode
  readonly detail?: LocalizedText
}

/** The code and the detail of an error, without its cause. */
export function failureOf({ code, details: { detail } }: SottoError): Failure {
  return { code, ...(detail !== undefined && { detail }) }
}
