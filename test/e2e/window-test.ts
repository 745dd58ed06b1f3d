import { expect, test as base, type Locator, type Page } from '@playwright/test'
import { openMockDoor, type MockAnswer, type MockDoor } from './mock-door.ts'
import { openWindow } from './open-window.ts'

export interface Window {
  readonly page: Page
  readonly door: MockDoor
  /** Opens the window with a session, in a view. */
  readonly open: (place?: string) => Promise<void>
  /** Types into the composer and sends. */
  readonly send: (text: string) => Promise<MockAnswer>
  readonly composer: Locator
  readonly messages: Locator
}

/**
 * A window with a mock UI server. Every test fails afterwards if the page had an error or violated the
 * content security policy, or if a request didn't go to the UI server.
 */
export const test = base.extend<{ door: MockDoor; window: Window }>({
  door: async ({ browserName: _ }, use) => {
    await using door = await openMockDoor()
    await use(door)
  },
  window: async ({ page, door }, use) => {
    const faults: string[] = []
    page.on('pageerror', (error) => faults.push(error.message))
    page.on('console', (message) => {
      // A failure with a code has status 422, and an unknown tab 401. Chromium logs both.
      if (message.type() === 'error' && !/status of (401|422)/.test(message.text()))
        faults.push(message.text())
    })
    // If the page catches such an error, the console shows no violation.
    await page.addInitScript(() => {
      document.addEventListener('securitypolicyviolation', ({ effectiveDirective, blockedURI, sourceFile }) =>
        console.error(`stopped by policy: ${effectiveDirective} ${blockedURI} in ${sourceFile}`),
      )
    })
    page.on('request', (request) => {
      if (![`${door.origin}/`, `blob:${door.origin}/`, 'data:'].some((own) => request.url().startsWith(own)))
        faults.push(`request to ${request.url()}`)
    })
    const composer = page.getByLabel('Message', { exact: true })
    await use({
      page,
      door,
      composer,
      messages: page.getByRole('region', { name: 'Messages' }),
      open: (place) => openWindow(page, door, place),
      async send(text) {
        await composer.fill(text)
        await composer.press('Enter')
        return door.nextAnswer()
      },
    })
    expect(faults).toEqual([])
  },
})

export { expect }
