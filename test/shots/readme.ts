import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, type Browser } from '@playwright/test'
import { conversation, goodVerdict, receipt } from '../e2e/mock-data.ts'
import { startMockServer, type MockServer } from '../e2e/mock-server.ts'
import { openWindow } from '../e2e/open-window.ts'
import { themes } from './capture.ts'

/** The pictures show the same time in every run, so that they change only with the window. */
const NOW = Date.UTC(2026, 10, 16, 10, 30)
const QUESTION = 'A tenant asks me to waive the notice period. Can I agree by email, and what should I write?'
const ANSWER = `Yes. Both sides can end a lease early by agreement, and in most places an email is enough.

State four things:

1. The **address** and the date of the lease
2. The **last day**, and that both of you agree to it
3. The **rent** until that day, and the deposit
4. That **no other claims** remain, if that is what you both want

> Hi Sam, I agree to end the lease of 12 Hill Street on May 31. Rent is due until then. I will return the deposit after the handover. Please confirm.

Ask for a reply, because the agreement needs both sides.`

/** A window after some days of use, with a private chat. */
function showPrivateChat({ state }: MockServer): void {
  const day = 86_400_000
  const older = ['Letter to the insurance', 'Blood test results', 'Salary negotiation', 'Recipe for twelve']
  state.conversations = [
    conversation('c1', 'Ending a lease early', NOW, [[QUESTION, ANSWER]]),
    ...older.map((title, index) =>
      conversation(`x${String(index)}`, title, NOW - (index + 1) * day, [['a', 'b']], {
        private: index !== older.length - 1,
      }),
    ),
  ]
  state.receipts = [receipt('r-c1-0', NOW)]
  state.verdict = goodVerdict(NOW)
}

/**
 * `npm run shots -- --readme`: writes the pictures of the README as WebP, which a browser encodes.
 *
 * @param folder docs/images
 * @returns the paths of the pictures
 */
export async function captureReadme(browser: Browser, folder: string): Promise<string[]> {
  await mkdir(folder, { recursive: true })
  await using mock = await startMockServer()
  showPrivateChat(mock)
  const page = await browser.newPage({
    viewport: { width: 1280, height: 800 },
    deviceScaleFactor: 1.5,
    locale: 'en-US',
    timezoneId: 'UTC',
    reducedMotion: 'reduce',
  })
  await page.clock.setFixedTime(NOW)
  await openWindow(page, mock, '#/chat/c1')
  await expect(page.getByText('the agreement needs both sides')).toBeVisible()
  // A blinking caret would change the pictures.
  await page.evaluate('document.activeElement?.blur()')
  const session = await page.context().newCDPSession(page)
  const files: string[] = []
  for (const theme of themes) {
    await page.emulateMedia({ colorScheme: theme })
    await page.evaluate('document.fonts.ready')
    const { data } = await session.send('Page.captureScreenshot', { format: 'webp', quality: 85 })
    const file = join(folder, `chat-${theme}.webp`)
    await writeFile(file, Buffer.from(data, 'base64'))
    files.push(file)
  }
  await page.close()
  return files
}
