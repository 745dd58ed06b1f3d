import { seriousFaults } from './axe.ts'
import { showScreen, type ScreenGroup } from './screens/screen.ts'
import { sideways } from './whole-page.ts'
import { expect, test } from './window-test.ts'

/** A test for each screen of these: what axe finds in light and dark, wide and narrow, and what goes beyond the window. */
export function testEveryScreen(group: ScreenGroup): void {
  test.describe('every screen', () => {
    // What axe sees of a colour while it fades is neither of its two.
    test.use({ contextOptions: { reducedMotion: 'reduce' } })
    for (const screen of group.screens) {
      test(`${screen.name}: nothing serious for axe in light and dark, nothing sideways at 360 pixels`, async ({ window: { open, page, door } }) => {
        await showScreen({ open, page, door }, group, screen)
        for (const colorScheme of ['light', 'dark'] as const) {
          await page.emulateMedia({ colorScheme })
          expect(await seriousFaults(page), colorScheme).toEqual([])
        }
        await page.setViewportSize({ width: 360, height: 740 })
        expect(await sideways(page)).toEqual([])
        expect(await seriousFaults(page), 'at 360 pixels').toEqual([])
      })
    }
  })
}
