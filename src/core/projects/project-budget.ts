import { SottoError } from '../../shared/errors.ts'
import type { Project } from '../../shared/project.ts'
import type { Store } from '../storage/index.ts'

type Budget = Project['budget']

const PREFIX = 'project/'

/** The owner of a project's budget, among the ids of local keys, which have no slash. */
export function budgetOwnerOf(projectId: string): string {
  return `${PREFIX}${projectId}`
}

/**
 * The limits of an owner of a budget, if it is a project.
 * @returns undefined if the owner isn't a project
 */
export function projectLimitsOf(
  { projects }: Pick<Store, 'projects'>,
  owner: string,
):
  | { readonly budget?: { readonly picoUsd: bigint; readonly period: NonNullable<Budget>['period'] } }
  | undefined {
  if (!owner.startsWith(PREFIX)) return undefined
  const project = projects.get(owner.slice(PREFIX.length))
  // The budget of a project that can't be read is unknown.
  if (!project || project.damaged) return { budget: { picoUsd: 0n, period: 'total' } }
  const { budget } = project
  return budget ? { budget: { ...budget, picoUsd: BigInt(budget.picoUsd) } } : {}
}

/** Whether the next budget may let more money be spent in some period. */
export function isBudgetRaised(before: Budget, next: Budget): boolean {
  if (!before) return false
  if (!next) return true
  return next.period !== before.period || BigInt(next.picoUsd) > BigInt(before.picoUsd)
}

/** Names the project instead of a local key in the refusal of a request that its budget doesn't cover. */
export async function withinProjectBudget<T>(
  projectId: string | undefined,
  send: () => Promise<T>,
): Promise<T> {
  try {
    return await send()
  } catch (thrown) {
    if (projectId === undefined || !(thrown instanceof SottoError)) throw thrown
    if (thrown.code === 'budget/exceeded') throw new SottoError('project/budget-exceeded', thrown.details)
    if (thrown.code === 'budget/price-unknown') throw new SottoError('project/price-unknown', thrown.details)
    throw thrown
  }
}
