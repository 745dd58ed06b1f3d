import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { chromium } from '@playwright/test'
import { findChromium } from '../test/e2e/find-chromium.ts'

/**
 * `node build/tray-icons.ts` draws resources/tray: a different shape for each status of the enclave,
 * recognizable without color. A template image is black, for macOS to color; elsewhere white with a dark
 * edge is visible on light and dark bars.
 */
const shapes = {
  // A lock in a ring.
  verified:
    '<circle cx="8" cy="8" r="6.8"/><rect x="5" y="7.3" width="6" height="4.3" rx="0.8" fill="currentColor" stroke="none"/><path d="M6.3 7.4V6a1.7 1.7 0 0 1 3.4 0v1.4" stroke-width="1.3"/>',
  // A barred octagon.
  refused:
    '<path d="M5.3 1.2h5.4l4.1 4.1v5.4l-4.1 4.1H5.3L1.2 10.7V5.3Z" stroke-linejoin="round"/><path d="M4.3 8h7.4" stroke-width="2.4"/>',
  // An empty ring.
  'not-verified': '<circle cx="8" cy="8" r="6.8"/>',
  // A dash.
  none: '<path d="M2 8h12" stroke-width="2.6" stroke-linecap="round"/>',
} as const

const folder = join(import.meta.dirname, '..', 'resources', 'tray')

function drawing(shape: string, size: number, template: boolean): string {
  const stroke = (colour: string, more: number) =>
    `<g color="${colour}" stroke="${colour}" fill="none" stroke-width="1.5" style="${more > 0 ? 'filter:drop-shadow(0 0 0.6px #1b1b1a) drop-shadow(0 0 0.6px #1b1b1a)' : ''}">${shape}</g>`
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${String(size)}" height="${String(size)}" viewBox="0 0 16 16">${template ? stroke('#000', 0) : stroke('#fff', 1)}</svg>`
}

const executablePath = findChromium()
const browser = await chromium.launch(executablePath === undefined ? {} : { executablePath })
try {
  const page = await browser.newPage()
  for (const [name, shape] of Object.entries(shapes)) {
    for (const template of [false, true]) {
      for (const [suffix, size] of [
        ['', 16],
        ['@2x', 32],
      ] as const) {
        await page.setViewportSize({ width: size, height: size })
        await page.setContent(
          `<body style="margin:0;background:transparent;line-height:0">${drawing(shape, size, template)}`,
        )
        writeFileSync(
          join(folder, `${name}${template ? 'Template' : ''}${suffix}.png`),
          await page.screenshot({ omitBackground: true }),
        )
      }
    }
  }
} finally {
  await browser.close()
}
