import { Command, InvalidArgumentError, Option } from 'commander'
import { budgetPeriods, keyGrants, type BudgetPeriod, type KeyGrant, type KeyLimitsText } from '../shared/key-limits.ts'
import { keyNameSchema } from '../shared/local-key.ts'
import { parseUsd } from '../shared/money.ts'

interface AddOptions {
  readonly json: boolean
  readonly budget?: string
  readonly per: BudgetPeriod
  readonly unpriced: boolean
  readonly models?: string[]
  readonly privateOnly: boolean
  readonly rate?: number
  readonly expires?: number
  readonly grant?: KeyGrant[]
}

/** `sotto keys …`: the keys of the tools on this machine. */
export function keysCommand(): Command {
  const keys = new Command('keys').description('list, make and revoke the keys of local tools, each with its own limits')

  keys
    .command('list', { isDefault: true })
    .description('what each key may do, has spent and holds')
    .option('--json', 'print one line of JSON', false)
    .action(async (options: { json: boolean }) => {
      const { listKeys } = await import('./keys.ts')
      process.exitCode = await listKeys(options)
    })

  keys
    .command('add')
    .description('make a key and print its secret, once; where it may do more than the first key, that is confirmed')
    .argument('<name>', 'the tool that it is for', toName)
    .option('--budget <usd>', 'what it may spend within each period', toPicoUsd)
    .addOption(new Option('--per <period>', 'the period of the budget').choices(budgetPeriods).default('month'))
    .option('--unpriced', 'with a budget, also requests of unknown price', false)
    .option('--models <patterns...>', 'the models that it may use, "*" for any text')
    .option('--private-only', 'nothing that the service can read', false)
    .option('--rate <requests>', 'requests a minute', toRate)
    .option('--expires <time>', 'its end, such as 2027-01-31', toMoment)
    .addOption(new Option('--grant <rights...>', 'what it has beside inference').choices(keyGrants))
    .option('--json', 'print one line of JSON', false)
    .action(async (name: string, options: AddOptions) => {
      const { addKey } = await import('./keys.ts')
      process.exitCode = await addKey(name, limitsOf(options), options)
    })

  keys
    .command('revoke')
    .description('end a key at once, with its requests under way')
    .argument('<name>', 'its name, or its id')
    .option('--json', 'print one line of JSON', false)
    .action(async (name: string, options: { json: boolean }) => {
      const { revokeKey } = await import('./keys.ts')
      process.exitCode = await revokeKey(name, options)
    })

  return keys
}

function limitsOf({ budget, per, unpriced, models, privateOnly, rate, expires, grant }: AddOptions): KeyLimitsText {
  return {
    ...(budget !== undefined && { budget: { picoUsd: budget, period: per } }),
    ...(budget !== undefined && unpriced && { allowUnpriced: true }),
    ...(models && { models }),
    ...(privateOnly && { privateOnly: true }),
    ...(rate !== undefined && { requestsPerMinute: rate }),
    ...(expires !== undefined && { expiresAt: expires }),
    ...(grant && { grants: [...new Set(grant)] }),
  }
}

function toName(text: string): string {
  const name = keyNameSchema.safeParse(text)
  if (!name.success) throw new InvalidArgumentError('A name has 1 to 60 characters that can be seen.')
  return name.data
}

function toPicoUsd(text: string): string {
  const picoUsd = parseUsd(text.replace(/^\$/, ''))
  if (picoUsd === null || picoUsd < 0n) throw new InvalidArgumentError('A budget is an amount in dollars, such as 2.50.')
  return picoUsd.toString()
}

function toRate(text: string): number {
  const rate = Number(text)
  if (!Number.isInteger(rate) || rate < 1 || rate > 1_000_000) throw new InvalidArgumentError('A rate is a whole number of requests, 1 or more.')
  return rate
}

function toMoment(text: string): number {
  const at = Date.parse(text)
  if (Number.isNaN(at) || at < 0) throw new InvalidArgumentError('A time is written as 2027-01-31 or 2027-01-31T18:00Z.')
  return at
}
