import { t } from '@lingui/core/macro'
import type { Group } from '../../../shared/contract/team.ts'
import {
  limitsDraftOf,
  readLimits,
  readName,
  readWhole,
  type LimitFaults,
  type LimitsDraft,
} from '../../ui/keys/key-draft.ts'
import { budgetDraftOf, readBudget, sameBudget, type BudgetDraft } from '../members/member-draft.ts'
import type { teamApi } from '../team-api.ts'

type NewGroup = Parameters<typeof teamApi.groups.add>[0]

const MOST_KEYS = 100

/** The texts of a group's form, valid or not. */
export interface GroupDraft {
  readonly name: string
  readonly budget: BudgetDraft
  readonly hasSelfService: boolean
  readonly keysPerMember: string
  /** The most that members may allow a key. */
  readonly ceiling: LimitsDraft
}

/** Those of the ceiling have the names of its fields. */
type GroupFaults = LimitFaults & Partial<Record<'name' | 'budget' | 'keysPerMember', string>>

/** @param group undefined for a new one */
export function groupDraftOf(group: Group | undefined): GroupDraft {
  return {
    name: group?.name ?? '',
    budget: budgetDraftOf(group),
    hasSelfService: group?.selfService !== undefined,
    keysPerMember: String(group?.selfService?.keysPerMember ?? 1),
    ceiling: limitsDraftOf(group?.selfService?.limits ?? {}),
  }
}

type ReadGroup = { readonly group: NewGroup; readonly faults?: undefined } | { readonly faults: GroupFaults }

/** The group of a draft, or its faults by field. `now` in Unix ms. */
export function readGroup(draft: GroupDraft, now: number): ReadGroup {
  const name = readName(draft.name, t`Enter a name for the group.`)
  const budget = readBudget(draft.budget)
  const keysPerMember = readWhole(draft.keysPerMember, MOST_KEYS)
  const ceiling = readLimits(draft.ceiling, now)
  const faultyCount = draft.hasSelfService && typeof keysPerMember !== 'number'
  const faultyCeiling = draft.hasSelfService ? ceiling.faults : undefined
  if (name.fault !== undefined || budget === null || faultyCount || faultyCeiling)
    return {
      faults: {
        ...(name.fault !== undefined && { name: name.fault }),
        ...(budget === null && { budget: t`Enter an amount in dollars, such as 2.50.` }),
        ...(faultyCount && { keysPerMember: t`Enter a whole number from 1 to 100.` }),
        ...faultyCeiling,
      },
    }
  return {
    group: {
      name: name.name,
      ...(budget && { budget }),
      ...(draft.hasSelfService &&
        typeof keysPerMember === 'number' &&
        !ceiling.faults && { selfService: { keysPerMember, limits: ceiling.limits } }),
    },
  }
}

type GroupChange = Omit<Parameters<typeof teamApi.groups.update>[0], 'id'>

/** The fields that a person changed in the form. The others aren't sent, because another admin may have changed them. */
export function changesOf(
  shown: GroupDraft,
  entered: GroupDraft,
  { name, budget, selfService }: NewGroup,
): GroupChange {
  const ownKeys = ({ hasSelfService, keysPerMember, ceiling }: GroupDraft): string =>
    JSON.stringify([hasSelfService, keysPerMember, ceiling])
  return {
    ...(entered.name !== shown.name && { name }),
    ...(!sameBudget(shown.budget, entered.budget) && { budget: budget ?? null }),
    ...(ownKeys(shown) !== ownKeys(entered) && { selfService: selfService ?? null }),
  }
}
