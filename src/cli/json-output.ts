import type { Failure } from '../shared/contract/sotto-contract.ts'
import { localizedTextSchema } from '../shared/localized-text-schema.ts'
import { renderEnglish } from '../shared/localized-text.ts'

/** What every command with `--json` takes. */
export interface Output {
  /** Print a single line of JSON to standard output. */
  readonly json: boolean
}

/** Counts the changes that a program must know about: a member that was removed, renamed or got another meaning. */
const JSON_SCHEMA = 1

/**
 * Writes what a command prints with `--json`: `{"data": …, "schema": 1}` on one line. A failure has `"error"` too, and
 * then `data` is null, or what exists despite the failure. Texts of the core are in English.
 *
 * @param error the failure of the command; a job can have both a failure and files
 * @param data amounts in decimal text, in members that name their unit (`costUsd`, `feeMsat`)
 */
export function jsonLine(data: unknown, error?: Failure): string {
  return serialize({ data, ...(error && { error }), schema: JSON_SCHEMA })
}

/**
 * Begins the same form for a list that is printed in pieces, because it can be longer than the memory allows. Write the
 * items with commas between them, then `jsonListEnd`.
 */
export const jsonListStart = '{"data":['

/** @param error the failure that ended the list early */
export function jsonListEnd(error?: Failure): string {
  return `\n],${serialize({ ...(error && { error }), schema: JSON_SCHEMA }).slice(1)}\n`
}

function serialize(answer: object): string {
  return JSON.stringify(answer, (name, member: unknown) => {
    const text = name === 'detail' ? localizedTextSchema.safeParse(member) : undefined
    return text?.success ? renderEnglish(text.data) : member
  })
}
