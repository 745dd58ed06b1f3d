import type { BudgetPeriod, KeyGrant, KeyLimitsText } from '../../../../shared/key-limits.ts'
import type { LocalKeyView } from '../../../../shared/local-key.ts'
import type { Model } from '../../../../shared/model.ts'
import { allowsModel } from '../../../../shared/model-pattern.ts'
import { formatUsd } from '../../../ui/format/money.ts'
import { formatCount } from '../../../ui/format/number.ts'
import { formatDateMinute } from '../../../ui/format/time.ts'

const periodWords: Readonly<Record<BudgetPeriod, string>> = { day: 'a day', week: 'a week', month: 'a month', total: 'in all' }
export const periodNames: Readonly<Record<BudgetPeriod, string>> = { day: 'Each day', week: 'Each week', month: 'Each month', total: 'Never: once, in all' }

/** What each grant lets the holder of a key do, beyond asking models. */
export const grantWords: Readonly<Record<KeyGrant, { readonly name: string; readonly means: string; readonly short: string }>> = {
  balance: { name: 'Read the balance', means: 'The tool may ask what is left on the account.', short: 'reads the balance' },
  history: { name: 'Read the history', means: 'The tool may list what the account asked for before, with models, times and costs; never what was said.', short: 'reads the history' },
  metrics: { name: 'Read the metrics', means: 'For a monitor: counts, costs and delays of everything that passes here, at /metrics.', short: 'reads the metrics' },
  'pay-per-request': { name: 'Pay per request', means: 'Where no account is connected, images, videos and data may be paid one by one from your wallet, within its budgets.', short: 'pays per request' },
}

interface Meter {
  /** Parts of the budget, 0 to 1; together at most 1. */
  readonly spent: number
  readonly held: number
}

/** How far a budget is used up; undefined where there is none. */
export function meterOf({ limits: { budget }, spent, held }: Pick<LocalKeyView, 'limits' | 'spent' | 'held'>): Meter | undefined {
  if (!budget) return undefined
  const whole = BigInt(budget.picoUsd)
  if (whole === 0n) return { spent: 1, held: 0 }
  const part = (amount: bigint) => Number((amount * 10_000n) / whole) / 10_000
  const spentPart = Math.min(1, part(BigInt(spent)))
  return { spent: spentPart, held: Math.min(1 - spentPart, part(BigInt(held))) }
}

export function budgetWords({ picoUsd, period }: NonNullable<KeyLimitsText['budget']>): string {
  return `${formatUsd(picoUsd)} ${periodWords[period]}`
}

/** What a key may do, in a few words each; nothing where it may do anything. */
export function limitWords(limits: KeyLimitsText, models: readonly Model[] | undefined): string[] {
  const { budget, allowUnpriced, privateOnly, models: patterns, requestsPerMinute, expiresAt, grants = [] } = limits
  const words: string[] = []
  if (budget) words.push(budgetWords(budget))
  if (allowUnpriced) words.push('unpriced requests too')
  if (privateOnly) words.push('private models only')
  if (patterns) words.push(models ? `${formatCount(models.filter(({ id }) => allowsModel(limits, id)).length)} of ${formatCount(models.length)} models` : `${formatCount(patterns.length)} model ${patterns.length === 1 ? 'pattern' : 'patterns'}`)
  if (requestsPerMinute !== undefined) words.push(`${formatCount(requestsPerMinute)} requests a minute`)
  if (expiresAt !== undefined) words.push(`until ${formatDateMinute(expiresAt)}`)
  return [...words, ...grants.map((grant) => grantWords[grant].short)]
}
