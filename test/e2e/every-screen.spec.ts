import type { Page } from '@playwright/test'
import type { LanguageTag } from '../../src/shared/window-preferences.ts'
import { COLOUR_RULES, axeFaults } from './axe.ts'
import { groups, teamGroups } from './screens/groups.ts'
import { showScreen } from './screens/screen.ts'
import { teamTest } from './team-test.ts'
import { cutPlaceholders, showLanguage, textsOf, unfittingTexts } from './text-fit.ts'
import { overlappingFields, sideways } from './whole-page.ts'
import { expect, test } from './window-test.ts'

// The tests share nothing with each other, and are a third of all page tests.
test.describe.configure({ mode: 'parallel' })

/** `npm run test:matrix` checks every screen in each of these languages and widths, and folded as well as unfolded. */
const EVERYTHING = process.env['SOTTO_SCREENS'] === 'matrix'
/** German has the longest words, Japanese no spaces to break at, and Hebrew is right to left. */
const languages: readonly LanguageTag[] = EVERYTHING ? ['de', 'ja', 'he'] : ['de']
const widths = EVERYTHING ? ([1280, 480] as const) : ([480] as const)
const HEIGHT = 800

/**
 * Changes the width, and waits until content that depends on it is drawn. For example, a list draws other
 * rows because it shows only those in sight.
 */
async function resize(page: Page, width: number, height = HEIGHT): Promise<void> {
  await page.setViewportSize({ width, height })
  await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))))
}

interface Form {
  readonly form: string
  readonly width: number
  readonly height?: number
  readonly colorScheme?: 'light' | 'dark'
  readonly forcedColors?: 'active' | 'none'
}

/** What the matrix checks with all rules in addition. At 200 % zoom, 1280 by 800 pixels are 640 by 400. */
const FORMS: readonly Form[] = [
  { form: 'light at 1600 pixels', width: 1600 },
  { form: 'dark at 1600 pixels', width: 1600, colorScheme: 'dark' },
  { form: 'dark at 1280 pixels', width: 1280, colorScheme: 'dark' },
  { form: 'light at 200 % zoom', width: 640, height: 400 },
  { form: 'dark at 200 % zoom', width: 640, height: 400, colorScheme: 'dark' },
  { form: 'light at 480 pixels', width: 480 },
  { form: 'dark at 480 pixels', width: 480, colorScheme: 'dark' },
  { form: 'forced colors at 1280 pixels', width: 1280, forcedColors: 'active' },
  { form: 'dark forced colors at 480 pixels', width: 480, colorScheme: 'dark', forcedColors: 'active' },
]

async function expectEveryFormAccessible(page: Page, state: string): Promise<void> {
  for (const { form, width, height, colorScheme = 'light', forcedColors = 'none' } of FORMS) {
    await page.emulateMedia({ colorScheme, forcedColors })
    await resize(page, width, height)
    expect.soft(await axeFaults(page), `${state}, ${form}`).toEqual([])
  }
  await page.emulateMedia({ colorScheme: 'light', forcedColors: 'none' })
}

/**
 * Checks a screen at 1280 pixels with all rules. Then checks only the parts that depend on theme or width:
 * colors in dark, and at 360 pixels, the least width of a window, that nothing is wider. The matrix uses all
 * rules there too, and in every form.
 */
async function expectAccessible(page: Page, state: string): Promise<void> {
  await resize(page, 1280)
  await page.emulateMedia({ colorScheme: 'light' })
  expect(await axeFaults(page), `${state}, light at 1280 pixels`).toEqual([])
  await page.emulateMedia({ colorScheme: 'dark' })
  expect(await axeFaults(page, undefined, COLOUR_RULES), `${state}, dark at 1280 pixels`).toEqual([])
  await resize(page, 360)
  await expect.poll(() => sideways(page), { message: `${state}: sideways at 360 pixels` }).toEqual([])
  if (!EVERYTHING) return
  expect.soft(await axeFaults(page), `${state}, dark at 360 pixels`).toEqual([])
  await expectEveryFormAccessible(page, state)
}

/**
 * The steps of a screen find their elements by English text. So a page shows its screen in English once, then
 * changes language and width in place. Text that is clipped in English too, such as a chat's title, is user
 * content and not a translation.
 */
async function expectTextsFit(page: Page): Promise<void> {
  const names: string[] = []
  const faultsByWidth = new Map<number, readonly string[]>()
  for (const width of widths) {
    await resize(page, width)
    names.push(...(await textsOf(page)))
    faultsByWidth.set(width, await unfittingTexts(page, names))
  }
  for (const language of languages) {
    await showLanguage(page, language)
    for (const width of widths) {
      await resize(page, width)
      if (EVERYTHING && language === 'he')
        expect.soft(await axeFaults(page), `right to left at ${String(width)} pixels`).toEqual([])
      const at = `${language} at ${String(width)} pixels`
      await expect.poll(() => sideways(page), { message: `${at}: sideways` }).toEqual([])
      await expect
        .poll(() => overlappingFields(page), { message: `${at}: fields on one another` })
        .toEqual([])
      await expect.poll(() => cutPlaceholders(page), { message: `${at}: placeholders` }).toEqual([])
      await expect
        .poll(
          async () =>
            (await unfittingTexts(page, names)).filter((fault) => !faultsByWidth.get(width)?.includes(fault)),
          { message: at },
        )
        .toEqual([])
    }
  }
}

/** Opens collapsed sections. Returns whether there were any. */
function unfold(page: Page): Promise<boolean> {
  return page.evaluate(() => {
    const folded = [...document.querySelectorAll<HTMLDetailsElement>('details:not([open])')]
    for (const details of folded) details.open = true
    return folded.length > 0
  })
}

for (const group of groups) {
  test.describe(`every screen: ${group.name}`, () => {
    // During a fade, axe would measure a color between the initial and the final one.
    test.use({ contextOptions: { reducedMotion: 'reduce' } })
    for (const screen of group.screens) {
      test(screen.name, async ({ window: { open, page, mock } }) => {
        await showScreen({ open, page, mock }, group, screen)
        if (EVERYTHING) await expectAccessible(page, 'as shown')
        if ((await unfold(page)) || !EVERYTHING) await expectAccessible(page, 'unfolded')
        await expectTextsFit(page)
      })
    }
  })
}

for (const group of teamGroups) {
  teamTest.describe(`every screen: ${group.name}`, () => {
    teamTest.use({ contextOptions: { reducedMotion: 'reduce' } })
    for (const screen of group.screens) {
      teamTest(screen.name, async ({ team: { open, page, mock } }) => {
        await showScreen({ open, page, mock }, group, screen)
        await unfold(page)
        await expectAccessible(page, 'unfolded')
        await expectTextsFit(page)
      })
    }
  })
}
