import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import type { Page } from '@playwright/test'
import type * as Axe from 'axe-core'

declare const axe: typeof Axe

const source = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** What axe finds serious or critical, in the whole page or in `part` of it (a CSS selector). */
export async function seriousFaults(page: Page, part?: string): Promise<string[]> {
  const faults = await axeFaults(page, part)
  return faults.filter(({ impact }) => impact === 'serious' || impact === 'critical').map(({ text }) => text)
}

/** What axe finds, whatever its impact. */
export async function axeFaults(page: Page, part?: string): Promise<readonly { readonly impact: string; readonly text: string }[]> {
  await coloursSettled(page)
  // Given once for each document: to read half a megabyte takes longer than to judge a page.
  if (!await page.evaluate('"axe" in window')) await page.evaluate(source)
  return page.evaluate(async (selector) => {
    // No page here has a frame of ours or plays by itself, and its style sheets are its own: nothing has to be loaded first.
    const { violations } = await axe.run(selector ?? document, { resultTypes: ['violations'], iframes: false, preload: false })
    return violations.map(({ id, impact, nodes }) => ({ impact: impact ?? '', text: `${id}: ${nodes.map(({ html }) => html).join(' | ')}` }))
  }, part)
}

/** Colours on their way to another theme, or to what the pointer rests on, are neither's. */
export async function coloursSettled(page: Page): Promise<void> {
  await page.waitForFunction(() => document.getAnimations().every((animation) => !(animation instanceof CSSTransition) || animation.playState === 'finished'))
}
