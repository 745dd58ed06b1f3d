import { full } from './screens/window-screens.ts'
import { expect, test } from './window-test.ts'

test.describe('at 360 pixels', () => {
  test.use({ viewport: { width: 360, height: 740 } })
  test('the menu has the views and the chats', async ({ window: { open, page, mock, messages } }) => {
    full(mock)
    await open()
    await page.getByRole('button', { name: 'Menu' }).click()
    await page.getByRole('link', { name: 'How sealing works' }).click()
    await expect(page.getByRole('dialog')).toHaveCount(0)
    await expect(messages).toBeVisible()
    await page.getByRole('button', { name: 'Menu' }).click()
    await page.getByRole('link', { name: /Privacy/ }).click()
    await expect(page.getByRole('button', { name: 'Verify again' })).toBeVisible()
  })
})

test('only the keyboard is needed from the address bar to a sent message and back to the actions of the reply', async ({
  window: { open, page, mock, composer },
}) => {
  await open()
  await expect(composer).toBeFocused()
  await page.keyboard.type('Hello')
  await page.keyboard.press('Enter')
  const answer = await mock.nextAnswer()
  answer.delta('Hello.')
  answer.end()
  await expect(page.getByRole('button', { name: 'Copy reply' })).toBeVisible()
  // From the composer, which follows the last action, back to "Copy reply", the first action of a reply.
  for (const name of ['Delete', 'Branch', 'Regenerate', 'Use in Studio', 'Read aloud', 'Copy reply']) {
    await page.keyboard.press('Shift+Tab')
    await expect(page.getByRole('button', { name: new RegExp(`^${name}`) }).last()).toBeFocused()
  }
  const outline = await page
    .getByRole('button', { name: 'Copy reply' })
    .evaluate((element) => getComputedStyle(element).outlineStyle)
  expect(outline).toBe('solid')
})

test.describe('with reduced motion', () => {
  test.use({ contextOptions: { reducedMotion: 'reduce' } })
  test('nothing is animated', async ({ window: { open, send, page } }) => {
    await open()
    ;(await send('Hello')).stage('waiting')
    await expect(page.getByTestId('stage')).toBeVisible()
    expect(await page.evaluate('document.getAnimations().length')).toBe(0)
  })
})
