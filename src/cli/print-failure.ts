import type { ErrorCode } from '../shared/error-codes.ts'
import type { Failure } from '../shared/contract/sotto-contract.ts'
import type { Said } from '../shared/say.ts'
import { toolTextOf } from '../shared/tool-texts.ts'
import { failureLine } from './door-client.ts'
import { jsonLine } from './json-line.ts'

/** A failure of the command itself, to a person on standard error, or as one line of JSON on standard output. */
export function printFailure(failure: Failure, json: boolean): void {
  if (json) process.stdout.write(`${jsonLine({ error: failure })}\n`)
  else process.stderr.write(`${failureLine(failure)}\n`)
}

/** A failure that the command itself found. Its text may name commands and options. */
export function failure(code: ErrorCode, detail?: Said): Failure {
  const { says, remedy } = toolTextOf(code)
  return { code, says, remedy, ...(detail !== undefined && { detail }) }
}
