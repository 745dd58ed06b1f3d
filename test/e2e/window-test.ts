import { expect, test as base, type Locator, type Page } from '@playwright/test'
import type { MockAnswer } from './mock-answer.ts'
import { startMockServer, type MockServer } from './mock-server.ts'
import { openWindow } from './open-window.ts'

export interface Window {
  readonly page: Page
  readonly mock: MockServer
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
export const test = base.extend<{ mock: MockServer; window: Window }>({
  mock: async ({ browserName: _ }, use) => {
    await using server = await startMockServer()
    await use(server)
  },
  window: async ({ page, mock }, use) => {
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
      if (
        ![`${mock.origin}/`, `blob:${mock.origin}/`, 'data:'].some((prefix) =>
          request.url().startsWith(prefix),
        )
      )
        faults.push(`request to ${request.url()}`)
    })
    const composer = page.getByLabel('Message', { exact: true })
    await use({
      page,
      mock,
      composer,
      messages: page.getByRole('region', { name: 'Messages' }),
      open: (place) => openWindow(page, mock, place),
      async send(text) {
        await composer.fill(text)
        await composer.press('Enter')
        return mock.nextAnswer()
      },
    })
    expect(faults).toEqual([])
  },
})

export { expect }
