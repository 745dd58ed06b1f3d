import { expect } from '@playwright/test'
import { serviceStatus, usd } from '../mock-data.ts'
import { failure, type MockServer } from '../mock-server.ts'
import { purchase } from '../mock-purchases.ts'
import { mockConnection } from '../mock-wallet.ts'
import type { ScreenGroup } from './screen.ts'

const now = Date.now()

/** A real service with an account. */
export function service({ state }: MockServer): void {
  state.status = { ...serviceStatus(), account: { connected: true, creditIdMasked: '…9f02' } }
}

/** A wallet that pays, with limits and hosts. */
export function connected({ state }: MockServer): void {
  const { wallet } = state
  wallet.view = {
    connection: mockConnection(),
    limits: { perPayment: '5000000', perDay: '20000000', perHostAndDay: '10000000', automaticUpTo: '100000' },
    spent: { day: '12053000', held: '3000000' },
    hosts: [
      { host: 'api.service.example', spentInDay: '12053000', firstPaidAt: now - 90_000_000 },
      { host: 'media.service.example:8443', spentInDay: '0', firstPaidAt: now - 900_000_000 },
    ],
  }
}

export const walletConnectionScreens: ScreenGroup = {
  name: 'Wallet: what pays',
  place: '#/wallet/connection',
  shown: (page) => expect(page.getByLabel('Limits')).toBeVisible(),
  screens: [
    { name: 'nothing connected', set: () => undefined },
    {
      name: 'connected',
      set: (mock) => {
        service(mock)
        connected(mock)
        mock.state.purchases.list = [purchase('p1')]
        mock.state.wallet.automaticTopup = { connected: true, threshold: usd(10) }
      },
    },
    {
      name: 'by hand, faulty',
      set: (mock) => {
        service(mock)
        connected(mock)
        mock.state.wallet.view = {
          ...mock.state.wallet.view,
          connection: mockConnection({
            canLookUp: false,
            alias: 'A wallet of a name that is much longer than anybody would give to it',
          }),
        }
        mock.state.failures['wallet.funds'] = failure('wallet/unreachable')
      },
      act: async (page) => {
        await page.getByLabel('Maximum per payment').fill('x')
        await page.getByRole('button', { name: 'Save limits' }).click()
        await expect(page.getByText('Enter whole sats')).toBeVisible()
      },
    },
    {
      name: 'paused',
      set: (mock) => {
        service(mock)
        connected(mock)
        mock.state.wallet.view = {
          ...mock.state.wallet.view,
          paused: { reason: 'wallet', until: now + 600_000 },
        }
      },
    },
    {
      name: 'a question',
      set: (mock) => {
        service(mock)
        connected(mock)
      },
      act: async (page) => {
        await page
          .getByRole('region', { name: 'Your Lightning wallet' })
          .getByRole('button', { name: 'Disconnect…' })
          .click()
        await expect(page.getByRole('alertdialog')).toBeVisible()
      },
    },
  ],
}
