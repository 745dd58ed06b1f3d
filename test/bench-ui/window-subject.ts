import { expect } from '@playwright/test'
import { conversation, receipt } from '../e2e/mock-data.ts'
import { startMockServer } from '../e2e/mock-server.ts'
import { openWindow } from '../e2e/open-window.ts'
import { atPace } from './pace.ts'
import type { ConversationName, Subject } from './subject.ts'
import type { Turn } from './texts.ts'

const TIMEOUTS = { timeout: 60_000 }

/** The built window with a mock server: only a person's view of the screen, without the core's own work. */
export async function windowSubject(all: Readonly<Record<string, readonly Turn[]>>): Promise<Subject> {
  const mock = await startMockServer()
  const now = Date.now()
  mock.state.conversations = Object.entries(all).map(([name, turns], index) =>
    conversation(
      name,
      name,
      now - index * 1000,
      turns.map(({ question, answer }) => [question, answer]),
    ),
  )
  mock.state.receipts = Object.entries(all).flatMap(([name, turns]) =>
    turns.map((_, index) => receipt(`r-${name}-${String(index)}`, now)),
  )
  return {
    name: 'Sotto',
    field: 'textarea',
    messages: '[aria-label="Messages"]',
    async begin(page) {
      await openWindow(page, mock, '#/chat/small')
      await expect(page.getByText('Turn 0 of small.')).toBeVisible(TIMEOUTS)
    },
    press: (page, name: ConversationName) => page.getByRole('link', { name, exact: true }).click(TIMEOUTS),
    async stream(page, perSecond, text) {
      await page.getByLabel('Message', { exact: true }).fill('Go on.')
      await page.keyboard.press('Enter')
      const answer = await mock.nextAnswer()
      let stopped = false
      const stop = () => {
        stopped = true
      }
      void atPace(
        text,
        perSecond,
        (token) => answer.delta(token),
        () => stopped,
      ).then(() => answer.end())
      await expect(page.getByText(text.slice(0, 12)).last()).toBeVisible(TIMEOUTS)
      return { stop }
    },
    [Symbol.asyncDispose]: () => mock[Symbol.asyncDispose](),
  }
}
