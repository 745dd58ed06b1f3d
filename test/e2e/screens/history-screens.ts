import { expect, type Page } from '@playwright/test'
import { failure, type MockDoor } from '../mock-door.ts'
import { someQueries } from '../mock-history.ts'
import { someServiceKeys } from '../mock-service-keys.ts'
import type { ScreenGroup } from './screen.ts'

const now = Date.now()

/** Queries of five weeks. */
export function full({ state }: MockDoor): void {
  state.queryHistory.records = someQueries(now, 700)
  state.serviceKeys.kept = someServiceKeys(now)
}

export const listOf = (page: Page) => page.getByRole('region', { name: 'Request list' })

const summed = async (page: Page) => {
  await expect(listOf(page)).toBeVisible()
  await expect(page.getByText('so far')).toBeHidden()
}

export const historyScreens: ScreenGroup = {
  name: 'History',
  place: '#/history',
  shown: (page) => expect(page.getByRole('heading', { name: 'History', includeHidden: true }).first()).toBeAttached(),
  screens: [
    { name: 'spending by day', set: full, act: summed },
    { name: 'tokens by model, as a table', set: full, act: async (page) => {
      await summed(page)
      await page.getByRole('tab', { name: 'By model' }).click()
      await page.getByLabel('Show').selectOption('tokens')
      await page.getByText('View as table').click()
    } },
    { name: 'service that fails', set: ({ state }) => {
      state.failures['history.page'] = failure('service/down')
      state.failures['history.summary'] = failure('service/down')
    }, act: async (page) => { await expect(page.getByRole('alert').first()).toBeVisible() } },
  ],
}
