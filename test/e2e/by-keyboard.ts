import { expect, type Page } from '@playwright/test'

/** More than any view has. */
const MOST_STOPS = 120

/** An approximation of the focused element's accessible name. */
function focused(page: Page): Promise<string> {
  return page.evaluate(() => {
    const element = document.activeElement
    if (element instanceof HTMLInputElement)
      return element.labels?.[0]?.textContent ?? element.getAttribute('aria-label') ?? ''
    return element?.getAttribute('aria-label') ?? element?.textContent ?? ''
  })
}

/** Presses Tab until the focus is on an element with this name. */
export async function tabTo(page: Page, name: RegExp): Promise<void> {
  const passed: string[] = []
  for (let stops = 0; stops < MOST_STOPS; stops += 1) {
    await page.keyboard.press('Tab')
    const label = await focused(page)
    if (name.test(label)) return
    passed.push(label.slice(0, 40))
  }
  throw new Error(`the focus never came to ${String(name)}, and stood on ${passed.slice(0, 40).join(' | ')}`)
}

/** Opens a view with the palette, from the composer of a newly opened window. */
export async function goByPalette(page: Page, command: string): Promise<void> {
  await expect(page.getByLabel('Message', { exact: true })).toBeFocused()
  await page.keyboard.press('Control+k')
  await expect(page.getByRole('dialog').getByRole('combobox')).toBeFocused()
  await page.keyboard.type(command)
  await expect(page.getByRole('option').first()).toHaveText(command)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('dialog')).toHaveCount(0)
}
