import { ORPCError } from '@orpc/server'
import type { Failure } from '../../shared/contract/sotto-contract.ts'
import { errorCodes } from '../../shared/error-codes.ts'
import { SottoError } from '../../shared/errors.ts'

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
