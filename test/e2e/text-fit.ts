import type { Page } from '@playwright/test'
import type { LanguageTag } from '../../src/shared/window-preferences.ts'

/** The storage key of the window's preferences, including its language (src/renderer/ui/preferences.ts). */
const PREFERENCES_KEY = 'sotto.preferences'

/** Elements with short texts, which have a place of limited width. */
const PLACES =
  'button, [role="button"], [role="tab"], [role="menuitem"], [role="menuitemradio"], [role="option"], nav a, summary, h1, h2, h3, h4, label, legend, th, dt'

/** Elements whose text is one line. */
const ONE_LINE = 'button, [role="button"], [role="tab"], [role="menuitem"], [role="menuitemradio"]'

/** A longer text is a sentence, and may have several lines. */
const LONGEST_LABEL = 40

/** Changes the language in place, as a choice in another tab does: the screen keeps its dialogs and its state. */
export async function showLanguage(page: Page, language: LanguageTag): Promise<void> {
  await page.evaluate(
    ({ key, language: tag }) => {
      localStorage.setItem(key, JSON.stringify({ language: tag, density: 'comfortable' }))
      window.dispatchEvent(new StorageEvent('storage', { key }))
    },
    { key: PREFERENCES_KEY, language },
  )
  await page.waitForFunction((tag) => document.documentElement.lang === tag, language)
}

/**
 * The texts of a page. After a change of language, a text that is still the same is a name or a value, and no
 * translation.
 */
export function textsOf(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const found = new Set<string>()
    const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    for (let node = walk.nextNode(); node; node = walk.nextNode()) found.add(node.textContent?.trim() ?? '')
    return [...found].filter((text) => /\p{L}{3}/u.test(text))
  })
}

/**
 * Finds short texts that don't fit into their place: text wider than its element or an element around it
 * within the place, and a label of a button or tab on more than one line. An element with an ellipsis may cut
 * a line with a name in it.
 *
 * @param names texts that no translation makes shorter
 * @returns each fault once, as `clipped: text` or `wrapped: text`
 */
export function unfittingTexts(page: Page, names: readonly string[] = []): Promise<string[]> {
  return page.evaluate(
    ({ places, oneLine, longestLabel, names: knownNames }) => {
      const found = new Set<string>()
      const known = new Set(knownNames)

      const textNodesIn = (element: Element): Text[] => {
        const nodes: Text[] = []
        const walk = document.createTreeWalker(element, NodeFilter.SHOW_TEXT)
        for (let node = walk.nextNode(); node; node = walk.nextNode())
          if (node instanceof Text && node.data.trim() !== '') nodes.push(node)
        return nodes
      }
      const ancestorsOf = (node: Node): Element[] => {
        const ancestors: Element[] = []
        for (let element = node.parentElement; element; element = element.parentElement)
          ancestors.push(element)
        return ancestors
      }
      // Styles of the same elements are asked for again and again, which is most of the time that this takes.
      const clipPaths = new Map<Element, boolean>()
      const isClipped = (element: Element | null): boolean => {
        if (!element) return false
        const isOrIn =
          clipPaths.get(element) ??
          (getComputedStyle(element).clipPath !== 'none' || isClipped(element.parentElement))
        clipPaths.set(element, isOrIn)
        return isOrIn
      }
      // An inline element has no width of its own. One pixel is rounding.
      const cuts = (element: Element): boolean =>
        element.clientWidth > 0 && element.scrollWidth > element.clientWidth + 1
      const mayCut = (element: Element): boolean =>
        getComputedStyle(element).textOverflow === 'ellipsis' &&
        textNodesIn(element).some(({ data }) => known.has(data.trim()))

      const check = (place: Element, node: Text): void => {
        const text = node.data.trim()
        const within = ancestorsOf(node).filter((element) => place.contains(element))
        // A name with an ellipsis may also be wider than what is around it.
        const isCutName = known.has(text) && within.some(mayCut)
        if (!isCutName && within.some((element) => cuts(element) && !mayCut(element)))
          found.add(`clipped: ${text}`)
        if (!place.matches(oneLine) || text.length > longestLabel || place.textContent.trim() !== text) return
        const range = document.createRange()
        range.selectNodeContents(node)
        const lines = new Set(
          [...range.getClientRects()].filter(({ width }) => width > 1).map(({ top }) => Math.round(top)),
        )
        if (lines.size > 1) found.add(`wrapped: ${text}`)
      }

      for (const place of document.querySelectorAll(places)) {
        if (!place.checkVisibility({ visibilityProperty: true, opacityProperty: true })) continue
        for (const node of textNodesIn(place))
          if (!node.parentElement?.closest('code, pre, kbd, option') && !isClipped(node.parentElement))
            check(place, node)
      }
      return [...found]
    },
    { places: PLACES, oneLine: ONE_LINE, longestLabel: LONGEST_LABEL, names },
  )
}

/** The placeholders of one line that are wider than their fields. */
export function cutPlaceholders(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const context = new OffscreenCanvas(1, 1).getContext('2d')
    if (!context) throw new Error('this browser measures no text')
    return [...document.querySelectorAll<HTMLInputElement>('input:placeholder-shown')]
      .filter(
        (field) =>
          field.placeholder !== '' &&
          field.checkVisibility({ visibilityProperty: true, opacityProperty: true }),
      )
      .filter((field) => {
        const style = getComputedStyle(field)
        context.font = style.font
        return (
          context.measureText(field.placeholder).width >
          field.clientWidth - parseFloat(style.paddingInlineStart) - parseFloat(style.paddingInlineEnd)
        )
      })
      .map(({ placeholder }) => placeholder)
  })
}
