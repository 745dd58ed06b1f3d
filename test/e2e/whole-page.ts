import type { Page } from '@playwright/test'

/** Everything in which a page could keep a text: its elements, what stands in fields, its address and history, and its storage. */
export function wholePage(page: Page): Promise<string> {
  return page.evaluate(async () => JSON.stringify([
    document.documentElement.outerHTML,
    [...document.querySelectorAll<HTMLInputElement | HTMLTextAreaElement>('input, textarea')].map(({ value }) => value),
    location.href, history.state, document.cookie,
    Object.entries(localStorage), Object.entries(sessionStorage),
    await indexedDB.databases(),
  ]))
}

/** Which elements stick out sideways at this width: none should. */
export function sideways(page: Page): Promise<string[]> {
  return page.evaluate(() => [document.documentElement, document.body, ...document.querySelectorAll('main, [role="dialog"], [role="alertdialog"]')]
    .filter((element) => element.scrollWidth > element.clientWidth).map(({ tagName }) => tagName))
}
