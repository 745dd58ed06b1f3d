import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { expect, type Page } from '@playwright/test'
import type * as Axe from 'axe-core'

declare const axe: typeof Axe

const source = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** The only rules whose result depends on the theme. */
export const COLOUR_RULES = ['color-contrast', 'link-in-text-block'] as const

/**
 * Finds faults of any impact in the whole page or in `part` of it (a CSS selector).
 *
 * @param rules the rules to run, or all of them
 */
export async function axeFaults(
  page: Page,
  part?: string,
  rules?: readonly string[],
): Promise<readonly string[]> {
  // Every screen has one. The part of the window that shows it may still be loading.
  await expect(page.locator('h1').first()).toBeAttached()
  await animationsSettled(page)
  // Loads axe once per document, because reading half a megabyte takes longer than a check. A diagram's frame
  // has another origin.
  for (const frame of page.frames()) {
    if (!(await frame.evaluate('"axe" in window')))
      await frame.evaluate(`${source};axe.configure({ allowedOrigins: ['<unsafe_all_origins>'] })`)
  }
  return page.evaluate(
    async ({ selector, only }) => {
      // Preloading is only for rules about remote style sheets and autoplay, which no page here has.
      const { violations } = await axe.run(selector ?? document, {
        resultTypes: ['violations'],
        preload: false,
        ...(only && { runOnly: [...only] }),
      })
      return violations.map(
        ({ id, impact, nodes }) =>
          `${id} (${String(impact)}): ${nodes.map(({ html, any: [check] }) => `${html} ${check?.message ?? ''}`.trim()).join(' | ')}`,
      )
    },
    { selector: part, only: rules },
  )
}

/**
 * Waits for transitions and finite animations, because what they show in between belongs to no state. For example, axe
 * doesn't count a dialog as open while it is transparent.
 */
async function animationsSettled(page: Page): Promise<void> {
  await page.waitForFunction(() =>
    document
      .getAnimations()
      .every(
        ({ playState, effect }) =>
          playState === 'finished' || effect?.getComputedTiming().endTime === Number.POSITIVE_INFINITY,
      ),
  )
}
