import { ORPCError } from '@orpc/server'
import type { Failure } from '../../shared/contract/sotto-contract.ts'
import { errorCodes, type ErrorCode } from '../../shared/error-codes.ts'
import { SottoError } from '../../shared/errors.ts'
import type { LocalizedText } from '../../shared/localized-text.ts'

/** Converts a failure with a code for the window, without its cause, which may contain private data. */
export function toFailure(error: SottoError): Failure {
  const { says, remedy } = errorCodes[error.code]
  const { detail, step, stepCode, receiptId, retryAfterSeconds } = error.details
  return {
    code: error.code,
    says,
    remedy,
    ...(detail !== undefined && { detail }),
    ...(step !== undefined && { step }),
    ...(stepCode !== undefined && { stepCode }),
    ...(receiptId !== undefined && { receiptId }),
    ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
  }
}

/** A failure as records store it. */
interface StoredFailure {
  readonly code: ErrorCode
  readonly detail?: LocalizedText
}

/** The error to throw for the failure of a record. */
export function storedError({ code, detail }: StoredFailure): SottoError {
  return new SottoError(code, detail === undefined ? {} : { detail })
}

/** Converts the failure of a record for the window. */
export function storedFailure(failure: StoredFailure): Failure {
  return toFailure(storedError(failure))
}

/**
 * Converts failures with codes to the contract's declared error. Other errors remain unknown to the window.
 */
export async function withFailures<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (thrown) {
    throw declared(thrown)
  }
}

/** Like withFailures, for a stream of events. */
export async function* eventsWithFailures<T>(events: AsyncIterable<T>): AsyncGenerator<T, void> {
  try {
    yield* events
  } catch (thrown) {
    throw declared(thrown)
  }
}

function declared(thrown: unknown): unknown {
  return thrown instanceof SottoError
    ? new ORPCError('SOTTO', { status: 422, message: thrown.message, data: toFailure(thrown) })
    : thrown
}
