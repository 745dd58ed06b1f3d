import { InvalidArgumentError, Option, type Command } from 'commander'
import type { JobState } from '../../shared/job.ts'
import { tryParseJson } from '../../shared/strict-json.ts'
import { exits } from '../exit-codes.ts'
import { toPicoUsd } from '../option-values.ts'

/** Exit codes of the commands that create or wait for jobs. */
export const jobExit = { ...exits, unknown: 3 } as const

export const exitHelp = `
Exit codes:
  0    Done
  1    Refused, failed, or stopped. The error code gives the reason
  2    The input can’t be used. Nothing was sent
  3    The outcome is unknown and you may have been charged, or the result’s link expired
  130  Stopped with Ctrl-C. The output explains what happens to the job

The service and its providers can read what you send.
Sotto saves results encrypted on this computer. To list them, run: sotto jobs`

/** Returns the exit code for a job that has settled. */
export function exitOfState(state: JobState): number {
  if (state === 'done') return jobExit.done
  return state === 'unknown' || state === 'lost' ? jobExit.unknown : jobExit.refused
}

/** Adds the options that all commands which create jobs have. @param single whether the service also sells it per request */
export function withJobOptions(
  command: Command,
  { single, out }: { readonly single: boolean; readonly out: string },
): Command {
  if (single) {
    command
      .addOption(
        new Option(
          '--pay <way>',
          'Payment method: the account balance, or per request over Lightning (default: balance)',
        ).choices(['balance', 'single']),
      )
      .option(
        '--yes',
        'With --pay single: pay without a question here. Payments above the wallet’s limits still need confirmation',
        false,
      )
  }
  return command
    .option(
      '--max-cost <usd>',
      'Maximum cost in US dollars. Nothing is sent if it may cost more or the cost is unknown',
      toPicoUsd,
    )
    .option('-o, --out <path>', out)
    .option('--force', 'Overwrite existing files', false)
    .option('--again <job>', 'Send the request of an earlier job again, and pay again. Takes the job ID')
    .option(
      '--resume <job>',
      'Resume a job that failed, was stopped, or is waiting for payment. Completed parts are not paid again',
    )
    .option('--json', 'Print one line of JSON', false)
    .addHelpText('after', exitHelp)
}

/** Parses a JSON object. */
export function toObject(text: string): Record<string, unknown> {
  const value = tryParseJson(text)
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new InvalidArgumentError('Use a JSON object, such as {"style":"ink"}.')
  return Object.fromEntries(Object.entries(value))
}
