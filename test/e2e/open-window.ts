import { expect, type Page } from '@playwright/test'
import type { MockServer } from './mock-server.ts'

/** Opens the window with a session, at a place in it. */
export async function openWindow(page: Page, mock: MockServer, place?: string): Promise<void> {
  await page.goto(mock.newAddress())
  await expect(page).not.toHaveURL(/code=/)
  if (place !== undefined) await page.evaluate(`location.hash = ${JSON.stringify(place)}`)
}

/** Chooses an entry of the composer's menu by keyboard. */
export async function addToMessage(page: Page, entry: string): Promise<void> {
  await page.getByRole('button', { name: 'Add to message' }).press('Enter')
  await page.getByRole('menuitem', { name: entry }).press('Enter')
}
