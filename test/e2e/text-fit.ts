import type { Page } from '@playwright/test'
import type { LanguageTag } from '../../src/shared/window-preferences.ts'

/** Where the window saves its language (src/renderer/ui/preferences.ts). */
const PREFERENCES_KEY = 'sotto.preferences'

/** Elements with short texts, which have a place of limited width. */
const PLACES = 'button, [role="button"], [role="tab"], [role="menuitem"], [role="menuitemradio"], [role="option"], nav a, summary, h1, h2, h3, h4, label, legend, th, dt'

/** Elements whose text is one line. */
const ONE_LINE = 'button, [role="button"], [role="tab"], [role="menuitem"], [role="menuitemradio"]'

/** A longer text is a sentence, and may have several lines. */
const LONGEST_LABEL = 40

/** Changes the language in place, as a choice in another tab does: the screen keeps its dialogs and its state. */
export async function showLanguage(page: Page, language: LanguageTag): Promise<void> {
  await page.evaluate(({ key, language: tag }) => {
    localStorage.setItem(key, JSON.stringify({ language: tag, density: 'comfortable' }))
    window.dispatchEvent(new StorageEvent('storage', { key }))
  }, { key: PREFERENCES_KEY, language })
  await page.waitForFunction((tag) => document.documentElement.lang === tag, language)
}

/**
 * Finds short texts that don't fit into their place: text wider than its element or an element around it within the place,
 * and a label of a button or tab on more than one line.
 *
 * @returns each fault once, as `clipped: text` or `wrapped: text`
 */
export function unfittingTexts(page: Page): Promise<string[]> {
  return page.evaluate(({ places, oneLine, longestLabel }) => {
    const found = new Set<string>()
    const isForScreenReaders = (element: Element): boolean => getComputedStyle(element).clipPath !== 'none'

    const check = (place: Element, node: Text): void => {
      const text = node.data.trim()
      for (let element = node.parentElement; element; element = element.parentElement) {
        if (isForScreenReaders(element)) return
        // An inline element has no width of its own. One pixel is rounding.
        if (element.clientWidth > 0 && element.scrollWidth > element.clientWidth + 1) found.add(`clipped: ${text}`)
        if (element === place) break
      }
      if (!place.matches(oneLine) || text.length > longestLabel || place.textContent.trim() !== text) return
      const range = document.createRange()
      range.selectNodeContents(node)
      if (new Set([...range.getClientRects()].filter(({ width }) => width > 1).map(({ top }) => Math.round(top))).size > 1) found.add(`wrapped: ${text}`)
    }

    for (const place of document.querySelectorAll(places)) {
      if (!place.checkVisibility({ visibilityProperty: true, opacityProperty: true })) continue
      const walk = document.createTreeWalker(place, NodeFilter.SHOW_TEXT)
      for (let node = walk.nextNode(); node; node = walk.nextNode()) {
        if (node instanceof Text && node.data.trim() !== '' && !node.parentElement?.closest('code, pre, kbd, option')) check(place, node)
      }
    }
    return [...found]
  }, { places: PLACES, oneLine: ONE_LINE, longestLabel: LONGEST_LABEL })
}
