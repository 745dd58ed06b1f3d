import type { Page } from '@playwright/test'
import { axeFaults } from './axe.ts'
import * as data from './mock-data.ts'
import { addToMessage } from './open-window.ts'
import { expect, test } from './window-test.ts'

const now = Date.now()

/** Puts formatted text on the clipboard, and presses the keys that paste. */
async function paste(page: Page, html: string, plain: string, keys = 'ControlOrMeta+V'): Promise<void> {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.evaluate(
    async ([markup, text]) => {
      const blob = (type: string, part: string) => new Blob([part], { type })
      await navigator.clipboard.write([
        new ClipboardItem({ 'text/html': blob('text/html', markup), 'text/plain': blob('text/plain', text) }),
      ])
    },
    [html, plain] as const,
  )
  await page.keyboard.press(keys)
}

test('formatted text becomes Markdown, can be undone, and stays plain with Shift', async ({
  window: { open, page, composer },
}) => {
  await open()
  await composer.fill('Before: ')
  await composer.focus()
  await paste(page, '<h2>Plan</h2><ul><li>a <b>bold</b> step</li></ul>', 'Plan\na bold step')
  await expect(composer).toHaveValue('Before: ## Plan\n\n- a **bold** step')
  await page.keyboard.press('ControlOrMeta+Z')
  await expect(composer).toHaveValue('Before: ')
  await paste(page, '<p>a <b>bold</b> step</p>', 'a bold step', 'ControlOrMeta+Shift+V')
  await expect(composer).toHaveValue('Before: a bold step')
})

test('hostile HTML is pasted as text, and nothing in it runs or loads', async ({
  window: { open, page, composer },
}) => {
  await open()
  await composer.focus()
  // Writing to the clipboard would have the browser clean the markup first.
  await composer.evaluate((element) => {
    const clipboardData = new DataTransfer()
    clipboardData.setData('text/plain', 'safe go')
    clipboardData.setData(
      'text/html',
      '<b>safe</b><img src="https://attacker.example/x.gif" onerror="document.title=\'run\'"><a href="javascript:document.title=\'run\'">go</a>',
    )
    element.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }))
  })
  await expect(composer).toHaveValue('**safe**go')
  await expect(page).not.toHaveTitle('run')
})

test('Enter of an input method sends nothing, also in the order of Safari', async ({
  window: { open, page, composer, mock },
}) => {
  await open()
  await composer.fill('日本')
  // Safari reports the end of the composition before the key that ended it.
  await composer.dispatchEvent('compositionend', { data: '日本' })
  await composer.dispatchEvent('keydown', { key: 'Enter', keyCode: 229, isComposing: false, bubbles: true })
  await expect(composer).toHaveValue('日本')
  expect(mock.calls.filter(({ path }) => path === 'chat.send')).toEqual([])
  await page.keyboard.press('Enter')
  expect((await mock.nextAnswer()).input).toMatchObject({ text: '日本' })
})

test('a chat can be shown right to left or left to right, whatever its letters are', async ({
  window: { open, page, messages, composer, mock },
}) => {
  mock.state.conversations = [
    data.conversation('c1', 'Mixed', now, [['VAT ב־2026?', 'VAT עולה.\n\n- one\n\n`code`']]),
  ]
  await open('#/chat/c1')
  const directionOf = (text: string) =>
    messages.getByText(text).evaluate((element) => getComputedStyle(element).direction)
  await expect.poll(() => directionOf('VAT עולה.')).toBe('ltr')
  await addToMessage(page, 'Change chat settings…')
  const dialog = page.getByRole('dialog', { name: 'Chat settings' })
  await dialog.getByLabel('Text direction').selectOption('Right to left')
  expect(await axeFaults(page, '[role=dialog]')).toEqual([])
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(dialog).toBeHidden()
  expect(mock.calls.findLast(({ path }) => path === 'conversations.configure')?.input).toMatchObject({
    direction: 'rtl',
  })
  for (const text of ['VAT עולה.', 'VAT ב־2026?']) await expect.poll(() => directionOf(text)).toBe('rtl')
  expect(await directionOf('code')).toBe('ltr')
  await expect(composer).toHaveAttribute('dir', 'rtl')
  await page.reload()
  await expect.poll(() => directionOf('VAT עולה.')).toBe('rtl')
})
