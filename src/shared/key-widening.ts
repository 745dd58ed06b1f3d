import type { Budget, BudgetPeriod, KeyLimits, ModelAlias } from './key-limits.ts'
import { matchesModel } from './model-pattern.ts'
import { isPrivateModel } from './privacy.ts'
import { msg, type LocalizedText } from './localized-text.ts'

/**
 * The permissions that `to` has and `from` doesn't, each as the end of a sentence; empty if there are none.
 * If it can't be shown that one isn't wider, it counts as wider: an unnecessary confirmation is better than
 * a missing one.
 * @param projectName of a project's ID; by default the ID
 */
export function widenings(
  from: KeyLimits,
  to: KeyLimits,
  projectName: (projectId: string) => string = (projectId) => projectId,
): LocalizedText {
  return [
    ...(from.budget && !(to.budget && isWithin(to.budget, from.budget))
      ? to.budget
        ? spoken(to.budget)
        : msg('spend without a budget')
      : []),
    ...(from.budget && !from.budget.soft && to.budget?.soft
      ? msg('exceed its budget with parallel requests and requests of unknown price')
      : []),
    ...(from.budget &&
    !from.budget.soft &&
    !from.allowUnpriced &&
    to.budget &&
    !to.budget.soft &&
    to.allowUnpriced
      ? msg('make requests of unknown price')
      : []),
    ...(isMore(to.expiresAt, from.expiresAt)
      ? to.expiresAt === undefined
        ? msg('never expire')
        : msg('remain valid until {date}', { date: dateOf(to.expiresAt) })
      : []),
    ...(from.atLeast !== undefined && to.atLeast === undefined
      ? msg('send requests that the service can read')
      : []),
    ...(from.atLeast === 'sealed' && to.atLeast === 'relayed'
      ? msg('send requests that a model’s provider can read')
      : []),
    ...modelsBeyond(from.models, to.models),
    ...(isMore(to.requestsPerMinute, from.requestsPerMinute)
      ? to.requestsPerMinute === undefined
        ? msg('make unlimited requests per minute')
        : msg('make {count, plural, one {# request} other {# requests}} per minute', {
            count: to.requestsPerMinute,
          })
      : []),
    ...(isMore(to.tokensPerMinute, from.tokensPerMinute)
      ? to.tokensPerMinute === undefined
        ? msg('use unlimited tokens per minute')
        : msg('use {count, plural, one {# token} other {# tokens}} per minute', { count: to.tokensPerMinute })
      : []),
    ...(isMore(to.parallelRequests, from.parallelRequests)
      ? to.parallelRequests === undefined
        ? msg('make unlimited parallel requests')
        : msg('make {count, plural, one {# parallel request} other {# parallel requests}}', {
            count: to.parallelRequests,
          })
      : []),
    ...(to.atLeast === 'sealed'
      ? []
      : visibleNames(from.aliases ?? [], to.aliases ?? []).flatMap((pattern) =>
          msg('send requests for {pattern} to a model that isn’t private', { pattern }),
        )),
    ...(to.origins ?? [])
      .filter((origin) => !from.origins?.includes(origin))
      .flatMap((origin) => msg('be used by web pages of {origin}', { origin })),
    ...(to.grants ?? []).filter((grant) => !from.grants?.includes(grant)).flatMap((grant) => granted[grant]),
    ...(to.serverTools?.webSearch === true && from.serverTools?.webSearch !== true
      ? msg('let models search the web, and ask you about each query')
      : []),
    ...(to.serverTools?.knowledge !== undefined && to.serverTools.knowledge !== from.serverTools?.knowledge
      ? msg('let models read the documents of the project “{project}”, and ask you first', {
          project: projectName(to.serverTools.knowledge),
        })
      : []),
  ]
}

const granted = {
  balance: msg('read the balance'),
  history: msg('read the history'),
  metrics: msg('read this proxy’s metrics'),
  'pay-per-request': msg('pay per request'),
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

/** An absent limit means unlimited. */
function isMore(to: number | undefined, from: number | undefined): boolean {
  return from !== undefined && (to === undefined || to > from)
}

/**
 * A pattern is within another one if that one matches it as text, because only a `*` of the other pattern
 * can match its `*`.
 */
function modelsBeyond(from: KeyLimits['models'], to: KeyLimits['models']): LocalizedText {
  if (!from) return []
  if (!to) return msg('use any model')
  const beyond = to.filter((pattern) => !from.some((known) => matchesModel(known, pattern)))
  const [first] = beyond
  if (first === undefined) return []
  return beyond.length === 1
    ? msg('use models named {pattern}', { pattern: first })
    : msg(
        'use models matching {count, plural, one {# more pattern} other {# more patterns}}, including {pattern}',
        { count: beyond.length, pattern: first },
      )
}

/**
 * Patterns whose names can now mean a model that isn't private: those of new aliases, those that an alias of a private model no longer
 * comes before, and those that such an alias no longer has, because the service could list a model of that name.
 */
function visibleNames(from: readonly ModelAlias[], to: readonly ModelAlias[]): string[] {
  const isPrivate = ({ model }: ModelAlias): boolean => isPrivateModel(model)
  const lost = from.filter(
    (alias) => isPrivate(alias) && !to.some((each) => isPrivate(each) && each.pattern === alias.pattern),
  )
  const shown = to.filter((alias, at) => {
    const before = from.findIndex(({ pattern, model }) => pattern === alias.pattern && model === alias.model)
    const hides = (each: ModelAlias): boolean =>
      to.slice(0, at).some((other) => isPrivate(other) && other.pattern === each.pattern)
    return !isPrivate(alias) && (before < 0 || !from.slice(0, before).filter(isPrivate).every(hides))
  })
  return [...new Set([...lost, ...shown].map(({ pattern }) => pattern))]
}

function spoken({ picoUsd, period }: Budget): LocalizedText {
  const most = { usd: picoUsd.toString() }
  switch (period) {
    case 'total':
      return msg('spend up to {most} in total', { most })
    case 'day':
      return msg('spend up to {most} per day', { most })
    case 'week':
      return msg('spend up to {most} per week', { most })
    case 'month':
      return msg('spend up to {most} per month', { most })
  }
}

function dateOf(at: number): string {
  return new Date(at).toISOString().slice(0, 10)
}
