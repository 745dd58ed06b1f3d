import { plural, t } from '@lingui/core/macro'
import type { BudgetPeriod, KeyGrant, KeyLimitsText } from '../../../../shared/key-limits.ts'
import type { LocalKeyView } from '../../../../shared/local-key.ts'
import type { Model } from '../../../../shared/model.ts'
import { allowsModel } from '../../../../shared/model-pattern.ts'
import { formatUsd } from '../../../ui/format/money.ts'
import { formatCount } from '../../../ui/format/number.ts'
import { formatDateMinute } from '../../../ui/format/time.ts'

const periodWords: Readonly<Record<BudgetPeriod, string>> = { get day() { return t`per day` }, get week() { return t`per week` }, get month() { return t`per month` }, get total() { return t`total` } }
export const periodNames: Readonly<Record<BudgetPeriod, string>> = { get day() { return t`Daily` }, get week() { return t`Weekly` }, get month() { return t`Monthly` }, get total() { return t`Never (lifetime cap)` } }

/** Who may read a key’s requests, from everyone to fewest. */
export const readers = ['anyone', 'relayed', 'sealed'] as const
export const readerWords: Readonly<Record<(typeof readers)[number], string>> = {
  get anyone() { return t`The service and the model’s provider` },
  get relayed() { return t`The model’s provider, not the service` },
  get sealed() { return t`Only the enclave (private models)` },
}

/** What each grant lets the holder of a key do, beyond asking models. */
export const grantWords: Readonly<Record<KeyGrant, { readonly name: string; readonly means: string; readonly short: string }>> = {
  balance: { get name() { return t`Read balance` }, get means() { return t`The tool can see the account balance.` }, get short() { return t`can read the balance` } },
  history: { get name() { return t`Read history` }, get means() { return t`The tool can list the account’s past requests with models, times, and costs, but never their content.` }, get short() { return t`can read the history` } },
  metrics: { get name() { return t`Read metrics` }, get means() { return t`For monitoring: counts, costs, and latency of all requests through Sotto, at /metrics.` }, get short() { return t`can read the metrics` } },
  'pay-per-request': { get name() { return t`Pay per request` }, get means() { return t`Without a connected account, the tool can buy images, videos, and data from your wallet, within the wallet’s budgets.` }, get short() { return t`can pay per request` } },
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

export function modelsMeant(count: number, all: number): string {
  const meant = formatCount(count)
  return plural(all, { one: `${meant} of # model`, other: `${meant} of # models` })
}

/** What a key may do, in a few words each; nothing where it may do anything. */
export function limitWords(limits: KeyLimitsText, models: readonly Model[] | undefined): string[] {
  const { budget, allowUnpriced, atLeast, models: patterns, requestsPerMinute, expiresAt, grants = [] } = limits
  const words: string[] = []
  if (budget) words.push(budgetWords(budget))
  if (allowUnpriced) words.push(t`requests with unknown prices allowed`)
  if (atLeast === 'sealed') words.push(t`private models only`)
  if (atLeast === 'relayed') words.push(t`nothing the service can read`)
  if (patterns) words.push(models ? modelsMeant(models.filter(({ id }) => allowsModel(limits, id)).length, models.length) : plural(patterns.length, { one: '# model pattern', other: '# model patterns' }))
  if (requestsPerMinute !== undefined) words.push(plural(requestsPerMinute, { one: '# request per minute', other: '# requests per minute' }))
  if (expiresAt !== undefined) words.push(t`expires ${formatDateMinute(expiresAt)}`)
  return [...words, ...grants.map((grant) => grantWords[grant].short)]
}
