import { t } from '@lingui/core/macro'
import { emailSchema, type Member } from '../../../shared/contract/team.ts'
import { draftOf, readAmount, type KeyDraft } from '../../ui/keys/key-draft.ts'
import type { teamApi } from '../team-api.ts'

type NewMember = Parameters<typeof teamApi.members.add>[0]

/** The texts of a budget's fields. */
export type BudgetDraft = Pick<KeyDraft, 'hasBudget' | 'amount' | 'period'>

/** The texts of a member's form, valid or not. */
export interface MemberDraft extends BudgetDraft {
  readonly email: string
  readonly role: Member['role']
  /** Empty: no group. */
  readonly groupId: string
}

type MemberFaults = Partial<Record<'email' | 'amount', string>>

/** @param member undefined for a new one */
export function memberDraftOf(member: Member | undefined): MemberDraft {
  return {
    email: member?.email ?? '',
    role: member?.role ?? 'member',
    groupId: member?.groupId ?? '',
    ...budgetDraftOf(member),
  }
}

/** @param owner of the budget; undefined for a new one */
export function budgetDraftOf(owner: Pick<Member, 'budget'> | undefined): BudgetDraft {
  const budget = owner?.budget
  const { hasBudget, amount, period } = draftOf({ name: '', limits: budget ? { budget } : {} })
  return { hasBudget, amount, period }
}

/** The budget of a draft; null for an amount that isn't in dollars. */
export function readBudget({ hasBudget, amount, period }: BudgetDraft): NewMember['budget'] | null {
  if (!hasBudget) return undefined
  const picoUsd = readAmount(amount)
  return picoUsd === null ? null : { picoUsd, period }
}

type ReadMember =
  | { readonly member: NewMember; readonly faults?: undefined }
  | { readonly faults: MemberFaults }

/** The member of a draft, or its faults by field. */
export function readMember(draft: MemberDraft): ReadMember {
  const email = emailSchema.safeParse(draft.email.trim())
  const budget = readBudget(draft)
  if (!email.success || budget === null)
    return {
      faults: {
        ...(!email.success && { email: t`Enter an email address, such as ann@example.com.` }),
        ...(budget === null && { amount: t`Enter an amount in dollars, such as 2.50.` }),
      },
    }
  return {
    member: {
      email: email.data,
      role: draft.role,
      groupId: draft.groupId === '' ? null : draft.groupId,
      ...(budget && { budget }),
    },
  }
}

type MemberChange = Omit<Parameters<typeof teamApi.members.update>[0], 'memberId'>

/**
 * The fields that a person changed in the form. The others aren't sent, because another admin may have changed them since
 * the form was opened.
 */
export function changesOf(
  shown: MemberDraft,
  entered: MemberDraft,
  { role, groupId, budget }: NewMember,
): MemberChange {
  return {
    ...(entered.role !== shown.role && { role }),
    ...(entered.groupId !== shown.groupId && { groupId }),
    ...(!sameBudget(shown, entered) && { budget: budget ?? null }),
  }
}

export function sameBudget(shown: BudgetDraft, entered: BudgetDraft): boolean {
  return (
    shown.hasBudget === entered.hasBudget &&
    shown.amount === entered.amount &&
    shown.period === entered.period
  )
}
