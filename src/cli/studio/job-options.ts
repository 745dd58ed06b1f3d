import { InvalidArgumentError, Option, type Command } from 'commander'
import { parseUsd } from '../../shared/money.ts'
import { exitHelp } from './exit-codes.ts'

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

function toPicoUsd(text: string): string {
  const picoUsd = parseUsd(text.replace(/^\$/, ''))
  if (picoUsd === null || picoUsd < 0n)
    throw new InvalidArgumentError('Use an amount in US dollars, such as 0.25.')
  return picoUsd.toString()
}

/** Parses a whole number within bounds. */
export function toWhole(least: number, most: number): (text: string) => number {
  return (text) => {
    const number = /^-?\d{1,16}$/.test(text) ? Number(text) : NaN
    if (!Number.isSafeInteger(number) || number < least || number > most)
      throw new InvalidArgumentError(`Use a whole number from ${String(least)} to ${String(most)}.`)
    return number
  }
}

/** Parses a JSON object. */
export function toObject(text: string): Record<string, unknown> {
  const value = parsedJson(text)
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new InvalidArgumentError('Use a JSON object, such as {"style":"ink"}.')
  return Object.fromEntries(Object.entries(value))
}

function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
