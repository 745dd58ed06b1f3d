import { InvalidArgumentError, Option, type Command } from 'commander'
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
import { editLimits, toAliases, toOrigins, type KeyEdit } from './key-names.ts'
import { toPicoUsd, toWhole } from './option-values.ts'

/** The options of a command that creates a local key. */
export interface LimitOptions extends Pick<KeyEdit, 'alias' | 'origin'> {
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
  readonly webSearch?: boolean
  readonly knowledge?: string
}

export const ALIAS_HELP =
  'Another name of a model. "*" in the pattern matches any text; the first match counts. Can be repeated'
export const ORIGIN_HELP =
  'Origin of a web page or web view that may use the key, such as app://obsidian.md. Can be repeated'

export const WEB_SEARCH_HELP = 'Let models search the web. The window asks about each query'
export const KNOWLEDGE_HELP =
  'Let models read the documents of the project of this name. The window asks first'

/** Adds the options for the limits of a new key. */
export function addLimitOptions(command: Command): Command {
  return command
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
      toWhole(1, 99),
    )
    .option('--unpriced', 'With a budget: allow requests with unknown prices', false)
    .option('--models <patterns...>', 'Allowed models. "*" matches any text (default: all models)')
    .addOption(
      new Option(
        '--at-least <privacy>',
        'Who may read requests: "sealed" allows only private models, "relayed" also chat that only the model’s provider reads (default: anyone)',
      ).choices(leastPrivacies),
    )
    .option('--rate <requests>', 'Maximum requests per minute (default: no limit)', toWhole(1, 1_000_000))
    .option('--token-rate <tokens>', 'Maximum tokens per minute (default: no limit)', toWhole(1, 999_999_999))
    .option('--parallel <requests>', 'Maximum parallel requests (default: no limit)', toWhole(1, 999))
    .option('--expires <time>', 'Expiry, such as 2027-01-31 (default: never)', toMoment)
    .addOption(
      new Option('--grant <rights...>', 'Permissions in addition to model requests').choices(keyGrants),
    )
    .option('--web-search', WEB_SEARCH_HELP)
    .option('--knowledge <project>', KNOWLEDGE_HELP)
    .option('--alias <pattern=model>', ALIAS_HELP, toAliases)
    .option('--origin <origin>', ORIGIN_HELP, toOrigins)
}

/**
 * Refuses options that need a budget. Without its amount, a key that was meant to be limited would have no limit.
 */
export function requireBudget(options: LimitOptions, command: Command): void {
  const ofBudget = [
    options.soft && '--soft',
    options.alert !== undefined && '--alert',
    options.unpriced && '--unpriced',
  ].filter((option) => option !== false)
  if (options.budget === undefined && ofBudget.length > 0)
    command.error(`error: ${ofBudget.join(', ')} needs --budget`)
}

/** Returns the limits that the options name, in the form in which they are stored. */
export function limitsOf({
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
  webSearch,
  knowledge,
}: LimitOptions): KeyLimitsText {
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
    {
      ...(alias && { alias }),
      ...(origin && { origin }),
      ...(webSearch !== undefined && { webSearch }),
      ...(knowledge !== undefined && { knowledge }),
    },
  )
}

export function toName(text: string): string {
  const name = keyNameSchema.safeParse(text)
  if (!name.success) throw new InvalidArgumentError('Use 1 to 60 visible characters.')
  return name.data
}

export function toMoment(text: string): number {
  const at = Date.parse(text)
  if (Number.isNaN(at) || at < 0)
    throw new InvalidArgumentError('Use a time such as 2027-01-31 or 2027-01-31T18:00Z.')
  return at
}
