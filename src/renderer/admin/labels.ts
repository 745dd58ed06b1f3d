import { t } from '@lingui/core/macro'
import type { Group, Member, TeamRole } from '../../shared/contract/team.ts'
import type { Money } from '../ui/keys/key-words.ts'
import type { TeamView } from './team-route.ts'

export const viewNames: Readonly<Record<TeamView, string>> = {
  get members() {
    return t`Members`
  },
  get groups() {
    return t`Groups`
  },
  get keys() {
    return t`Keys`
  },
  get activity() {
    return t`Activity`
  },
}

export const roleNames: Readonly<Record<TeamRole, string>> = {
  get admin() {
    return t({ message: 'Admin', context: 'role' })
  },
  get auditor() {
    return t({ message: 'Auditor', context: 'role' })
  },
  get member() {
    return t({ message: 'Member', context: 'role' })
  },
}

/** What each role may do, in a sentence. */
export const roleMeanings: Readonly<Record<TeamRole, string>> = {
  get admin() {
    return t`Changes members, groups, and keys.`
  },
  get auditor() {
    return t`Sees all members, groups, keys, and activity, but can’t change them.`
  },
  get member() {
    return t`Sees only their own keys and activity.`
  },
}

/** Marks that would reverse the text around a name, and characters that break its line. */
const DISRUPTIVE = /[\p{Bidi_Control}\p{Cc}\p{Zl}\p{Zp}]/gu

/** The name from the identity provider, or the address. A person may choose their name there. */
export function memberName({ name, email }: Pick<Member, 'name' | 'email'>): string {
  const shown = (name ?? '').replaceAll(DISRUPTIVE, '').trim()
  return shown === '' ? email : shown
}

/** The members that a list names as owners. */
export interface Owners {
  /** Undefined until they were loaded. */
  readonly members: readonly Member[] | undefined
}

/**
 * The name and address of a key's or a request's owner. The name doesn’t identify them, because a person chooses it. Receipts outlive
 * their members.
 */
export function ownerName(memberId: string | null, { members }: Owners): string {
  if (memberId === null) return t`No owner`
  const member = members?.find(({ id }) => id === memberId)
  if (!member) return members ? t`Removed member` : ''
  const name = memberName(member)
  return name === member.email ? name : `${name} (${member.email})`
}

/** A member's or a group's budget with its use. */
export function moneyOf({ budget, used }: Pick<Member | Group, 'budget' | 'used'>): Money {
  return { limits: budget ? { budget } : {}, spent: used.spent, held: used.reserved }
}
