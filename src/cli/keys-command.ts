import { Command } from 'commander'
import { addExamples } from './help.ts'
import {
  addLimitOptions,
  ALIAS_HELP,
  KNOWLEDGE_HELP,
  limitsOf,
  ORIGIN_HELP,
  requireBudget,
  toMoment,
  toName,
  WEB_SEARCH_HELP,
  type LimitOptions,
} from './key-limit-options.ts'
import { editLimits, toAliases, toList, toOrigins, type KeyEdit } from './key-names.ts'
import { toPicoUsd } from './option-values.ts'
import type { Output } from './json-output.ts'

interface AddOptions extends LimitOptions {
  readonly json: boolean
  readonly yes: boolean
}

/** `sotto keys …`: the local keys, for tools on this computer. */
export function keysCommand(): Command {
  const keys = new Command('keys').description('Manage local keys for tools on this computer')

  addExamples(
    keys
      .command('list', { isDefault: true })
      .description('List local keys with their limits, spending, and remaining budgets')
      .option('--json', 'Print one line of JSON', false)
      .action(async (options: Output) => {
        const { listKeys } = await import('./keys.ts')
        process.exitCode = await listKeys(options)
      }),
    'sotto keys list',
  )

  addExamples(
    addLimitOptions(keys.command('add'))
      .summary('Create a local key')
      .description(
        'Create a local key and print its secret once. If the key may do more than the default key, you confirm it in the terminal that runs Sotto or in a system dialog.',
      )
      .argument('<name>', 'Name of the tool, 1 to 60 characters', toName)
      .option(
        '--yes',
        'Confirm without a person, if no other Sotto uses the data folder. Needs SOTTO_VAULT=file and SOTTO_PASSPHRASE_FILE',
        false,
      )
      .option('--json', 'Print one line of JSON', false)
      .action(async (name: string, options: AddOptions, command: Command) => {
        requireBudget(options, command)
        if (options.yes) {
          const { missingForUnattended } = await import('./unattended.ts')
          const missing = missingForUnattended(process.env)
          if (missing !== null) command.error(`error: --yes needs ${missing}`)
        }
        const { addKey } = await import('./keys.ts')
        process.exitCode = await addKey(name, limitsOf(options), options)
      }),
    'sotto keys add Editor --budget 2.50 --per week --at-least sealed',
    'sotto keys add Monitor --grant metrics',
    "sotto keys add Claude --alias 'claude-*=private/model'",
    'sotto keys add Agent --budget 5 --per day --soft --alert 80 --token-rate 200000 --parallel 4',
  )

  addExamples(
    keys
      .command('edit')
      .summary('Change the aliases, origins and server tools of a local key')
      .description(
        'Change the aliases, origins and server tools of a local key. If the key may do more afterwards, you confirm it in the terminal that runs Sotto or in a system dialog.',
      )
      .argument('<name>', 'Key name or ID')
      .option('--alias <pattern=model>', ALIAS_HELP, toAliases)
      .option('--remove-alias <pattern>', 'Remove the alias with this pattern. Can be repeated', toList)
      .option('--origin <origin>', ORIGIN_HELP, toOrigins)
      .option('--remove-origin <origin>', 'Remove this origin. Can be repeated', toOrigins)
      .option('--web-search', WEB_SEARCH_HELP)
      .option('--no-web-search', 'Remove web search')
      .option('--knowledge <project>', KNOWLEDGE_HELP)
      .option('--no-knowledge', 'Remove the documents of a project')
      .option('--json', 'Print one line of JSON', false)
      .action(async (name: string, options: KeyEdit & { json: boolean }, command: Command) => {
        const { alias, removeAlias, origin, removeOrigin, webSearch, knowledge } = options
        if ((alias ?? removeAlias ?? origin ?? removeOrigin ?? webSearch ?? knowledge) === undefined)
          command.error(
            'error: name something to change: --alias, --remove-alias, --origin, --remove-origin, --web-search, or --knowledge',
          )
        const { editKey } = await import('./keys.ts')
        process.exitCode = await editKey(name, (limits) => editLimits(limits, options), options)
      }),
    "sotto keys edit Editor --alias 'gpt-4o=private/model'",
    'sotto keys edit Notes --origin app://obsidian.md',
  )

  addExamples(
    keys
      .command('increase')
      .summary('Increase a budget temporarily')
      .description(
        'Add an amount to the budget of a local key until the end of its current period, or until another time within 30 days. The amount 0 ends an increase. You confirm an increase in the terminal that runs Sotto or in a system dialog.',
      )
      .argument('<name>', 'Key name or ID')
      .argument('<usd>', 'Amount in US dollars, such as 2.50', toPicoUsd)
      .option(
        '--until <time>',
        'End of the increase, such as 2027-01-31 (default: the end of the current period)',
        toMoment,
      )
      .option('--json', 'Print one line of JSON', false)
      .action(async (name: string, picoUsd: string, options: { json: boolean; until?: number }) => {
        const { increaseBudget } = await import('./keys.ts')
        process.exitCode = await increaseBudget(name, picoUsd, options.until, options)
      }),
    'sotto keys increase Editor 5',
  )

  addExamples(
    keys
      .command('revoke')
      .summary('Revoke a local key')
      .description('Revoke a local key and cancel its running requests.')
      .argument('<name>', 'Key name or ID')
      .option('--json', 'Print one line of JSON', false)
      .action(async (name: string, options: Output) => {
        const { revokeKey } = await import('./keys.ts')
        process.exitCode = await revokeKey(name, options)
      }),
    'sotto keys revoke Editor',
  )

  return keys
}
