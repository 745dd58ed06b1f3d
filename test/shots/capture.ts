import { join } from 'node:path'
import type { Browser, Page } from '@playwright/test'
import { openMockDoor } from '../e2e/mock-door.ts'
import { openWindow } from '../e2e/open-window.ts'
import { showScreen, type Screen, type ScreenGroup } from '../e2e/screens/screen.ts'

export const widths = [1280, 480] as const
export const themes = ['light', 'dark'] as const
const HEIGHT = 800
/** A room that is longer is cut. */
const MOST_HEIGHT = 3200

export interface Picture {
  readonly width: (typeof widths)[number]
  readonly theme: (typeof themes)[number]
  readonly file: string
}

export interface Taken {
  readonly group: string
  readonly screen: string
  readonly pictures: readonly Picture[]
  /** Why there are fewer than four. */
  readonly failure?: string
}

/** Brings one screen about at a door of its own, and takes its four pictures. What fails is told and not thrown. */
export async function capture(browser: Browser, group: ScreenGroup, screen: Screen, folder: string): Promise<Taken> {
  await using door = await openMockDoor()
  const context = await browser.newContext({ viewport: { width: widths[0], height: HEIGHT }, locale: 'en-GB', reducedMotion: 'reduce', colorScheme: themes[0] })
  const pictures: Picture[] = []
  const named = { group: group.name, screen: screen.name }
  try {
    const page = await context.newPage()
    await showScreen({ page, door, open: (place) => openWindow(page, door, place) }, group, screen)
    for (const width of widths) {
      await page.setViewportSize({ width, height: HEIGHT })
      await page.setViewportSize({ width, height: Math.min(MOST_HEIGHT, HEIGHT + await hidden(page)) })
      for (const theme of themes) {
        await page.emulateMedia({ colorScheme: theme })
        const file = `${slug(group.name)}--${slug(screen.name)}-${String(width)}-${theme}.png`
        await page.screenshot({ path: join(folder, file), animations: 'disabled', caret: 'hide' })
        pictures.push({ width, theme, file })
      }
    }
    return { ...named, pictures }
  } catch (cause) {
    return { ...named, pictures, failure: cause instanceof Error ? cause.message : String(cause) }
  } finally {
    await context.close()
  }
}

/** Pixels of a room that stand below what is in view; a conversation and a list scroll by themselves. */
function hidden(page: Page): Promise<number> {
  return page.evaluate(() => {
    const main = document.querySelector('main')
    return main ? main.scrollHeight - main.clientHeight : 0
  })
}

export function slug(name: string): string {
  return name.toLowerCase().replace(/[^a-z0-9]+/g, '-').replace(/^-|-$/g, '')
}
