import type { Budget, BudgetPeriod, KeyLimits } from './key-limits.ts'
import { matchesModel } from './model-pattern.ts'
import { formatUsd } from './money.ts'

/**
 * What `to` allows that `from` does not, each as the end of a sentence; empty where nothing is. What may be an equal but
 * cannot be shown to be one counts as more: it asks for a confirmation too many, and never for one too few.
 */
export function widenings(from: KeyLimits, to: KeyLimits): string[] {
  return [
    ...(from.budget && !(to.budget && isWithin(to.budget, from.budget)) ? [to.budget ? `spend ${spoken(to.budget)}` : 'spend without a budget'] : []),
    ...(from.budget && !from.allowUnpriced && to.budget && to.allowUnpriced ? ['make requests of unknown price'] : []),
    ...(isLater(to.expiresAt, from.expiresAt) ? [to.expiresAt === undefined ? 'live without an end' : `live until ${dateOf(to.expiresAt)}`] : []),
    ...(from.privateOnly && !to.privateOnly ? ['use models that the service can read'] : []),
    ...(modelsBeyond(from.models, to.models)),
    ...(from.requestsPerMinute !== undefined && !((to.requestsPerMinute ?? Infinity) <= from.requestsPerMinute) ? [to.requestsPerMinute === undefined ? 'make requests at any rate' : `make ${String(to.requestsPerMinute)} requests a minute`] : []),
    ...(to.grants ?? []).filter((grant) => !from.grants?.includes(grant)).map((grant) => granted[grant]),
  ]
}

const granted = {
  'balance': 'read the balance',
  'history': 'read the history',
  'metrics': 'read the measurements of this proxy',
  'pay-per-request': 'have requests paid one by one',
} as const

/** Periods of which every one lies in a single one of the other. A week can lie in two months. */
const containedIn: Record<BudgetPeriod, readonly BudgetPeriod[]> = {
  day: ['day', 'week', 'month', 'total'],
  week: ['week', 'total'],
  month: ['month', 'total'],
  total: ['total'],
}

/** A dollar a month is within a dollar a day, and not the other way about. */
function isWithin(to: Budget, from: Budget): boolean {
  return to.picoUsd <= from.picoUsd && containedIn[from.period].includes(to.period)
}

function isLater(to: number | undefined, from: number | undefined): boolean {
  return from !== undefined && (to === undefined || to > from)
}

/** A pattern lies within another that matches it as a text: only a `*` of the other can have taken its own. */
function modelsBeyond(from: KeyLimits['models'], to: KeyLimits['models']): string[] {
  if (!from) return []
  if (!to) return ['use any model']
  const beyond = to.filter((pattern) => !from.some((known) => matchesModel(known, pattern)))
  const [first] = beyond
  return first === undefined ? [] : [`use ${beyond.length === 1 ? `models named ${first}` : `models by ${String(beyond.length)} more patterns, ${first} among them`}`]
}

function spoken({ picoUsd, period }: Budget): string {
  return `up to ${formatUsd(picoUsd.toString())} ${period === 'total' ? 'in all' : `a ${period}`}`
}

function dateOf(at: number): string {
  return new Date(at).toISOString().slice(0, 10)
}
