import { plural, t } from '@lingui/core/macro'
import { usableBudget, type BudgetUse } from '../../../shared/budget-use.ts'
import type { BudgetPeriod, KeyGrant, KeyLimitsText } from '../../../shared/key-limits.ts'
import type { LocalKeyView } from '../../../shared/local-key.ts'
import type { Model } from '../../../shared/model.ts'
import { allowsModel } from '../../../shared/model-pattern.ts'
import { formatUsd } from '../format/money.ts'
import { formatCount } from '../format/number.ts'
import { formatDateMinute } from '../format/time.ts'

const periodWords: Readonly<Record<BudgetPeriod, string>> = {
  get day() {
    return t`per day`
  },
  get week() {
    return t`per week`
  },
  get month() {
    return t`per month`
  },
  get total() {
    return t`total`
  },
}
export const periodNames: Readonly<Record<BudgetPeriod, string>> = {
  get day() {
    return t`Daily`
  },
  get week() {
    return t`Weekly`
  },
  get month() {
    return t`Monthly`
  },
  get total() {
    return t`Never (lifetime cap)`
  },
}

/** Who may read a key’s requests, from everyone to fewest. */
export const readers = ['anyone', 'relayed', 'sealed'] as const
export const readerWords: Readonly<Record<(typeof readers)[number], string>> = {
  get anyone() {
    return t`The service and the model’s provider`
  },
  get relayed() {
    return t`The model’s provider, not the service`
  },
  get sealed() {
    return t`Only the enclave (private models)`
  },
}

/** What each grant lets the holder of a key do, beyond asking models. */
export const grantWords: Readonly<
  Record<KeyGrant, { readonly name: string; readonly means: string; readonly short: string }>
> = {
  balance: {
    get name() {
      return t`Read balance`
    },
    get means() {
      return t`The tool can see the account balance.`
    },
    get short() {
      return t`can read the balance`
    },
  },
  history: {
    get name() {
      return t`Read history`
    },
    get means() {
      return t`The tool can list the account’s past requests with models, times, and costs, but never their content.`
    },
    get short() {
      return t`can read the history`
    },
  },
  metrics: {
    get name() {
      return t`Read metrics`
    },
    get means() {
      return t`For monitoring: counts, costs, and latency of all requests through Sotto, at /metrics.`
    },
    get short() {
      return t`can read the metrics`
    },
  },
  'pay-per-request': {
    get name() {
      return t`Pay per request`
    },
    get means() {
      return t`Without a connected account, the tool can buy images, videos, and data from your wallet, within the wallet’s budgets.`
    },
    get short() {
      return t`can pay per request`
    },
  },
}

interface Meter {
  /** Parts of the budget, 0 to 1; together at most 1. */
  readonly spent: number
  readonly reserved: number
}

/** A budget and its use, of a key or of the keys of a person. Amounts are in pico-USD. */
export interface Money extends Pick<LocalKeyView, 'increase' | 'spent' | 'held'> {
  readonly limits: Pick<KeyLimitsText, 'budget'>
}

/** The key's budget and its use; undefined without a budget. */
export function budgetUseOf({ limits: { budget }, increase, spent, held }: Money): BudgetUse | undefined {
  return (
    budget && {
      budget: { ...budget, picoUsd: BigInt(budget.picoUsd) },
      ...(increase && { increase: { picoUsd: BigInt(increase.picoUsd) } }),
      spent: BigInt(spent),
      held: BigInt(held),
    }
  )
}

/** Which parts of a budget are spent and held. */
export function meterOf(use: BudgetUse): Meter {
  const whole = usableBudget(use)
  if (whole === 0n) return { spent: 1, reserved: 0 }
  const part = (amount: bigint) => Number((amount * 10_000n) / whole) / 10_000
  const spentPart = Math.min(1, part(use.spent))
  return { spent: spentPart, reserved: Math.min(1 - spentPart, part(use.held)) }
}

/** @param increase - in pico-USD; only while it counts */
export function budgetWords(
  { picoUsd, period, soft }: NonNullable<KeyLimitsText['budget']>,
  increase = '0',
): string {
  const amount = `${formatUsd(String(BigInt(picoUsd) + BigInt(increase)))} ${periodWords[period]}`
  return soft ? t`${amount} (soft)` : amount
}

export function modelsMeant(count: number, all: number): string {
  const meant = formatCount(count)
  return plural(all, { one: `${meant} of # model`, other: `${meant} of # models` })
}

/** The limits of a key in a few words each; empty if it may do anything. */
export function limitWords(limits: KeyLimitsText, models: readonly Model[] | undefined): string[] {
  return [...(limits.budget ? [budgetWords(limits.budget)] : []), ...otherLimitWords(limits, models)]
}

/** All limits except the amount of the budget. */
export function otherLimitWords(limits: KeyLimitsText, models: readonly Model[] | undefined): string[] {
  const {
    budget,
    allowUnpriced,
    atLeast,
    models: patterns,
    requestsPerMinute,
    tokensPerMinute,
    parallelRequests,
    expiresAt,
    grants = [],
    aliases = [],
    origins = [],
    serverTools,
  } = limits
  const labels: string[] = []
  if (budget?.alertPercent !== undefined) labels.push(t`alert at ${budget.alertPercent}%`)
  if (allowUnpriced) labels.push(t`requests with unknown prices allowed`)
  if (atLeast === 'sealed') labels.push(t`private models only`)
  if (atLeast === 'relayed') labels.push(t`nothing the service can read`)
  if (patterns)
    labels.push(
      models
        ? modelsMeant(models.filter(({ id }) => allowsModel(limits, id)).length, models.length)
        : plural(patterns.length, { one: '# model pattern', other: '# model patterns' }),
    )
  if (requestsPerMinute !== undefined)
    labels.push(plural(requestsPerMinute, { one: '# request per minute', other: '# requests per minute' }))
  if (tokensPerMinute !== undefined) {
    const count = formatCount(tokensPerMinute)
    labels.push(
      plural(tokensPerMinute, { one: `${count} token per minute`, other: `${count} tokens per minute` }),
    )
  }
  if (parallelRequests !== undefined)
    labels.push(plural(parallelRequests, { one: '# parallel request', other: '# parallel requests' }))
  if (expiresAt !== undefined) labels.push(t`expires ${formatDateMinute(expiresAt)}`)
  if (aliases.length > 0) labels.push(plural(aliases.length, { one: '# alias', other: '# aliases' }))
  if (origins.length > 0)
    labels.push(plural(origins.length, { one: '# allowed origin', other: '# allowed origins' }))
  if (serverTools?.webSearch) labels.push(t`web search`)
  if (serverTools?.knowledge !== undefined) labels.push(t`documents of a project`)
  return [...labels, ...grants.map((grant) => grantWords[grant].short)]
}
