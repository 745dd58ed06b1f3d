import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import type { Attachment } from '../../src/shared/attachment.ts'
import { axeFaults } from './axe.ts'
import { conversation } from './mock-data.ts'
import type { MockServer } from './mock-server.ts'
import { whatWasPrivate } from './screens/consent-screens.ts'
import { expect, test } from './window-test.ts'

const picture = readFileSync(
  join(import.meta.dirname, '../core/conversations/image-metadata/pictures/picture.png'),
)
const starts = ({ calls }: MockServer) =>
  calls.filter(({ path }) => path === 'studio.start').map(({ input }) => input)
const answer = (page: Page) => page.getByRole('article', { name: /^Reply from/ }).last()
const prompt = (page: Page) => page.getByRole('textbox', { name: 'Prompt' })
const question = (page: Page) =>
  page.getByRole('alertdialog', { name: 'Send this private message to a non-private model?' })

async function useAnswer(page: Page, item: RegExp): Promise<void> {
  await answer(page).getByRole('button', { name: 'Use in Studio' }).click()
  await page.getByRole('menuitem', { name: item }).click()
}

test('a reply of a private chat opens in Studio, and is sent only after its text was shown and allowed', async ({
  window: { open, page, mock },
}) => {
  whatWasPrivate(mock)
  await open('#/chat/c1')
  await useAnswer(page, /^Generate image from this reply/)
  await expect(prompt(page)).toHaveValue('Whoever will help you to carry it.')
  await expect(page.getByTestId('ask-line')).toContainText('This comes from a private chat')
  expect(starts(mock)).toEqual([])
  const make = page.getByRole('button', { name: /^Generate( · |$)/ })
  await make.click()
  await expect(question(page)).toContainText('1 message in full, 34 characters.')
  await expect(question(page).getByRole('listitem')).toContainText('Whoever will help you to carry it.')
  await expect(question(page)).toContainText('sandbox/')
  await expect(question(page)).toContainText('One request.')
  // Nothing is being sent during the question, and the button behind it doesn't claim otherwise.
  await expect(page.getByTestId('ask-line')).toContainText('Waiting for confirmation…')
  expect(await axeFaults(page)).toEqual([])
  // The focused button keeps the chat private, and using it isn't a failure.
  await expect(page.getByRole('button', { name: 'Cancel' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(question(page)).toHaveCount(0)
  await expect(page.getByRole('alert')).toHaveCount(0)
  expect(mock.state.studio.jobs).toEqual([])

  await prompt(page).fill('Whoever helps, in a boat')
  await make.click()
  await expect(question(page).getByRole('listitem')).toContainText('Whoever helps, in a boat')
  await page.getByRole('button', { name: 'Allow once' }).click()
  await expect(page.getByRole('article', { name: 'Whoever helps, in a boat' })).toContainText('Done')
  expect(starts(mock).at(-1)).toMatchObject({
    ask: { prompt: 'Whoever helps, in a boat', from: { conversationId: 'c1' } },
    consentId: expect.stringMatching(/^consent-/),
  })
  const preview = mock.calls.findLast(({ path }) => path === 'consents.preview')?.input
  expect(preview).toMatchObject({ conversationId: 'c1', purpose: 'studio', text: 'Whoever helps, in a boat' })

  // Sending again asks again.
  await page.getByRole('button', { name: 'Send and pay again' }).click()
  await expect(question(page)).toBeVisible()
  await page.keyboard.press('Escape')
  expect(mock.state.studio.jobs).toHaveLength(1)
  // A completely new prompt no longer comes from the conversation.
  await prompt(page).fill('')
  await prompt(page).fill('A heron')
  await expect(page.getByTestId('ask-line')).not.toContainText('private conversation')
  await make.click()
  await expect(page.getByRole('article', { name: 'A heron' })).toContainText('Done')
  expect(starts(mock).at(-1)).not.toHaveProperty('ask.from')
})

test('a selected part of a reply is read aloud by Studio, by keyboard only', async ({
  window: { open, page, mock },
}) => {
  whatWasPrivate(mock)
  await open('#/chat/c1')
  // Parsing replaces the plain paragraph, and a selection made before that is lost with it.
  await expect(answer(page).getByText('Whoever will help')).not.toHaveAttribute('class')
  await answer(page)
    .getByText('Whoever will help')
    .evaluate((element) => {
      const textNode = element.ownerDocument.createTreeWalker(element, NodeFilter.SHOW_TEXT).nextNode()
      if (textNode) getSelection()?.setBaseAndExtent(textNode, 0, textNode, 'Whoever will help you'.length)
    })
  await answer(page).getByRole('button', { name: 'Use in Studio' }).focus()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('menuitem', { name: 'Generate image from selection' })).toBeFocused()
  expect(await axeFaults(page)).toEqual([])
  await page.keyboard.press('ArrowDown')
  // The menu moves the focus after the key's own event.
  await expect(page.getByRole('menuitem', { name: 'Generate speech from selection' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.getByLabel('Text', { exact: true })).toHaveValue('Whoever will help you')
  await page.getByRole('button', { name: 'Generate speech' }).click()
  await expect(question(page).getByRole('listitem')).toContainText('Whoever will help you')
  await page.keyboard.press('Shift+Tab')
  await page.keyboard.press('Enter')
  await expect.poll(() => starts(mock).length).toBe(2)
  expect(starts(mock)).toMatchObject([
    { ask: { kind: 'speech' } },
    {
      ask: { kind: 'speech', text: 'Whoever will help you', from: { conversationId: 'c1' } },
      consentId: expect.any(String),
    },
  ])
})

test('a reply of a plaintext chat needs no consent', async ({ window: { open, page, mock } }) => {
  mock.state.conversations = [
    conversation('c2', 'Herons', Date.now(), [['Which bird?', 'A **heron**, standing.']], {
      private: false,
      model: 'sandbox/echo',
    }),
  ]
  for (const message of mock.state.conversations[0]?.messages ?? [])
    if (message.role === 'assistant') Object.assign(message, { model: 'sandbox/echo', privacy: 'forwarded' })
  await open('#/chat/c2')
  await useAnswer(page, /^Generate image/)
  await expect(prompt(page)).toHaveValue('A heron, standing.')
  await expect(page.getByTestId('ask-line')).not.toContainText('private conversation')
  await page.getByRole('button', { name: /^Generate( · |$)/ }).click()
  await expect(page.getByRole('article', { name: 'A heron, standing.' })).toContainText('Done')
  expect(starts(mock)).toHaveLength(1)
  expect(starts(mock)[0]).not.toHaveProperty('ask.from')
})

test('an image of a private message is edited only after its name was shown and allowed', async ({
  window: { open, page, mock },
}) => {
  whatWasPrivate(mock)
  const attachment: Attachment = {
    id: 'a1',
    name: 'letter.png',
    kind: 'image',
    type: 'image/png',
    bytes: picture.length,
    width: 32,
    height: 32,
  }
  mock.state.attachments.files.set('a1', { attachment, content: picture })
  const asked = mock.state.conversations[0]?.messages.find(({ role }) => role === 'user')
  if (asked) asked.attachments = [attachment]
  await open('#/chat/c1')
  await page.getByRole('button', { name: /letter\.png/ }).click()
  await page
    .getByRole('dialog', { name: 'letter.png' })
    .getByRole('button', { name: 'Use in Studio' })
    .click()
  await expect(page.getByRole('radio', { name: 'Edit image' })).toBeChecked()
  await expect(page.getByRole('img', { name: 'Preview of letter.png' })).toBeVisible()
  await page.getByRole('textbox', { name: 'Describe the change' }).fill('Without the stamp')
  await page.getByRole('button', { name: 'Edit image' }).click()
  await expect(question(page)).toContainText('1 file')
  await expect(question(page)).toContainText('letter.png')
  await page.getByRole('button', { name: 'Allow once' }).click()
  await expect(page.getByRole('article', { name: 'Without the stamp' })).toContainText('Done')
  expect(starts(mock).at(-1)).toMatchObject({
    ask: { prompt: 'Without the stamp', from: { conversationId: 'c1', attachmentId: 'a1' } },
  })
  // Repeated from the card, the job still edits the message's picture.
  await page.getByRole('button', { name: 'Reuse settings' }).click()
  await page.getByRole('button', { name: 'Edit image' }).click()
  await expect(question(page)).toContainText('letter.png')
})
