import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { filterOf, exportName, rangeOf } from '../../../src/renderer/admin/activity/activity-filter.ts'
import {
  changesOf as groupChanges,
  groupDraftOf,
  readGroup,
} from '../../../src/renderer/admin/groups/group-draft.ts'
import { selfServiceOf } from '../../../src/renderer/admin/keys/self-service.tsx'
import { memberName, ownerName } from '../../../src/renderer/admin/labels.ts'
import {
  changesOf as memberChanges,
  memberDraftOf,
  readMember,
} from '../../../src/renderer/admin/members/member-draft.ts'
import { parseTeamView, signInFault, viewsOf } from '../../../src/renderer/admin/team-route.ts'
import { teamRoles, type Group, type Member } from '../../../src/shared/contract/team.ts'
import { budgetPeriods } from '../../../src/shared/key-limits.ts'

const now = Date.UTC(2026, 10, 22, 15)
const used = { spent: '0', reserved: '0' }
const member: Member = {
  id: 'm1',
  email: 'ann@example.com',
  name: null,
  role: 'member',
  groupId: 'g1',
  used,
  keys: 0,
  createdAt: 0,
  lastSignInAt: null,
}
const group: Group = { id: 'g1', name: 'Research', members: 1, used }

describe('the form of a member', () => {
  it('returns the member that it shows', () => {
    const cents = fc
      .integer({ min: 1, max: 10_000_000 })
      .map((each) => String(BigInt(each) * 10_000_000_000n))
    fc.assert(
      fc.property(
        fc.constantFrom(...teamRoles),
        fc.option(fc.constant('g1')),
        fc.option(fc.record({ picoUsd: cents, period: fc.constantFrom(...budgetPeriods) })),
        (role, groupId, budget) => {
          const shown: Member = { ...member, role, groupId, ...(budget && { budget }) }
          expect(readMember(memberDraftOf(shown))).toEqual({
            member: { email: member.email, role, groupId, ...(budget && { budget }) },
          })
        },
      ),
    )
  })

  it.each(['', 'ann', 'ann@', '@example.com', 'ann @example.com', `${'a'.repeat(251)}@b.c`, 'a\u202E@b.c'])(
    'refuses the address %j',
    (email) => {
      expect(readMember({ ...memberDraftOf(undefined), email }).faults).toHaveProperty('email')
    },
  )

  it('refuses an amount that is not in dollars', () => {
    const draft = { ...memberDraftOf(member), hasBudget: true, amount: '1,5' }
    expect(readMember(draft).faults).toEqual({ amount: expect.any(String) as string })
  })
})

describe('the form of a group', () => {
  it('returns the group that it shows', () => {
    const selfService = {
      keysPerMember: 4,
      limits: { atLeast: 'sealed', requestsPerMinute: 5 },
    } as const
    const budget = { picoUsd: '5000000000000', period: 'week' } as const
    expect(readGroup(groupDraftOf({ ...group, budget, selfService }), now)).toEqual({
      group: { name: 'Research', budget, selfService },
    })
    expect(readGroup(groupDraftOf(group), now)).toEqual({ group: { name: 'Research' } })
  })

  it.each(['', '0', '101', '1.5', 'many'])('refuses %j keys per member', (keysPerMember) => {
    const draft = { ...groupDraftOf(group), hasSelfService: true, keysPerMember }
    expect(readGroup(draft, now).faults).toHaveProperty('keysPerMember')
    expect(readGroup({ ...draft, hasSelfService: false }, now).faults).toBeUndefined()
  })

  it('refuses faulty limits of self-service and an empty name', () => {
    const draft = groupDraftOf(undefined)
    const ceiling = { ...draft.ceiling, requestsPerMinute: '-1' }
    expect(readGroup({ ...draft, hasSelfService: true, ceiling }, now).faults).toEqual({
      name: expect.any(String) as string,
      requestsPerMinute: expect.any(String) as string,
    })
  })
})

describe('the changes of a form', () => {
  const budget = { picoUsd: '5000000000000', period: 'week' } as const

  it('of a member are only the edited fields', () => {
    const shown = memberDraftOf({ ...member, budget })
    const changes = (edit: Partial<typeof shown>) => {
      const entered = { ...shown, ...edit }
      const read = readMember(entered)
      return read.faults ?? memberChanges(shown, entered, read.member)
    }
    expect(changes({})).toEqual({})
    expect(changes({ role: 'auditor' })).toEqual({ role: 'auditor' })
    expect(changes({ amount: '6' })).toEqual({ budget: { ...budget, picoUsd: '6000000000000' } })
    expect(changes({ hasBudget: false })).toEqual({ budget: null })
    expect(changes({ groupId: '' })).toEqual({ groupId: null })
  })

  it('of a group are only the edited fields', () => {
    const shown = groupDraftOf({ ...group, budget, selfService: { keysPerMember: 1, limits: {} } })
    const changes = (edit: Partial<typeof shown>) => {
      const entered = { ...shown, ...edit }
      const read = readGroup(entered, now)
      return read.faults ?? groupChanges(shown, entered, read.group)
    }
    expect(changes({})).toEqual({})
    expect(changes({ name: 'Sales' })).toEqual({ name: 'Sales' })
    expect(changes({ keysPerMember: '2' })).toEqual({ selfService: { keysPerMember: 2, limits: {} } })
    expect(changes({ hasSelfService: false })).toEqual({ selfService: null })
  })
})

describe('self-service', () => {
  const selfService = { keysPerMember: 2, limits: {} }
  const withKeys = (countedKeys: number) => ({ member, group: { ...group, selfService }, countedKeys })

  it('leaves the keys that a member does not have yet', () => {
    expect(selfServiceOf(withKeys(1))).toEqual({ left: 1, most: 2, limits: {} })
    expect(selfServiceOf(withKeys(3))?.left).toBe(0)
  })

  it('is nothing without a group and without the setting', () => {
    expect(selfServiceOf({ member, group: null, countedKeys: 0 })).toBeUndefined()
    expect(selfServiceOf({ member, group, countedKeys: 0 })).toBeUndefined()
  })
})

describe('a name from the identity provider', () => {
  it('has no marks that reverse the text around it, and is never empty', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 40 }), (name) => {
        const shown = memberName({ name, email: 'ann@example.com' })
        expect(shown).not.toMatch(/[\p{Bidi_Control}\p{Cc}]/u)
        expect(shown.trim()).not.toBe('')
      }),
    )
    expect(memberName({ name: '\u202Eevil\u2066', email: 'a@b' })).toBe('evil')
  })

  it('is replaced if its member was removed', () => {
    expect(ownerName('gone', { members: [member] })).toBe('Removed member')
    expect(ownerName(null, { members: [member] })).toBe('No owner')
    expect(ownerName('m1', { members: [member] })).toBe('ann@example.com')
    // Before the list was loaded, nothing is known.
    expect(ownerName('m1', { members: undefined })).toBe('')
  })

  it('appears with the address, because another member may have chosen the same name', () => {
    expect(ownerName('m1', { members: [{ ...member, name: 'Ann' }] })).toBe('Ann (ann@example.com)')
  })
})

describe('the address', () => {
  it('opens only views of the role', () => {
    expect(viewsOf('member')).toEqual(['keys', 'activity'])
    expect(parseTeamView('#/members', 'member')).toBe('keys')
    expect(parseTeamView('#/activity', 'member')).toBe('activity')
    expect(parseTeamView('#/groups', 'auditor')).toBe('groups')
    expect(parseTeamView('#/nothing', 'admin')).toBe('members')
  })

  it('shows a failed sign-in only by a known code', () => {
    expect(signInFault('?failed=proxy%2Finternal')).toBe('proxy/internal')
    expect(signInFault('?failed=Call+us')).toBeUndefined()
    expect(signInFault('')).toBeUndefined()
  })
})

describe('the filter of the activity', () => {
  it('includes the whole last day, in UTC', () => {
    expect(rangeOf({ from: '2026-11-01', until: '2026-11-02' })).toEqual({
      from: Date.UTC(2026, 10, 1),
      until: Date.UTC(2026, 10, 3),
    })
    expect(rangeOf({ from: '', until: 'tomorrow' })).toEqual({})
  })

  it('leaves out what is not chosen', () => {
    expect(filterOf({ memberId: '', keyId: '', days: {} })).toEqual({})
    expect(filterOf({ memberId: 'm1', keyId: 'k1', days: {} })).toEqual({ memberId: 'm1', keyId: 'k1' })
  })

  it('names the exported file by its days', () => {
    expect(exportName({}, '2026-11-22')).toBe('sotto-team-activity-all-2026-11-22.csv')
    expect(exportName({ from: '2026-11-01', until: '2026-11-02' }, '2026-11-22')).toBe(
      'sotto-team-activity-2026-11-01-2026-11-02.csv',
    )
  })
})
