import { expect, type Page } from '@playwright/test'
import type { SottoProcess } from '../process/sotto-process.ts'

/**
 * Opens the window of a real Sotto and passes the first start if it appears. Shows `place`, or otherwise
 * waits for the message field.
 */
export async function showRealWindow(page: Page, sotto: SottoProcess, place?: string): Promise<void> {
  await page.goto(await sotto.newAddress())
  const begin = page.getByRole('button', { name: 'Try the demo' })
  const message = page.getByRole('textbox', { name: 'Message', exact: true })
  await expect(begin.or(message).first()).toBeVisible()
  if (await begin.isVisible()) await begin.click()
  await expect(message).toBeVisible()
  if (place === undefined) await expect(message).toBeFocused()
  else await page.evaluate(`location.hash = ${JSON.stringify(place)}`)
}
