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
    const overlap = (one: Element, other: Element): boolean => {
      const [a, b] = [one.getBoundingClientRect(), other.getBoundingClientRect()]
      return a.right > b.left + 1 && b.right > a.left + 1 && a.bottom > b.top + 1 && b.bottom > a.top + 1
    }
    // What sticks to an edge covers what scrolls below it, until the covered field is scrolled into view.
    const partWhenScrolled = (one: Element, other: Element): boolean =>
      [one, other].some((field) => {
        field.scrollIntoView({ block: 'center', behavior: 'instant' })
        return !overlap(one, other)
      })
    const fields = [
      ...document.querySelectorAll<HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement>(
        'input, select, textarea',
      ),
    ]
      .filter((field) => field.checkVisibility({ visibilityProperty: true, opacityProperty: true }))
      .map((field) => ({
        field,
        name: nameOf(field),
        layer: field.closest('[role="dialog"], [role="alertdialog"]'),
      }))
    return fields.flatMap((one, index) =>
      fields
        .slice(index + 1)
        .filter(
          (other) =>
            one.layer === other.layer &&
            overlap(one.field, other.field) &&
            !partWhenScrolled(one.field, other.field),
        )
        .map((other) => `${one.name}, ${other.name}`),
    )
  })
}
