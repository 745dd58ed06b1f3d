import { Command, InvalidArgumentError, Option } from 'commander'
import {
  budgetPeriods,
  keyGrants,
  leastPrivacies,
  type BudgetPeriod,
  type KeyGrant,
  type KeyLimitsText,
  type LeastPrivacy,
} from '../shared/key-limits.ts'
import { keyNameSchema } from '../shared/local-key.ts'
import { parseUsd } from '../shared/money.ts'
import { addExamples } from './help.ts'
import { editLimits, toAliases, toList, toOrigins, type KeyEdit } from './key-names.ts'

interface AddOptions extends Pick<KeyEdit, 'alias' | 'origin'> {
  readonly json: boolean
  readonly yes: boolean
  readonly budget?: string
  readonly per: BudgetPeriod
  readonly soft: boolean
  readonly alert?: number
  readonly unpriced: boolean
  readonly models?: string[]
  readonly atLeast?: LeastPrivacy
  readonly rate?: number
  readonly tokenRate?: number
  readonly parallel?: number
  readonly expires?: number
  readonly grant?: KeyGrant[]
}

const ALIAS_HELP =
  'Another name of a model. "*" in the pattern matches any text; the first match counts. Can be repeated'
const ORIGIN_HELP =
  'Origin of a web page or web view that may use the key, such as app://obsidian.md. Can be repeated'

/** `sotto keys …`: the local keys, for tools on this computer. */
export function keysCommand(): Command {
  const keys = new Command('keys').description('Manage local keys for tools on this computer')

  addExamples(
    keys
      .command('list', { isDefault: true })
      .description('List local keys with their limits, spending, and remaining budgets')
      .option('--json', 'Print one line of JSON', false)
      .action(async (options: { json: boolean }) => {
        const { listKeys } = await import('./keys.ts')
        process.exitCode = await listKeys(options)
      }),
    'sotto keys list',
  )

  addExamples(
    keys
      .command('add')
      .summary('Create a local key')
      .description(
        'Create a local key and print its secret once. If the key may do more than the default key, you confirm it in the terminal that runs Sotto or in a system dialog.',
      )
      .argument('<name>', 'Name of the tool, 1 to 60 characters', toName)
      .option('--budget <usd>', 'Budget in US dollars, such as 2.50 (default: no budget)', toPicoUsd)
      .addOption(
        new Option('--per <period>', 'When the budget resets. "total" never resets')
          .choices(budgetPeriods)
          .default('month'),
      )
      .option(
        '--soft',
        'With a budget: refuse requests only when it is spent, and reserve nothing. Parallel requests can exceed it',
        false,
      )
      .option(
        '--alert <percent>',
        'With a budget: report when this percentage is spent, 1 to 99',
        wholeNumber(1, 99),
      )
      .option('--unpriced', 'With a budget: allow requests with unknown prices', false)
      .option('--models <patterns...>', 'Allowed models. "*" matches any text (default: all models)')
      .addOption(
        new Option(
          '--at-least <privacy>',
          'Who may read requests: "sealed" allows only private models, "relayed" also chat that only the model’s provider reads (default: anyone)',
        ).choices(leastPrivacies),
      )
      .option(
        '--rate <requests>',
        'Maximum requests per minute (default: no limit)',
        wholeNumber(1, 1_000_000),
      )
      .option(
        '--token-rate <tokens>',
        'Maximum tokens per minute (default: no limit)',
        wholeNumber(1, 999_999_999),
      )
      .option('--parallel <requests>', 'Maximum parallel requests (default: no limit)', wholeNumber(1, 999))
      .option('--expires <time>', 'Expiry, such as 2027-01-31 (default: never)', toMoment)
      .addOption(
        new Option('--grant <rights...>', 'Permissions in addition to model requests').choices(keyGrants),
      )
      .option('--alias <pattern=model>', ALIAS_HELP, toAliases)
      .option('--origin <origin>', ORIGIN_HELP, toOrigins)
      .option(
        '--yes',
        'Confirm without a person, if no other Sotto uses the data folder. Needs SOTTO_VAULT=file and SOTTO_PASSPHRASE_FILE',
        false,
      )
      .option('--json', 'Print one line of JSON', false)
      .action(async (name: string, options: AddOptions, command: Command) => {
        const ofBudget = [
          options.soft && '--soft',
          options.alert !== undefined && '--alert',
          options.unpriced && '--unpriced',
        ].filter((option) => option !== false)
        // Without the amount, a key that was meant to be limited would have no limit.
        if (options.budget === undefined && ofBudget.length > 0)
          command.error(`error: ${ofBudget.join(', ')} needs --budget`)
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
      .summary('Change the aliases and origins of a local key')
      .description(
        'Change the aliases and origins of a local key. If the key may do more afterwards, you confirm it in the terminal that runs Sotto or in a system dialog.',
      )
      .argument('<name>', 'Key name or ID')
      .option('--alias <pattern=model>', ALIAS_HELP, toAliases)
      .option('--remove-alias <pattern>', 'Remove the alias with this pattern. Can be repeated', toList)
      .option('--origin <origin>', ORIGIN_HELP, toOrigins)
      .option('--remove-origin <origin>', 'Remove this origin. Can be repeated', toOrigins)
      .option('--json', 'Print one line of JSON', false)
      .action(async (name: string, options: KeyEdit & { json: boolean }, command: Command) => {
        const { alias, removeAlias, origin, removeOrigin } = options
        if (!(alias ?? removeAlias ?? origin ?? removeOrigin))
          command.error(
            'error: name something to change: --alias, --remove-alias, --origin, or --remove-origin',
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
      .action(async (name: string, options: { json: boolean }) => {
        const { revokeKey } = await import('./keys.ts')
        process.exitCode = await revokeKey(name, options)
      }),
    'sotto keys revoke Editor',
  )

  return keys
}

function limitsOf({
  budget,
  per,
  soft,
  alert,
  unpriced,
  models,
  atLeast,
  rate,
  tokenRate,
  parallel,
  expires,
  grant,
  alias,
  origin,
}: AddOptions): KeyLimitsText {
  return editLimits(
    {
      ...(budget !== undefined && {
        budget: {
          picoUsd: budget,
          period: per,
          ...(soft && { soft }),
          ...(alert !== undefined && { alertPercent: alert }),
        },
      }),
      ...(unpriced && { allowUnpriced: true }),
      ...(models && { models }),
      ...(atLeast && { atLeast }),
      ...(rate !== undefined && { requestsPerMinute: rate }),
      ...(tokenRate !== undefined && { tokensPerMinute: tokenRate }),
      ...(parallel !== undefined && { parallelRequests: parallel }),
      ...(expires !== undefined && { expiresAt: expires }),
      ...(grant && { grants: [...new Set(grant)] }),
    },
    { ...(alias && { alias }), ...(origin && { origin }) },
  )
}

function toName(text: string): string {
  const name = keyNameSchema.safeParse(text)
  if (!name.success) throw new InvalidArgumentError('Use 1 to 60 visible characters.')
  return name.data
}

function toPicoUsd(text: string): string {
  const picoUsd = parseUsd(text.replace(/^\$/, ''))
  if (picoUsd === null || picoUsd < 0n)
    throw new InvalidArgumentError('Use an amount in US dollars, such as 2.50.')
  return picoUsd.toString()
}

function wholeNumber(least: number, most: number): (text: string) => number {
  return (text) => {
    const number = Number(text)
    if (!Number.isInteger(number) || number < least || number > most)
      throw new InvalidArgumentError(`Use a whole number from ${String(least)} to ${String(most)}.`)
    return number
  }
}

function toMoment(text: string): number {
  const at = Date.parse(text)
  if (Number.isNaN(at) || at < 0)
    throw new InvalidArgumentError('Use a time such as 2027-01-31 or 2027-01-31T18:00Z.')
  return at
}
