import type { LanguageTag } from '../../src/shared/window-preferences.ts'
import { groups } from '../shots/groups.ts'
import { showScreen } from './screens/screen.ts'
import { cutPlaceholders, showLanguage, textsOf, unfittingTexts } from './text-fit.ts'
import { overlappingFields, sideways } from './whole-page.ts'
import { expect, test } from './window-test.ts'

/** German has the longest words, Japanese no spaces to break at, and Hebrew is right to left. */
const languages: readonly LanguageTag[] = ['de', 'ja', 'he']
const widths = [1280, 480] as const
const HEIGHT = 800

/**
 * The steps of a screen find their elements by their English, so a page shows its screen in English once, then changes language and
 * width in place. A text that is clipped in English too, such as the title of a chat, is a person's and no translation.
 */
for (const group of groups) {
  test.describe(`short texts have room: ${group.name}`, () => {
    test.use({ contextOptions: { reducedMotion: 'reduce' } })
    for (const screen of group.screens) {
      test(screen.name, async ({ window: { open, page, door } }) => {
        await showScreen({ open, page, door }, group, screen)
        const names = await textsOf(page)
        const own = new Map<number, readonly string[]>()
        for (const width of widths) {
          await page.setViewportSize({ width, height: HEIGHT })
          own.set(width, await unfittingTexts(page, names))
        }
        for (const language of languages) {
          await showLanguage(page, language)
          for (const width of widths) {
            await page.setViewportSize({ width, height: HEIGHT })
            const at = `${language} at ${String(width)} pixels`
            await expect.poll(() => sideways(page), { message: `${at}: sideways` }).toEqual([])
            await expect.poll(() => overlappingFields(page), { message: `${at}: fields on one another` }).toEqual([])
            await expect.poll(() => cutPlaceholders(page), { message: `${at}: placeholders` }).toEqual([])
            await expect.poll(async () => (await unfittingTexts(page, names)).filter((fault) => !own.get(width)?.includes(fault)), { message: at }).toEqual([])
          }
        }
      })
    }
  })
}
