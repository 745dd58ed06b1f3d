import type { teamContract, TeamRole } from '../../shared/contract/team.ts'
import { teamRoles } from '../../shared/contract/team.ts'

type Contract = typeof teamContract
/** Names such as `members.add`. */
export type TeamProcedure = {
  [Area in keyof Contract]: `${Area}.${Extract<keyof Contract[Area], string>}`
}[keyof Contract]

const everyone = teamRoles
const readers = ['admin', 'auditor'] as const
const admins = ['admin'] as const

/**
 * The roles that may call each procedure. A procedure without an entry is refused. For a member, the procedures of keys and
 * activity are limited to what is theirs.
 */
export const permissions: Readonly<Record<TeamProcedure, readonly TeamRole[]>> = {
  'session.get': everyone,
  'members.list': readers,
  'members.add': admins,
  'members.update': admins,
  'members.remove': admins,
  'groups.list': readers,
  'groups.add': admins,
  'groups.update': admins,
  'groups.remove': admins,
  'keys.list': everyone,
  'keys.add': ['admin', 'member'],
  'keys.revoke': ['admin', 'member'],
  'activity.page': everyone,
  'activity.byMember': everyone,
  'activity.export': everyone,
}

/** Whether a role may call a procedure of this name, which comes from the request. */
export function mayCall(role: TeamRole, procedure: string): boolean {
  const allowed: readonly [string, readonly TeamRole[]][] = Object.entries(permissions)
  return allowed.some(([name, roles]) => name === procedure && roles.includes(role))
}
