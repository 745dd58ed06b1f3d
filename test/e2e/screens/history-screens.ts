import { expect, type Page } from '@playwright/test'
import { failure, type MockServer } from '../mock-server.ts'
import { receipt, usd } from '../mock-data.ts'
import { query, someQueries } from '../mock-history.ts'
import { someServiceKeys } from '../mock-service-keys.ts'
import type { ScreenGroup } from './screen.ts'

const now = Date.now()

/** Queries of five weeks. */
export function full({ state }: MockServer): void {
  state.queryHistory.records = someQueries(now, 700)
  state.serviceKeys.list = someServiceKeys(now)
}

/** Records and receipts that differ: some receipts have no record. */
export function missing({ state }: MockServer): void {
  state.receipts = [receipt('m1', now - 90_000), receipt('m2', now - 300_000)]
  state.queryHistory.records = [
    query(now - 60_000, {
      model: 'lento-72b',
      cost: usd(0.0193),
      receipt: { id: 'j1', privacy: 'sealed', cost: usd(0.0193) },
    }),
    query(now - 120_000),
    query(now - 180_000, { source: 'ui' }),
  ]
  state.queryHistory.missing = [
    {
      at: now - 90_000,
      model: 'private/lento-72b',
      inputTokens: 120,
      outputTokens: 48,
      keyId: 'k1',
      keyName: 'Default',
      receipt: { id: 'm1', privacy: 'sealed', cost: usd(0.0042) },
    },
    {
      at: now - 300_000,
      model: 'sandbox/essayist-with-a-rather-long-identifier-2026-10-31',
      keyId: 'k1',
      keyName: 'Default',
      receipt: { id: 'm2', privacy: 'forwarded', cost: usd(0.0081) },
    },
  ]
  state.queryHistory.uncompared = 3
}

export const listOf = (page: Page) => page.getByRole('region', { name: 'Request list' })

const summed = async (page: Page) => {
  await expect(listOf(page)).toBeVisible()
  await expect(page.getByText('so far')).toBeHidden()
}

export const historyScreens: ScreenGroup = {
  name: 'History',
  place: '#/history',
  shown: (page) => expect(page.getByRole('tab', { name: 'Activity', includeHidden: true })).toBeAttached(),
  screens: [
    { name: 'spending by day', set: full, act: summed },
    {
      name: 'tokens by model, as a table',
      set: full,
      act: async (page) => {
        await summed(page)
        await page.getByRole('tab', { name: 'By model' }).click()
        await page.getByLabel('Show').selectOption('tokens')
        await page.getByText('View as table').click()
      },
    },
    {
      name: 'receipts that the service doesn’t have',
      set: missing,
      act: async (page) => {
        await summed(page)
        await page.getByTestId('sums').scrollIntoViewIfNeeded()
      },
    },
    {
      name: 'a receipt with a confirmed cost',
      set: (mock) => {
        missing(mock)
        const confirmed = receipt('j1', now - 60_000, {
          cost: usd(9),
          charged: usd(0.0193),
          confirmed: { cost: usd(0.0193), recordAt: now - 60_000 },
        })
        mock.state.receipts = [confirmed]
        mock.state.queryHistory.records = [
          query(now - 60_000, {
            model: 'lento-72b',
            cost: usd(0.0193),
            receipt: { id: 'j1', privacy: 'sealed', cost: usd(0.0193), confirmed: true },
          }),
        ]
      },
      act: async (page) => {
        await summed(page)
        await listOf(page).getByRole('button').first().click()
        await page
          .getByRole('dialog', { name: 'Receipt' })
          .getByText('Confirmed by the service’s history.')
          .scrollIntoViewIfNeeded()
      },
    },
    {
      name: 'service that fails',
      set: ({ state }) => {
        state.failures['history.page'] = failure('service/unavailable')
        state.failures['history.summary'] = failure('service/unavailable')
      },
      act: async (page) => {
        await expect(page.getByRole('alert').first()).toBeVisible()
      },
    },
  ],
}
