import { Command, InvalidArgumentError, Option } from 'commander'
import { z } from 'zod'
import { groupings, type Grouping } from '../shared/history.ts'

export interface HistoryOptions {
  readonly from?: string
  readonly until?: string
  readonly model?: string
  readonly source?: string
  readonly type?: string
  readonly key?: string
  readonly limit: number
  readonly summary?: Grouping
  readonly csv: boolean
  readonly json: boolean
}

/** `sotto history`: what the service recorded of the account. */
export function historyCommand(): Command {
  return new Command('history')
    .description('what the service recorded of the account, the newest first: what was asked, when, and what it cost')
    .option('--from <day>', 'from this day on (UTC), such as 2026-11-01', toDay)
    .option('--until <day>', 'until this day, included', toDay)
    .option('--model <id>', 'of this model alone, by the name that the service bills', toText(200))
    .option('--source <word>', 'of this source alone', toText(100))
    .option('--type <word>', 'of this type alone', toText(100))
    .option('--key <name>', 'of this key of the account alone, by its name or id', toText(100))
    .option('--limit <queries>', 'at most so many', toLimit, 50)
    .addOption(new Option('--summary <group>', 'sums of all of them').choices(groupings))
    .addOption(new Option('--csv', 'all of them as CSV, with exact amounts').default(false).conflicts(['json', 'summary']))
    .option('--json', 'print JSON, with exact amounts', false)
    .action(async (options: HistoryOptions) => {
      const { history } = await import('./history.ts')
      process.exitCode = await history(options)
    })
}

function toDay(text: string): string {
  if (!z.iso.date().safeParse(text).success) throw new InvalidArgumentError('A day is written as 2026-11-22.')
  return text
}

function toText(longest: number): (text: string) => string {
  return (text) => {
    if (text === '' || text.length > longest) throw new InvalidArgumentError(`It has 1 to ${String(longest)} characters.`)
    return text
  }
}

function toLimit(text: string): number {
  const limit = Number(text)
  if (!Number.isInteger(limit) || limit < 1 || limit > 100_000) throw new InvalidArgumentError('A limit is a whole number from 1 to 100000.')
  return limit
}
