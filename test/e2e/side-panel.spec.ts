import * as data from './mock-data.ts'
import { expect, test } from './window-test.ts'

const documentOf = (title: string) => `\`\`\`html\n<title>${title}</title><p>Text</p>\n\`\`\`\n`

const passage = (line: number) => ({
  id: `p${String(line)}`,
  documentId: 'd1',
  document: 'rivers.txt',
  place: { line },
  text: `Line ${String(line)} of the file.`,
  tokens: 6,
})

test.beforeEach(({ window: { mock } }) => {
  const answers = [
    documentOf('First'),
    documentOf('Second'),
    ...Array.from({ length: 40 }, () => 'Done.\n\n'.repeat(8)),
  ]
  const stored = data.conversation(
    'c1',
    'Documents',
    Date.now(),
    answers.map((answer, at) => [`Question ${String(at)}`, answer] as const),
  )
  const [question, ...rest] = stored.messages
  if (!question) throw new Error('There is no message.')
  mock.state.conversations = [
    { ...stored, messages: [{ ...question, passages: [passage(1), passage(2)] }, ...rest] },
  ]
})

test.beforeEach(async ({ window: { open, page, messages } }) => {
  await open('#/chat/c1')
  await expect(messages.getByText('Question 41', { exact: true })).toBeInViewport()
  await messages.focus()
  await page.keyboard.press('Home')
  await expect(messages.getByText('Question 0', { exact: true })).toBeInViewport()
})

test('the focus returns to the button that last opened a document', async ({
  window: { page, messages },
}) => {
  const open = messages.getByRole('button', { name: 'Open', exact: true })
  const [first, second] = [open.nth(0), open.nth(1)]
  await first.press('Enter')
  await expect(page.getByRole('heading', { name: 'First' })).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(first).toBeFocused()
  await first.press('Enter')
  await expect(page.getByRole('heading', { name: 'First' })).toBeFocused()
  await second.press('Enter')
  const panel = page.getByRole('region', { name: 'Second' })
  await panel.getByRole('button', { name: 'Close' }).click()
  await expect(panel).toHaveCount(0)
  await expect(second).toBeFocused()
})

test('the focus returns to the name of a file after its passages were read', async ({
  window: { page, messages },
}) => {
  await messages.getByText('2 passages sent').click()
  const source = messages.getByRole('button', { name: 'rivers.txt' }).first()
  await source.press('Enter')
  const panel = page.getByRole('region', { name: 'rivers.txt' })
  await expect(panel.getByRole('heading')).toBeFocused()
  await panel.getByRole('button', { name: 'Next passage' }).press('Enter')
  await expect(panel).toContainText('Line 2 of the file.')
  await expect(panel.getByRole('heading')).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(panel).toHaveCount(0)
  await expect(source).toBeFocused()
})

test('the composer takes the focus if the button that opened a document is no longer in the page', async ({
  window: { page, messages, composer },
}) => {
  await messages.getByRole('button', { name: 'Open', exact: true }).first().press('Enter')
  const heading = page.getByRole('heading', { name: 'First' })
  await expect(heading).toBeFocused()
  await messages.hover()
  await page.mouse.wheel(0, 100_000)
  await expect(messages.getByText('Question 41', { exact: true })).toBeInViewport()
  await expect(messages.getByText('Question 0', { exact: true })).toHaveCount(0)
  await expect(heading).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(heading).toHaveCount(0)
  await expect(composer).toBeFocused()
})

test('the focus follows the edit of a document into the message', async ({
  window: { page, messages, composer },
}) => {
  await messages.getByRole('button', { name: 'Open', exact: true }).first().press('Enter')
  const panel = page.getByRole('region', { name: 'First' })
  await panel.getByRole('button', { name: 'Edit' }).press('Enter')
  await expect(panel.getByLabel('Source of the document')).toBeFocused()
  await panel.getByRole('button', { name: 'Cancel' }).press('Enter')
  await expect(panel.getByRole('heading', { name: 'First' })).toBeFocused()
  await panel.getByRole('button', { name: 'Edit' }).press('Enter')
  await panel.getByRole('button', { name: 'Add to message' }).press('Enter')
  await expect(composer).toBeFocused()
  await expect(composer).toHaveValue(/<title>First/)
  // A narrow window shows only the document.
  await page.setViewportSize({ width: 480, height: 800 })
  await panel.getByRole('button', { name: 'Edit' }).press('Enter')
  await panel.getByRole('button', { name: 'Add to message' }).press('Enter')
  await expect(panel.getByRole('heading', { name: 'First' })).toBeFocused()
})

test('the focus returns to the chat that a document covers in a narrow window', async ({
  window: { page, messages },
}) => {
  await page.setViewportSize({ width: 480, height: 800 })
  const open = messages.getByRole('button', { name: 'Open', exact: true }).first()
  await open.press('Enter')
  await expect(page.getByRole('heading', { name: 'First' })).toBeFocused()
  await expect(open).toBeHidden()
  await page.keyboard.press('Escape')
  await expect(open).toBeFocused()
})
