import { expect, test as base, type Page } from '@playwright/test'
import type { MockTeam } from './mock-team.ts'
import { showTeamPage, startTeam } from './team-page.ts'
import { collectFaults } from './page-faults.ts'

interface TeamPage {
  readonly page: Page
  readonly mock: MockTeam
  /** Opens the page with a session, in a view. */
  readonly open: (place?: string) => Promise<void>
}

/**
 * The page for a team with a server in memory. Every test fails afterwards if the page had an error, violated
 * its policy, or sent a request elsewhere.
 */
export const teamTest = base.extend<{ mockTeam: MockTeam; team: TeamPage }>({
  mockTeam: async ({ browserName: _ }, use) => {
    await using mock = await startTeam()
    await use(mock)
  },
  team: async ({ page, mockTeam: mock }, use) => {
    const faults = await collectFaults(page, mock.origin)
    await use({ page, mock, open: (place) => showTeamPage(page, mock, place) })
    expect(faults).toEqual([])
  },
})
