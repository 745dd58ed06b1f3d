import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test, type Page } from '@playwright/test'
import type { Message } from '../../src/shared/conversation.ts'
import { startSotto, type SottoProcess } from '../process/sotto-process.ts'
import { chooseOpen } from './screens/consent-screens.ts'

/** The window with the real core, on the sandbox. */
let folder: string
let sotto: SottoProcess
test.beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sotto-consent-'))
  sotto = await startSotto(folder)
})
test.afterAll(async () => {
  await sotto.stop('SIGTERM')
  await rm(folder, { recursive: true, force: true })
})

const privacies = async () =>
  ((await sotto.call('receipts/list', {})) as { privacy: string }[]).map(({ privacy }) => privacy)

async function msg(page: Page, text: string): Promise<void> {
  await page.getByRole('textbox', { name: 'Message', exact: true }).fill(text)
  await page.getByRole('textbox', { name: 'Message', exact: true }).press('Enter')
}

test('a private conversation goes on in the open for one answer, once what it exposes was shown and allowed', async ({
  page,
}) => {
  await page.goto(await sotto.newAddress())
  await page.getByRole('button', { name: 'Try the demo' }).click()
  await expect(page.getByRole('textbox', { name: 'Message', exact: true })).toBeFocused()
  const answers = page.getByRole('article', { name: /^Reply from/ })
  await msg(page, 'Name a river, between us')
  await expect(answers.getByRole('button', { name: /Private.*Receipt/ })).toBeVisible()

  await chooseOpen(page)
  await msg(page, 'And a mountain, aloud')
  const dialog = page.getByRole('alertdialog')
  await expect(dialog.getByRole('listitem').first()).toContainText('Name a river, between us')
  await expect(dialog.getByRole('listitem').last()).toContainText('And a mountain, aloud')
  await expect(dialog).toContainText('3 messages in full')
  await expect(dialog).toContainText('Provider only')
  await expect(dialog.getByRole('button', { name: 'Cancel' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(dialog).toHaveCount(0)
  expect(await privacies()).toEqual(['sealed'])

  await page.getByRole('textbox', { name: 'Message', exact: true }).press('Enter')
  await dialog.getByRole('button', { name: 'Allow once' }).click()
  await expect(answers.last().getByRole('button', { name: /Provider only.*Receipt/ })).toBeVisible()
  await expect(answers.first()).toContainText('A provider could read it later')
  expect(await privacies()).toEqual(['relayed', 'sealed'])

  // The next message is sealed again automatically.
  await expect(page.getByRole('button', { name: 'Send', exact: true })).toBeVisible()
  await msg(page, 'Low again')
  await expect(answers.last().getByRole('button', { name: /Private.*Receipt/ })).toBeVisible()
  expect(await privacies()).toEqual(['sealed', 'relayed', 'sealed'])

  // Without the person's consent no call gets through, whatever the window sends.
  const conversationId = new URL(page.url()).hash.split('/').at(-1)
  const { messages } = (await sotto.call('conversations/get', { conversationId })) as { messages: Message[] }
  const model = messages.find(({ privacy }) => privacy === 'relayed')?.model
  for (const consentId of [undefined, 'guessed']) {
    const refused = await (
      await sotto.api('chat/send', {
        conversationId,
        model,
        text: 'x',
        ...(consentId !== undefined && { consentId }),
      })
    ).text()
    expect(refused).toMatch(
      consentId === undefined ? /privacy\/consent-required/ : /privacy\/consent-expired/,
    )
  }
  expect(await privacies()).toHaveLength(3)
})
