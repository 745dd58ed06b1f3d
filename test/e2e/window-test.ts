import { expect, test as base, type Locator, type Page } from '@playwright/test'
import type { MockAnswer } from './mock-answer.ts'
import { startMockServer, type MockServer } from './mock-server.ts'
import { openWindow } from './open-window.ts'
import { collectFaults } from './page-faults.ts'

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
    const faults = await collectFaults(page, mock.origin)
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
