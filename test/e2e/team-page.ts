import { expect, type Page } from '@playwright/test'
import { someGroups, someMembers, someTeamKeys, someTeamRequests, teamMember } from './mock-team-data.ts'
import { startMockTeam, type MockTeam } from './mock-team.ts'

/** A team with members, groups, keys and requests. Ada, an admin, signs in. */
export async function startTeam(): Promise<MockTeam> {
  const now = Date.now()
  const mock = await startMockTeam(teamMember('ada'))
  Object.assign(mock.state, {
    members: someMembers(now),
    groups: someGroups(),
    keys: someTeamKeys(),
    requests: someTeamRequests(now, 12),
  })
  return mock
}

/** Signs in, at a place in the page. Without a place, the page stays signed out. */
export async function showTeamPage(page: Page, mock: MockTeam, place?: string): Promise<void> {
  if (place === undefined) {
    await page.goto(`${mock.origin}/`)
    return
  }
  await page.goto(`${mock.origin}/sign-in`)
  await expect(page.getByRole('navigation', { name: 'Views' })).toBeVisible()
  await page.evaluate(`location.hash = ${JSON.stringify(place)}`)
}
