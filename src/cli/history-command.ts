import { Command, InvalidArgumentError, Option } from 'commander'
import { z } from 'zod'
import { groupings, type Grouping } from '../shared/history.ts'
import { addExamples } from './help.ts'
import { toWhole } from './option-values.ts'

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

/** `sotto history`: the service's record of the account. */
export function historyCommand(): Command {
  const command = new Command('history')
    .summary('Show the account’s past requests and their cost')
    .description(
      'Show the account’s past requests and their cost, as recorded by the service. The newest is first.',
    )
    .option('--from <day>', 'First day (UTC), such as 2026-11-01', toDay)
    .option('--until <day>', 'Last day (UTC), such as 2026-11-30', toDay)
    .option('--model <id>', 'Only this model, by the name on the service’s bill', toText(200))
    .option('--source <word>', 'Only requests from this source', toText(100))
    .option('--type <word>', 'Only requests of this type', toText(100))
    .option('--key <name>', 'Only this API key of the account, by name or ID', toText(100))
    .option('--limit <requests>', 'Maximum number of requests, 1 to 100000', toWhole(1, 100_000), 50)
    .addOption(
      new Option('--summary <group>', 'Print totals by group instead of requests').choices(groupings),
    )
    .addOption(
      new Option('--csv', 'Print all requests as CSV, with exact amounts in US dollars')
        .default(false)
        .conflicts(['json', 'summary']),
    )
    .option('--json', 'Print JSON, with exact amounts in US dollars', false)
    .action(async (options: HistoryOptions) => {
      const { history } = await import('./history.ts')
      process.exitCode = await history(options)
    })
  return addExamples(command, 'sotto history --limit 10', 'sotto history --from 2026-11-01 --summary model')
}

function toDay(text: string): string {
  if (!z.iso.date().safeParse(text).success) throw new InvalidArgumentError('Use a date such as 2026-11-22.')
  return text
}

function toText(longest: number): (text: string) => string {
  return (text) => {
    if (text === '' || text.length > longest)
      throw new InvalidArgumentError(`Use 1 to ${String(longest)} characters.`)
    return text
  }
}
