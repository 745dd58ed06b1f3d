import { seriousFaults } from './axe.ts'
import { failure } from './mock-door.ts'
import { attachmentScreens } from './screens/attachment-screens.ts'
import { showScreen } from './screens/screen.ts'
import { expect, test } from './window-test.ts'

test.describe('every screen of files', () => {
  // What axe sees of a colour while it fades is neither of its two.
  test.use({ contextOptions: { reducedMotion: 'reduce' } })
  for (const screen of attachmentScreens.screens) {
    test(`${screen.name}: nothing serious for axe in light and dark, nothing sideways at 480 pixels`, async ({ window: { open, page, door } }) => {
      await showScreen({ open, page, door }, attachmentScreens, screen)
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme })
        expect(await seriousFaults(page), colorScheme).toEqual([])
      }
      await page.setViewportSize({ width: 480, height: 800 })
      expect(await page.evaluate('document.documentElement.scrollWidth <= document.documentElement.clientWidth')).toBe(true)
    })
  }
})

test('what was written before the kept draft came stands behind it, and where drafts are not kept, it says so', async ({ window: { open, page, door, composer } }) => {
  door.state.attachments.drafts = [{ conversationId: 'new', text: 'kept before', attachments: [] }]
  await open()
  await expect(composer).toHaveValue('kept before')
  door.state.failures['drafts.save'] = failure('store/unwritable')
  await composer.fill('kept before, and more')
  await expect(page.getByText('This draft isn’t saved')).toBeVisible()
  door.state.failures = {}
  await composer.fill('kept before, and more of it')
  await expect(page.getByText('This draft isn’t saved')).toHaveCount(0)
  await expect.poll(() => door.state.attachments.drafts).toEqual([{ conversationId: 'new', text: 'kept before, and more of it', attachments: [] }])
})
