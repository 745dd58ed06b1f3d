import { join } from 'node:path'
import type { Browser } from '@playwright/test'
import { serveGallery } from '../e2e/gallery-page.ts'
import { themes, widths, type Picture, type Capture } from './capture.ts'

export const galleryName = { group: 'gallery', screen: 'primitives' } as const

/** Takes the pictures of the gallery of primitives, light and dark, wide and narrow. A failure is returned, not thrown. */
export async function captureGallery(browser: Browser, folder: string): Promise<Capture> {
  const pictures: Picture[] = []
  try {
    await using gallery = await serveGallery()
    const page = await browser.newPage({ reducedMotion: 'reduce', locale: 'en-GB' })
    await page.goto(gallery.address)
    await page.getByRole('heading', { name: 'Gallery' }).waitFor()
    for (const width of widths) {
      await page.setViewportSize({ width, height: 800 })
      for (const theme of themes) {
        await page.emulateMedia({ colorScheme: theme })
        const file = `gallery-${String(width)}-${theme}.png`
        await page.screenshot({ path: join(folder, file), fullPage: true, animations: 'disabled' })
        pictures.push({ language: 'en', width, theme, file })
      }
    }
    await page.close()
    return { ...galleryName, pictures }
  } catch (cause) {
    return { ...galleryName, pictures, failure: cause instanceof Error ? cause.message : String(cause) }
  }
}
