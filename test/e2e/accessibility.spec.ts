import { seriousFaults } from './axe.ts'
import { showScreen } from './screens/screen.ts'
import { full, windowScreens } from './screens/window-screens.ts'
import { expect, test } from './window-test.ts'

test.describe('every screen', () => {
  // What axe sees of a colour while it fades is neither of its two.
  test.use({ contextOptions: { reducedMotion: 'reduce' } })
  for (const screen of windowScreens.screens) {
    test(`${screen.name}: nothing serious for axe in light and dark, nothing sideways at 360 pixels`, async ({ window: { open, page, door } }) => {
      await showScreen({ open, page, door }, windowScreens, screen)
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme })
        expect(await seriousFaults(page), colorScheme).toEqual([])
      }
      await page.setViewportSize({ width: 360, height: 740 })
      expect(await page.evaluate('[document.documentElement, document.body, document.querySelector("main")].filter(Boolean).filter((element) => element.scrollWidth > element.clientWidth).map((element) => element.tagName)')).toEqual([])
      expect(await seriousFaults(page), 'at 360 pixels').toEqual([])
    })
  }
})

test.describe('at 360 pixels', () => {
  test.use({ viewport: { width: 360, height: 740 } })
  test('the rooms and the conversations are in the menu', async ({ window: { open, page, door, messages } }) => {
    full(door)
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

test('the keyboard alone goes from the address bar to a sent message and back to the rooms', async ({ window: { open, page, door, composer } }) => {
  await open()
  await expect(composer).toBeFocused()
  await page.keyboard.type('Hello')
  await page.keyboard.press('Enter')
  const answer = await door.nextAnswer()
  answer.delta('Hello.')
  answer.end()
  await expect(page.getByRole('button', { name: 'Copy reply' })).toBeVisible()
  // It is the first of what can be done with an answer, and the composer stands after the last.
  for (const name of ['Delete', 'Branch', 'Regenerate', 'Use in Studio', 'Read aloud', 'Copy reply']) {
    await page.keyboard.press('Shift+Tab')
    await expect(page.getByRole('button', { name: new RegExp(`^${name}`) }).last()).toBeFocused()
  }
  const outline = await page.getByRole('button', { name: 'Copy reply' }).evaluate((element) => getComputedStyle(element).outlineStyle)
  expect(outline).toBe('solid')
})

test.describe('with reduced motion', () => {
  test.use({ contextOptions: { reducedMotion: 'reduce' } })
  test('nothing moves by itself', async ({ window: { open, send, page } }) => {
    await open()
    ;(await send('Hello')).stage('waiting')
    await expect(page.getByTestId('stage')).toBeVisible()
    expect(await page.evaluate('document.getAnimations().length')).toBe(0)
  })
})
