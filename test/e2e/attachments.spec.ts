import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Locator } from '@playwright/test'
import { failure } from './mock-server.ts'
import { expect, test } from './window-test.ts'

test('the saved draft is restored, and a draft that can’t be saved shows a notice until it is saved', async ({
  window: { open, page, mock, composer },
}) => {
  mock.state.attachments.drafts = [{ conversationId: 'new', text: 'kept before', attachments: [] }]
  await open()
  await expect(composer).toHaveValue('kept before')
  mock.state.failures['drafts.save'] = failure('store/unwritable')
  await composer.fill('kept before, and more')
  await expect(page.getByText('This draft isn’t saved')).toBeVisible()
  mock.state.failures = {}
  await composer.fill('kept before, and more of it')
  await expect(page.getByText('This draft isn’t saved')).toHaveCount(0)
  await expect
    .poll(() => mock.state.attachments.drafts)
    .toEqual([{ conversationId: 'new', text: 'kept before, and more of it', attachments: [] }])
})

test('a long paste becomes a file, and remains text with Shift', async ({
  window: { open, page, mock, composer },
}) => {
  await open()
  const text = 'a line of a log\n'.repeat(41)
  const paste = () =>
    composer.evaluate((area, pasted) => {
      const data = new DataTransfer()
      data.setData('text/plain', pasted)
      // An event of a script inserts nothing, so the test looks at whether the window lets the browser insert it.
      return area.dispatchEvent(
        new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }),
      )
    }, text)
  await composer.press('Control+v')
  expect(await paste()).toBe(false)
  await expect(page.getByText('Pasted text.txt')).toBeVisible()
  await expect
    .poll(() => [...mock.state.attachments.files.values()].map(({ content }) => String(content)))
    .toEqual([text])
  // The keys are still down while the browser pastes.
  await composer.dispatchEvent('keydown', { key: 'V', ctrlKey: true, shiftKey: true })
  expect(await paste()).toBe(true)
  await expect(page.getByText('Pasted text.txt')).toHaveCount(1)
})

/** Pastes as the menu of the mouse does: no key is down. */
async function pasteByMouse(composer: Locator, png: Buffer): Promise<void> {
  await composer.evaluate((area, base64) => {
    const clipboardData = new DataTransfer()
    const bytes = Uint8Array.from(atob(base64), (sign) => sign.charCodeAt(0))
    clipboardData.items.add(new File([bytes], 'image.png', { type: 'image/png' }))
    area.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }))
  }, png.toString('base64'))
}

test('an image that is pasted with the mouse is attached, whichever key was pressed last', async ({
  window: { open, page, composer },
}) => {
  await open()
  const png = await readFile(
    join(import.meta.dirname, '../core/conversations/image-metadata/pictures/picture.png'),
  )
  const chips = page.getByRole('list', { name: 'Attached files' }).getByRole('listitem')
  await composer.press('Shift+A')
  await pasteByMouse(composer, png)
  await expect(chips).toHaveCount(1)
  // A paste as text lasts as long as its keys are down.
  await composer.press('ControlOrMeta+Shift+V')
  await pasteByMouse(composer, png)
  await expect(chips).toHaveCount(2)
})
