import { addMember, findMember, listMembers, removeMember } from '../replica/index.ts'
import type { TeamRole } from '../shared/contract/team.ts'
import { SottoError } from '../shared/errors.ts'
import { withShared } from './database.ts'
import type { DatabaseOptions } from './database-options.ts'
import { formatMinute, terminalSafe } from './format.ts'
import { print } from './with-client.ts'

export type MemberRole = TeamRole

/** `sotto database members list`. Returns the exit code, as the others do. */
export function listTeam(options: DatabaseOptions): Promise<number> {
  return withShared(options, async (database) => {
    const members = await listMembers(database)
    print(
      options.json,
      {
        members: members.map(({ id, email, name, role, groupId, keys, createdAt, lastSignInAt }) => ({
          ...{ id, email, name, role, groupId, keys, createdAt, lastSignInAt },
        })),
      },
      members
        .map(({ email, role, keys, lastSignInAt }) => {
          const signedIn = lastSignInAt === null ? 'never signed in' : formatMinute(lastSignInAt)
          return `${terminalSafe(email)}  ${role}, keys: ${String(keys)}, last sign-in: ${signedIn}`
        })
        .join('\n') || 'There is no member. Add one with: sotto database members add',
    )
  })
}

/** `sotto database members add`. */
export function admit(
  email: string,
  { role, ...options }: DatabaseOptions & { readonly role: MemberRole },
): Promise<number> {
  return withShared(options, async (database) => {
    const { id } = await addMember(database, { email, role, groupId: null })
    print(options.json, { member: { id, email, role } }, `Added ${terminalSafe(email)} as ${role}.`)
  })
}

/** `sotto database members remove`. */
export function dismiss(email: string, options: DatabaseOptions): Promise<number> {
  return withShared(options, async (database) => {
    const id = await findMember(database, email)
    if (id === undefined) throw new SottoError('team/unknown-member')
    await removeMember(database, id)
    print(options.json, { id }, 'Removed. Every replica refuses the keys within a second.')
  })
}
