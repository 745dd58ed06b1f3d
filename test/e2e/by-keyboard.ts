import { expect, type Page } from '@playwright/test'

/** More than any room has. */
const MOST_STOPS = 120

/** What a screen reader would call the element that has the focus, near enough to tell it. */
function focused(page: Page): Promise<string> {
  return page.evaluate(() => {
    const element = document.activeElement
    if (element instanceof HTMLInputElement)
      return element.labels?.[0]?.textContent ?? element.getAttribute('aria-label') ?? ''
    return element?.getAttribute('aria-label') ?? element?.textContent ?? ''
  })
}

/** Goes on from where the focus is by Tab alone, until it stands on what is called so. */
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

/** Opens a place by the palette, from the composer of a window that was opened just now. */
export async function goByPalette(page: Page, command: string): Promise<void> {
  await expect(page.getByLabel('Message', { exact: true })).toBeFocused()
  await page.keyboard.press('Control+k')
  await expect(page.getByRole('dialog').getByRole('combobox')).toBeFocused()
  await page.keyboard.type(command)
  await expect(page.getByRole('option').first()).toHaveText(command)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('dialog')).toHaveCount(0)
}
