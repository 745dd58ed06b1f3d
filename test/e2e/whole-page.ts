import type { Page } from '@playwright/test'

/**
 * Every place where a page could keep a text: its elements, the values of its fields, its address and
 * history, and its storage.
 */
export function wholePage(page: Page): Promise<string> {
  return page.evaluate(async () =>
    JSON.stringify([
      document.documentElement.outerHTML,
      [...document.querySelectorAll<HTMLInputElement | HTMLTextAreaElement>('input, textarea')].map(
        ({ value }) => value,
      ),
      location.href,
      history.state,
      document.cookie,
      Object.entries(localStorage),
      Object.entries(sessionStorage),
      await indexedDB.databases(),
    ]),
  )
}

/** Finds elements that overflow sideways at this width. There should be none. */
export function sideways(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    [
      document.documentElement,
      document.body,
      ...document.querySelectorAll('main, [role="dialog"], [role="alertdialog"]'),
    ]
      .filter((element) => element.scrollWidth > element.clientWidth)
      .map(({ tagName }) => tagName),
  )
}

/**
 * Finds pairs of overlapping fields, by their labels. There should be none. A pixel of overlap is rounding.
 */
export function overlappingFields(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const nameOf = (field: HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement): string =>
      field.labels?.[0]?.textContent.trim() ?? field.getAttribute('aria-label') ?? field.tagName
    // A dialog lies over the page, and what sticks to an edge over what scrolls below it.
    const layerOf = (element: Element | null): Element | null =>
      element === null ||
      element.matches('[role="dialog"], [role="alertdialog"]') ||
      ['sticky', 'fixed'].includes(getComputedStyle(element).position)
        ? element
        : layerOf(element.parentElement)
    const fields = [
      ...document.querySelectorAll<HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement>(
        'input, select, textarea',
      ),
    ]
      .filter((field) => field.checkVisibility({ visibilityProperty: true, opacityProperty: true }))
      .map((field) => ({
        name: nameOf(field),
        layer: layerOf(field),
        box: field.getBoundingClientRect(),
      }))
    return fields.flatMap((one, index) =>
      fields
        .slice(index + 1)
        .filter(
          (other) =>
            one.layer === other.layer &&
            one.box.right > other.box.left + 1 &&
            other.box.right > one.box.left + 1 &&
            one.box.bottom > other.box.top + 1 &&
            other.box.bottom > one.box.top + 1,
        )
        .map((other) => `${one.name}, ${other.name}`),
    )
  })
}
