import { askAloud, chooseOpen, whatWasPrivate } from './screens/consent-screens.ts'
import { failure } from './mock-server.ts'
import { expect, test } from './window-test.ts'

const question = 'And what does it cost?'

test('the dialog shows in words and numbers what would become visible, and Enter and Esc cancel', async ({
  window: { open, page, mock, composer },
}) => {
  whatWasPrivate(mock)
  await open('#/chat/c1')
  await expect(composer).toBeFocused()
  await askAloud(page, question)
  const dialog = page.getByRole('alertdialog')
  await expect(dialog).toContainText('Visible')
  await expect(dialog).toContainText(/5 messages in full, [\d,]+ characters in total/)
  await expect(dialog).toContainText('21 characters')
  await expect(dialog).toContainText('One reply.')
  await expect(dialog).toContainText('5 minutes')
  const messages = dialog
    .getByRole('list', { name: 'Messages that would become visible' })
    .getByRole('listitem')
  await expect(messages).toHaveCount(5)
  await expect(messages.last()).toContainText(question)
  await expect(messages.first()).toContainText('What does the letter of the clinic mean?')

  // The default: what has the focus keeps it private, and so does Esc.
  await expect(dialog.getByRole('button', { name: 'Cancel' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(dialog).toHaveCount(0)
  await expect(composer).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(dialog.getByRole('button', { name: 'Cancel' })).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(dialog).toHaveCount(0)
  await expect(composer).toHaveValue(question)
  expect(mock.calls.filter(({ path }) => path === 'chat.send')).toEqual([])
})

test('one reply is allowed by keyboard, and the next message is private again', async ({
  window: { open, page, mock, composer, messages },
}) => {
  whatWasPrivate(mock)
  await open('#/chat/c1')
  await expect(composer).toBeFocused()
  await askAloud(page, question)
  await expect(page.getByRole('button', { name: 'Cancel' })).toBeFocused()
  await page.keyboard.press('Shift+Tab')
  await expect(page.getByRole('button', { name: 'Allow once' })).toBeFocused()
  await page.keyboard.press('Enter')
  const answer = await mock.nextAnswer()
  const shown = mock.calls.find(({ path }) => path === 'consents.preview')?.input
  expect(shown).toMatchObject({
    conversationId: 'c1',
    purpose: 'continue',
    models: [answer.input.model],
    text: question,
    parentId: 'c1-a1',
  })
  expect(answer.input).toMatchObject({ conversationId: 'c1', parentId: 'c1-a1', text: question })
  expect(answer.input.consentId).toMatch(/^consent-/)
  answer.delta('Nothing, says the service.')
  answer.end({ privacy: 'forwarded' })
  await expect(messages.getByRole('article').last()).toContainText('Visible')

  // As before the question, the message is sealed and needs no consent.
  await expect(page.getByRole('button', { name: /^Model: Sandbox Large/ })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Send', exact: true })).toBeVisible()
  await composer.fill('Between us again')
  await composer.press('Enter')
  const next = await mock.nextAnswer()
  expect(next.input.model).toMatch(/^private\//)
  expect(next.input.consentId).toBeUndefined()
  next.end()
  await expect(page.getByRole('button', { name: 'Stop' })).toHaveCount(0)

  // Aloud once more: asked once more.
  await askAloud(page, 'And once more')
  await expect(page.getByRole('alertdialog')).toBeVisible()
})

test('a regenerated reply and an edited question need consent too', async ({
  window: { open, page, mock, messages },
}) => {
  whatWasPrivate(mock)
  await open('#/chat/c1')
  await expect(messages.getByText('Whoever will help you')).toBeVisible()
  await chooseOpen(page)
  await messages.getByRole('article').last().getByRole('button', { name: 'Regenerate' }).click()
  await page.getByRole('button', { name: 'Allow once' }).click()
  const again = await mock.nextAnswer()
  expect(again.input).toMatchObject({ questionId: 'c1-q1', consentId: expect.stringMatching(/^consent-/) })
  again.delta('Your sister.')
  again.end({ privacy: 'forwarded' })
  await expect(messages.getByText('Your sister.')).toBeVisible()

  await chooseOpen(page)
  await page.getByLabel('Message', { exact: true }).press('ArrowUp')
  const editor = page.getByRole('textbox', { name: 'Edit message' })
  await editor.fill('Whom then?')
  await editor.press('Enter')
  await page.getByRole('alertdialog').getByRole('button', { name: 'Cancel' }).click()
  await expect(editor).toHaveValue('Whom then?')
  expect(mock.calls.filter(({ path }) => path === 'chat.send')).toEqual([])
})

test('consent can’t be given without a preview, and a consent that the core refuses is reported', async ({
  window: { open, page, mock, composer },
}) => {
  whatWasPrivate(mock)
  mock.state.failures['consents.preview'] = failure('store/damaged')
  await open('#/chat/c1')
  await expect(composer).toBeFocused()
  await askAloud(page, question)
  const dialog = page.getByRole('alertdialog')
  await expect(dialog.getByRole('alert')).toBeVisible()
  await expect(dialog.getByRole('button', { name: 'Allow once' })).toHaveCount(0)
  mock.state.failures = { 'chat.send': failure('privacy/consent-changed') }
  await dialog.getByRole('button', { name: 'Try again' }).click()
  await dialog.getByRole('button', { name: 'Allow once' }).click()
  await expect(page.getByRole('alert')).toContainText('has changed since you reviewed it')
  await expect(composer).toHaveValue(question)
})

test('a dialog that was open for five minutes is shown again before consent can be given', async ({
  window: { open, page, mock, composer },
}) => {
  await page.clock.install()
  whatWasPrivate(mock)
  await open('#/chat/c1')
  await expect(composer).toBeFocused()
  await askAloud(page, question)
  await expect(page.getByRole('button', { name: 'Allow once' })).toBeVisible()
  await page.clock.fastForward('05:10')
  await expect(page.getByText('This preview is more than 5 minutes old.')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Allow once' })).toHaveCount(0)
})
