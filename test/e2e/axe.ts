import AxeBuilder from '@axe-core/playwright'
import type { Page } from '@playwright/test'

/** Where axe found nothing last, by page. */
const judged = new WeakMap<Page, string>()

/** What axe finds serious or critical, in the whole page or in `part` of it (a CSS selector). */
export async function seriousFaults(page: Page, part?: string): Promise<string[]> {
  await coloursSettled(page)
  // There is one frame: the other mode opens a page for each run, to gather what frames say.
  const axe = new AxeBuilder({ page }).setLegacyMode().options({ resultTypes: ['violations'] })
  // In another theme the same elements stand in the same places: then only what depends on colours is asked again.
  const structure = await page.evaluate(() => `${String(innerWidth)} ${String(innerHeight)} ${document.documentElement.outerHTML}`)
  if (judged.get(page) === `${part ?? ''} ${structure}`) axe.withRules(['color-contrast', 'link-in-text-block'])
  const { violations } = await (part === undefined ? axe : axe.include(part)).analyze()
  const faults = violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' | ')}`)
  if (faults.length === 0) judged.set(page, `${part ?? ''} ${structure}`)
  return faults
}

/** Colours on their way to another theme, or to what the pointer rests on, are neither's. */
export async function coloursSettled(page: Page): Promise<void> {
  await page.waitForFunction(() => document.getAnimations().every((animation) => !(animation instanceof CSSTransition) || animation.playState === 'finished'))
}
