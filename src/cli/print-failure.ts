import { errorCodes, type ErrorCode } from '../shared/error-codes.ts'
import type { Failure } from '../shared/contract/sotto-contract.ts'
import { failureLine } from './door-client.ts'

/** A failure of the command itself, to a person on standard error, or as one line of JSON on standard output. */
export function printFailure(failure: Failure, json: boolean): void {
  if (json) process.stdout.write(`${JSON.stringify({ error: failure })}\n`)
  else process.stderr.write(`${failureLine(failure)}\n`)
}

export function failure(code: ErrorCode, detail?: string): Failure {
  const { says, remedy } = errorCodes[code]
  return { code, says, remedy, ...(detail !== undefined && { detail }) }
}
