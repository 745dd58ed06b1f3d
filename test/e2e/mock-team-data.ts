import type { Group, Member, TeamKey, TeamRequest } from '../../src/shared/contract/team.ts'
import { usd } from './mock-data.ts'
import { someRequests } from './mock-local-api.ts'

const DAY = 86_400_000
const unused = { spent: '0', reserved: '0' }

export function teamMember(id: string, part: Partial<Member> = {}): Member {
  return {
    id,
    email: `${id}@example.com`,
    name: null,
    role: 'member',
    groupId: null,
    used: unused,
    keys: 0,
    createdAt: Date.now() - 40 * DAY,
    lastSignInAt: null,
    ...part,
  }
}

/** An admin, an auditor, and members with and without a group. */
export function someMembers(now: number): Member[] {
  return [
    teamMember('ada', {
      name: 'Ada Keller',
      role: 'admin',
      lastSignInAt: now - 60_000,
      used: { spent: usd(2.31), reserved: '0' },
    }),
    teamMember('ben', { name: 'Ben Okafor', role: 'auditor', lastSignInAt: now - 3 * DAY }),
    teamMember('mia', {
      name: 'Mia Sørensen',
      groupId: 'research',
      budget: { picoUsd: usd(20), period: 'month' },
      used: { spent: usd(12.4), reserved: usd(0.5) },
      lastSignInAt: now - DAY,
    }),
    teamMember('new.colleague.with.a.long.address', { groupId: 'research' }),
  ]
}

export function someGroups(): Group[] {
  return [
    {
      id: 'research',
      name: 'Research',
      budget: { picoUsd: usd(100), period: 'month' },
      selfService: {
        keysPerMember: 2,
        limits: { budget: { picoUsd: usd(10), period: 'month' }, atLeast: 'sealed', requestsPerMinute: 60 },
      },
      members: 2,
      used: { spent: usd(61.7), reserved: usd(1.25) },
    },
    { id: 'support', name: 'Support', members: 0, used: unused },
  ]
}

export function teamKey(
  id: string,
  name: string,
  ownerId: string | null,
  part: Partial<TeamKey> = {},
): TeamKey {
  return {
    id,
    name,
    ownerId,
    limits: {},
    used: unused,
    createdAt: Date.now() - 9 * DAY,
    state: 'live',
    ...part,
  }
}

export function someTeamKeys(): TeamKey[] {
  return [
    teamKey('k-mia', 'Notebook', 'mia', {
      limits: { budget: { picoUsd: usd(10), period: 'month' }, atLeast: 'sealed', requestsPerMinute: 60 },
      used: { spent: usd(7.9), reserved: usd(0.5) },
    }),
    teamKey('k-ada', 'Terminal', 'ada', { used: { spent: usd(2.31), reserved: '0' } }),
    teamKey('k-build', 'Build server', null, {
      limits: { expiresAt: Date.UTC(2026, 1, 1) },
      state: 'expired',
    }),
    teamKey('k-old', 'Old laptop', 'mia', { state: 'revoked' }),
  ]
}

export function someTeamRequests(now: number, count: number): TeamRequest[] {
  const owners = [
    ['k-mia', 'Notebook', 'mia'],
    ['k-ada', 'Terminal', 'ada'],
    ['k-build', 'Build server', null],
  ] as const
  return someRequests(now, count).map((request, index) => {
    const [keyId, tool, memberId] = owners[index % owners.length] ?? owners[0]
    return { ...request, keyId, tool, memberId }
  })
}
