import { InvalidArgumentError, Option, type Command } from 'commander'
import { parseUsd } from '../../shared/money.ts'
import { exitHelp } from './exit-codes.ts'

/** What commands have in common that have something made. @param single the service sells it by itself, too */
export function withJobOptions(command: Command, { single, out }: { readonly single: boolean; readonly out: string }): Command {
  if (single) {
    command
      .addOption(new Option('--pay <way>', 'from the account’s balance, or this one by itself over Lightning (402); by default the balance').choices(['balance', 'single']))
      .option('--yes', 'with --pay single: pay without asking here; what the wallet’s limits ask for is still confirmed', false)
  }
  return command
    .option('--max-cost <usd>', 'refused before anything is sent where it can cost more, or nobody knows', toPicoUsd)
    .option('-o, --out <path>', out)
    .option('--force', 'write over a file that is there', false)
    .option('--again <job>', 'ask for the same as a former job did, anew; it is paid anew')
    .option('--resume <job>', 'go on with a job that failed, was stopped or waits to be paid; what is done is not paid again')
    .option('--json', 'print one line of JSON', false)
    .addHelpText('after', exitHelp)
}

function toPicoUsd(text: string): string {
  const picoUsd = parseUsd(text.replace(/^\$/, ''))
  if (picoUsd === null || picoUsd < 0n) throw new InvalidArgumentError('It is an amount in dollars, such as 0.25.')
  return picoUsd.toString()
}

/** A whole number within bounds. */
export function toWhole(least: number, most: number): (text: string) => number {
  return (text) => {
    const number = /^-?\d{1,16}$/.test(text) ? Number(text) : NaN
    if (!Number.isSafeInteger(number) || number < least || number > most) throw new InvalidArgumentError(`It is a whole number from ${String(least)} to ${String(most)}.`)
    return number
  }
}

/** A JSON object, as text. */
export function toObject(text: string): Record<string, unknown> {
  const value = parsedJson(text)
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new InvalidArgumentError('It is a JSON object, such as {"style":"ink"}.')
  return Object.fromEntries(Object.entries(value))
}

function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
