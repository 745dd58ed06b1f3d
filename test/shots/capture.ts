import { join } from 'node:path'
import type { Browser, Page } from '@playwright/test'
import { showScreen, type Screen, type ScreenGroup } from '../e2e/screens/screen.ts'
import { showLanguage } from '../e2e/text-fit.ts'
import type { LanguageTag } from '../../src/shared/window-preferences.ts'

const NARROW = 480
export const widths = [1280, NARROW] as const
export const themes = ['light', 'dark'] as const
/**
 * Languages pictured narrow and light: one with the longest words, one without spaces, and one written right to
 * left.
 */
export const translations: readonly LanguageTag[] = ['de', 'ja', 'he']
const HEIGHT = 800
/** A longer screen is cut. */
const MOST_HEIGHT = 3200

export interface Picture {
  readonly language: LanguageTag
  readonly width: (typeof widths)[number]
  readonly theme: (typeof themes)[number]
  readonly file: string
}

export interface Capture {
  readonly group: string
  readonly screen: string
  readonly pictures: readonly Picture[]
  /** Why pictures are missing. */
  readonly failure?: string
}

/** A page with a server for it. */
export interface PageKind<Mock extends AsyncDisposable> {
  readonly start: () => Promise<Mock>
  readonly open: (page: Page, mock: Mock, place?: string) => Promise<void>
}

/** Shows one screen and takes its pictures. A failure is returned, not thrown. */
export async function capture<Mock extends AsyncDisposable>(
  browser: Browser,
  kind: PageKind<Mock>,
  group: ScreenGroup<Mock>,
  screen: Screen<Mock>,
  folder: string,
): Promise<Capture> {
  await using mock = await kind.start()
  const context = await browser.newContext({
    viewport: { width: widths[0], height: HEIGHT },
    locale: 'en-GB',
    reducedMotion: 'reduce',
    colorScheme: themes[0],
  })
  const pictures: Picture[] = []
  const named = { group: group.name, screen: screen.name }
  try {
    const page = await context.newPage()
    await showScreen({ page, mock, open: (place) => kind.open(page, mock, place) }, group, screen)
    for (const width of widths) {
      await fit(page, width)
      for (const theme of themes) pictures.push(await take(page, 'en', width, theme))
    }
    for (const language of translations) {
      await showLanguage(page, language)
      await fit(page, NARROW)
      pictures.push(await take(page, language, NARROW, 'light'))
    }
    return { ...named, pictures }
  } catch (cause) {
    return { ...named, pictures, failure: cause instanceof Error ? cause.message : String(cause) }
  } finally {
    await context.close()
  }

  async function take(
    page: Page,
    language: LanguageTag,
    width: Picture['width'],
    theme: Picture['theme'],
  ): Promise<Picture> {
    await page.emulateMedia({ colorScheme: theme })
    const file = `${slug(group.name)}--${slug(screen.name)}-${String(width)}-${language === 'en' ? theme : language}.png`
    await page.screenshot({ path: join(folder, file), animations: 'disabled', caret: 'hide' })
    return { language, width, theme, file }
  }
}

/** Makes the page tall enough to show the whole screen. */
async function fit(page: Page, width: number): Promise<void> {
  await page.setViewportSize({ width, height: HEIGHT })
  await page.setViewportSize({ width, height: Math.min(MOST_HEIGHT, HEIGHT + (await hidden(page))) })
}

/** Pixels of the screen that are below the visible part. Conversations and lists have their own scroll area. */
function hidden(page: Page): Promise<number> {
  return page.evaluate(() => {
    const main = document.querySelector('main')
    return main ? main.scrollHeight - main.clientHeight : 0
  })
}

export function slug(name: string): string {
  return name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
}
