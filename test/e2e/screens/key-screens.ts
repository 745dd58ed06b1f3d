import { expect, type Page } from '@playwright/test'
import { serviceStatus } from '../mock-data.ts'
import type { MockServer } from '../mock-server.ts'
import { someServiceKeys } from '../mock-service-keys.ts'
import type { ScreenGroup } from './screen.ts'

const now = Date.now()

/** An account of a real service, with keys. */
export function ready({ state }: MockServer): void {
  state.status = { ...serviceStatus(), account: { connected: true, creditIdMasked: '…9f02' } }
  state.serviceKeys.list = someServiceKeys(now)
}

/** Chooses an action in the menu of a key. */
export async function actOn(page: Page, name: string, action: string): Promise<void> {
  // An earlier menu that is closing would take the press.
  await expect(page.getByRole('menuitem')).toHaveCount(0)
  await page.getByRole('button', { name: `Actions for ${name}`, exact: true }).press('Enter')
  await page.getByRole('menuitem', { name: action, exact: true }).press('Enter')
}

export const row = (page: Page, name: string) => page.getByRole('article', { name, exact: true })

export const keyScreens: ScreenGroup = {
  name: 'Keys',
  place: '#/developer/keys',
  set: ready,
  shown: (page) => expect(row(page, 'Default')).toBeVisible(),
  screens: [
    {
      name: 'the list',
      act: async (page) => {
        await page.getByLabel('Show revoked').check()
        await expect(row(page, 'Old laptop')).toBeVisible()
      },
    },
    {
      name: 'a faulty new key',
      act: async (page) => {
        await page.getByRole('button', { name: 'Create key' }).click()
        await page.getByRole('dialog').getByLabel('Service').check()
        await page.getByLabel('Name').fill('A name that is much longer than it may be')
        await page.getByLabel('US dollars').fill('0')
        await page.getByRole('button', { name: 'Create key' }).click()
        await expect(page.getByText('0.01 or more, such as')).toBeVisible()
      },
    },
    {
      name: 'a made key',
      set: (mock) => {
        mock.state.serviceKeys.revokes = false
      },
      act: async (page) => {
        await actOn(page, 'Build server', 'Rotate')
        await page.getByRole('button', { name: 'Rotate', exact: true }).click()
        await expect(page.getByTestId('secret')).toBeVisible()
      },
    },
    {
      name: 'a question',
      act: async (page) => {
        await actOn(page, 'Default', 'Rotate')
        await expect(page.getByRole('alertdialog')).toBeVisible()
      },
    },
  ],
}
