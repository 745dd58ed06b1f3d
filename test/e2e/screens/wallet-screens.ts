import { expect } from '@playwright/test'
import { mockAccount } from '../mock-accounts.ts'
import { receipt, serviceStatus, usd } from '../mock-data.ts'
import { directStatus } from '../mock-direct.ts'
import { failure, type MockServer } from '../mock-server.ts'
import { someQueries } from '../mock-history.ts'
import { ended, topup } from '../mock-topups.ts'
import { mockConnection } from '../mock-wallet.ts'
import type { ScreenGroup } from './screen.ts'

/** Receipts that show the recent cost of replies. */
export function used({ state }: MockServer): void {
  const now = Date.now()
  state.receipts = [
    ...Array.from({ length: 25 }, (_, index) => receipt(`chat${String(index)}`, now - index * 60_000)),
    ...Array.from({ length: 3 }, (_, index) =>
      receipt(`image${String(index)}`, now - index * 60_000, {
        path: '/v1/images/generations',
        privacy: 'forwarded',
        cost: usd(0.0805),
      }),
    ),
  ]
}

/** Top-ups in each final state. */
export function former({ state }: MockServer): void {
  state.topups.list = [
    ended('paid1', { amount: '20', feeMsat: '3000' }),
    ended('late1', { state: 'expired', method: 'btc', amount: '0.0005', currency: 'BTC' }),
    ended('bad1', { state: 'invalid', method: 'xmr', amount: '15', accountId: 'a2' }),
  ]
}

/** Adds two accounts, which makes three. */
export function several({ state }: MockServer): void {
  state.accounts.list.push(
    mockAccount(
      'a2',
      { name: 'For the agents', saved: true },
      { apiKey: 'sk-zzzzzzzzzzzzzzzzzzzz42', creditId: '00000000-0000-4000-8000-00000000beef' },
    ),
    mockAccount('a3', { name: 'Key alone' }, { apiKey: 'sk-yyyyyyyyyyyyyyyyyyyy43' }),
  )
}

export function noAccount({ state }: MockServer): void {
  state.accounts.list = []
  state.status = { ...state.status, account: { connected: false } }
}

export const walletScreens: ScreenGroup = {
  name: 'Wallet: topups and accounts',
  place: '#/wallet',
  shown: (page) => expect(page.getByRole('main').locator('section').first()).toBeVisible(),
  screens: [
    {
      name: 'topup',
      set: (mock) => {
        used(mock)
        former(mock)
        mock.state.queryHistory.records = someQueries(Date.now(), 90)
      },
    },
    {
      name: 'adding funds',
      act: async (page) => {
        await page.getByRole('button', { name: 'Add funds' }).click()
        await expect(page.getByRole('img', { name: /^QR code/ })).toBeVisible()
      },
    },
    {
      name: 'another amount',
      place: '#/wallet/add',
      act: async (page) => {
        await page.getByRole('button', { name: 'Other' }).click()
        await expect(page.getByLabel('Amount', { exact: true })).toBeVisible()
      },
    },
    {
      name: 'confirming a payment',
      set: ({ state }) => {
        state.status = serviceStatus()
        state.wallet.view = { ...state.wallet.view, connection: mockConnection() }
        state.topups.list = [topup('t1', { payable: true })]
      },
      act: async (page) => {
        await page.getByRole('button', { name: 'Pay from wallet…' }).click()
        await expect(page.getByRole('alertdialog')).toBeVisible()
      },
    },
    {
      name: 'open invoices',
      set: ({ state }) => {
        state.topups.list = [
          topup('t1'),
          topup('t2', { method: 'xmr', state: 'processing' }),
          topup('t3', { payment: 'unknown' }),
        ]
      },
    },
    {
      name: 'partly paid',
      set: ({ state }) => {
        state.topups.list = [
          topup('t1', {
            method: 'btc',
            received: { paid: '0.0001', covers: 'part', due: '0.00002345' },
            uri: 'bitcoin:bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080?amount=0.00002345',
          }),
          ended('over1', { method: 'ltc', received: { paid: '0.06', covers: 'more' } }),
          ended('part1', { method: 'btc', state: 'expired', received: { paid: '0.0001', covers: 'part' } }),
          ended('late2', {
            method: 'xmr',
            state: 'expired',
            received: { paid: '0.031415926535', covers: 'whole' },
          }),
          ended('back1', {
            method: 'lbtc',
            state: 'refunded',
            received: { paid: '0.00005', covers: 'whole' },
          }),
          ended('new1', { state: 'replaced' }),
        ]
      },
    },
    {
      name: 'receipt of a top-up',
      set: ({ state }) => {
        state.topups.list = [ended('paid1', { amount: '20', feeMsat: '3000', settledAt: Date.now() })]
      },
      act: async (page) => {
        await page.getByRole('button', { name: /^Show more/ }).click()
        await page.getByRole('button', { name: 'Show receipt' }).click()
        await expect(page.getByRole('dialog', { name: 'Top-up receipt' })).toBeVisible()
      },
    },
    {
      name: 'low',
      set: ({ state }) => {
        state.accounts.balance = '412300000000'
      },
    },
    {
      name: 'failing',
      set: ({ state }) => {
        state.failures = {
          'topups.methods': failure('service/unreachable'),
          'accounts.balance': failure('service/unreachable'),
          'topups.watch': failure('store/damaged'),
        }
      },
    },
    { name: 'no account', set: noAccount },
    {
      name: 'accounts',
      place: '#/wallet/accounts',
      set: (mock) => {
        several(mock)
        mock.state.accounts.list.push(
          mockAccount('a4', { name: 'Without a key' }, { creditId: '00000000-0000-4000-8000-00000000d00d' }),
        )
      },
    },
    {
      name: 'new credentials',
      place: '#/wallet/accounts',
      act: async (page) => {
        await page.getByRole('button', { name: 'New account…' }).click()
        await page.getByRole('button', { name: 'Create account' }).click()
        await page.getByRole('button', { name: 'Save encrypted backup…' }).click()
        await expect(page.getByLabel('Confirm passphrase')).toBeVisible()
      },
    },
    {
      name: 'revealed credentials',
      place: '#/wallet/accounts',
      act: async (page) => {
        await page.getByRole('button', { name: 'Show credentials for Account' }).click()
        await page.getByRole('button', { name: 'Show for 30 seconds' }).click()
        await expect(page.getByTestId('secret').first()).toBeVisible()
      },
    },
    {
      name: 'of a provider without a service',
      set: ({ state }) => {
        state.status = directStatus()
      },
    },
    {
      name: 'restore',
      place: '#/wallet/accounts',
      act: (page) => page.getByRole('button', { name: 'Restore…' }).click(),
    },
  ],
}
