import { expect, type Page } from '@playwright/test'
import { models, serviceStatus, usd } from '../mock-data.ts'
import { failure, type MockServer } from '../mock-server.ts'
import { PNG, purchase } from '../mock-purchases.ts'
import { mockConnection } from '../mock-wallet.ts'
import type { ScreenGroup } from './screen.ts'

const now = Date.now()

/** With a model that makes videos. */
export const listed = [
  ...models,
  {
    id: 'sandbox/film',
    name: 'Film',
    provider: 'sandbox',
    type: 'video',
    private: false,
    mediaPrice: { perSecond: usd(0.05), tables: [] },
  },
]

/** A real service, no account, and a wallet that pays. */
export function ready({ state }: MockServer): void {
  state.status = { ...serviceStatus(), account: { connected: false } }
  state.models = listed
  state.wallet.view = { ...state.wallet.view, connection: mockConnection() }
  state.purchases.payable = true
}

/** The same without a wallet. */
export function withoutWallet(mock: MockServer): void {
  ready(mock)
  mock.state.wallet.view = { ...mock.state.wallet.view, connection: null }
}

/** Asks for an image's price. */
export async function ask(page: Page): Promise<void> {
  await page.getByLabel('Model', { exact: true }).selectOption('sandbox/painter')
  await page.getByLabel('Prompt').fill('A quiet room by the sea')
  await page.getByRole('button', { name: 'Get price' }).click()
}

/** The invoice as a code. */
export const code = (page: Page) => page.getByRole('img', { name: /^Lightning invoice/ })

export const purchaseScreens: ScreenGroup = {
  name: 'Wallet: buying once',
  place: '#/wallet/purchases',
  shown: (page) => expect(page.getByRole('region', { name: 'Pay per request' })).toBeAttached(),
  screens: [
    {
      name: 'a price',
      set: ready,
      act: async (page) => {
        await ask(page)
        await page.getByText('Pay with another wallet').click()
        await expect(code(page)).toBeVisible()
      },
    },
    {
      name: 'every state',
      set: (mock) => {
        ready(mock)
        mock.state.purchases.list = (
          ['paying', 'held', 'unknown', 'undelivered', 'failed', 'declined'] as const
        ).map((state, index) =>
          purchase(`p${String(index)}`, {
            at: now - index * 1000,
            state,
            subject: 'sandbox/painter-of-a-rather-long-identifier-2026-10-31',
            ...(state === 'undelivered' && { failure: failure('payment/undelivered') }),
          }),
        )
      },
      act: async (page) => {
        await expect(page.getByText('Held', { exact: true })).toBeVisible()
      },
    },
    {
      name: 'payments without an outcome',
      set: (mock) => {
        ready(mock)
        mock.state.purchases.list = [
          purchase('p1', { state: 'unknown', failure: failure('payment/unresolved') }),
          purchase('p2', { at: now - 1000, state: 'closed', failure: failure('payment/closed-by-user') }),
          purchase('p3', {
            at: now - 2000,
            state: 'paid',
            endpoint: 'videos',
            subject: 'sandbox/film',
            job: { id: 'gen_1', status: 'pending' },
          }),
        ]
      },
      act: async (page) => {
        await page.getByText('Enter the preimage from your wallet').first().click()
        await expect(page.getByRole('button', { name: 'Stop waiting…' })).toBeVisible()
      },
    },
    {
      name: 'what was delivered',
      set: (mock) => {
        ready(mock)
        mock.state.purchases.list = [
          purchase('p1', { files: [{ index: 1, contentType: 'image/png', bytes: 78 }] }),
          purchase('p2', { at: now - 9e6, endpoint: 'data', subject: '/api/websearch/search' }),
        ]
        mock.state.purchases.files.set('p1', [{ contentType: 'image/png', bytes: PNG }])
      },
      act: async (page) => {
        await page.getByRole('button', { name: 'Show result' }).first().click()
        await page.getByRole('button', { name: 'Show result' }).click()
        await expect(page.getByRole('region', { name: 'Reply' })).toBeVisible()
        await expect(page.getByRole('img', { name: /^Image from/ })).toBeVisible()
      },
    },
    {
      name: 'a faulty request for data',
      set: ready,
      act: async (page) => {
        await page.getByRole('radio', { name: 'Data' }).check()
        await page.getByLabel('Data', { exact: true }).and(page.locator('select')).selectOption({ index: 1 })
        await page.getByLabel('Request (JSON)').fill('{')
        await page.getByRole('button', { name: 'Get price' }).click()
        await expect(page.getByText('Invalid JSON.')).toBeVisible()
      },
    },
  ],
}
