import { ORPCError } from '@orpc/client'
import type { Failure } from '../../shared/contract/sotto-contract.ts'
import { currentErrorCode, errorCodes, type ErrorCode } from '../../shared/error-codes.ts'

/** The input doesn't match the schema of the contract. */
export const inputRefused: Failure = {
  code: 'window/input-refused',
  says: 'Sotto couldn’t accept what you entered.',
  remedy: 'Check it and try again.',
}

/** The server of a page on another computer doesn't answer. */
export const serverUnreachable: Failure = {
  code: 'window/unreachable',
  says: 'Sotto isn’t responding.',
  remedy: 'Check your network connection and try again.',
}

/** A failure that the window detected itself, or received in another way than from a call. */
export class WindowError extends Error {
  override name = 'WindowError'
  readonly failure: Failure

  constructor(source: ErrorCode | Failure) {
    const failure = typeof source === 'string' ? codedFailure(source) : source
    super(failure.says)
    this.failure = failure
  }
}

/** Turns anything that a call to the core can throw into a failure with an explanation. */
export function asFailure(thrown: unknown): Failure {
  if (thrown instanceof WindowError) return thrown.failure
  if (thrown instanceof ORPCError) {
    const data: unknown = thrown.data
    if (thrown.code === 'SOTTO' && isFailure(data)) return data
    if (thrown.status === 401) {
      return {
        code: 'window/session-closed',
        says: 'This tab is no longer connected to Sotto.',
        remedy: 'Run "sotto open" in a terminal.',
      }
    }
    if (thrown.status === 400) return inputRefused
    return codedFailure('proxy/internal')
  }
  if (isAbort(thrown)) return codedFailure('request/canceled')
  return {
    code: 'window/unreachable',
    says: 'Sotto isn’t responding.',
    remedy: 'Check that it’s running. This window reconnects automatically.',
  }
}

/** The failure that a stored code names, with its stored detail. An unknown code is shown unchanged. */
export function codedFailure(code: string, detail?: Failure['detail']): Failure {
  const more = detail && { detail }
  const current = currentErrorCode(code)
  if (current === undefined)
    return { code, says: 'Couldn’t complete this action.', remedy: 'Try again.', ...more }
  const { says, remedy } = errorCodes[current]
  return { code: current, says, remedy, ...more }
}

export function isAbort(thrown: unknown): boolean {
  return thrown instanceof Error && thrown.name === 'AbortError'
}

export function isFailure(data: unknown): data is Failure {
  return (
    typeof data === 'object' &&
    data !== null &&
    'code' in data &&
    typeof data.code === 'string' &&
    'says' in data &&
    typeof data.says === 'string' &&
    'remedy' in data &&
    typeof data.remedy === 'string'
  )
}
