import type { Page } from '@playwright/test'
import * as data from './mock-data.ts'
import { expect, test } from './window-test.ts'

const REPLY = String.raw`Intro **bold** with $a^2$ and [a link](https://example.org/a).

| Name | Value |
| --- | --- |
| A & B | $x_1$ |
| two **words** | 2 |

- [x] sealed
- [ ] open

$$\int_0^1 x\,dx$$

After the *formula*.`

test.beforeEach(async ({ mock, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  mock.state.conversations = [data.conversation('c1', 'Copies', Date.now(), [['Show me', REPLY]])]
})

/** Both kinds of the clipboard, as another program reads them. */
function clipboardOf(page: Page): Promise<{ types: string[]; plain: string; html: string }> {
  return page.evaluate(async () => {
    const [item] = await navigator.clipboard.read()
    const read = async (type: string) =>
      item?.types.includes(type) === true ? (await item.getType(type)).text() : ''
    return {
      types: [...(item?.types ?? [])].toSorted(),
      plain: await read('text/plain'),
      html: await read('text/html'),
    }
  })
}

test('a reply is copied as Markdown and as formatted text at once', async ({
  window: { open, page, messages },
}) => {
  await open('#/chat/c1')
  await expect(messages.locator('[data-formula=drawn]')).toHaveCount(3)
  await messages.getByRole('button', { name: 'Copy reply' }).click()
  await expect(messages.getByText('Copied').or(page.getByText('Copied')).first()).toBeAttached()
  const { types, plain, html } = await clipboardOf(page)
  expect(types).toEqual(['text/html', 'text/plain'])
  expect(plain).toBe(REPLY)
  expect(html).toContain('<strong>bold</strong>')
  expect(html).toContain('<a href="https://example.org/a">a link</a>')
  // A formula is its LaTeX, and the state of a task survives.
  expect(html).toContain('$a^2$')
  expect(html).toContain(String.raw`\int_0^1 x\,dx`)
  expect(html).toMatch(/<li>\s*(?:<p>)?☑ sealed/)
  expect(html).toMatch(/<li>\s*(?:<p>)?☐ open/)
  expect(html).not.toMatch(/class=|katex|<button|<svg/)
})

test('a table is copied as tab-separated text and as a table', async ({
  window: { open, page, messages },
}) => {
  await open('#/chat/c1')
  await expect(messages.locator('[data-formula=drawn]')).toHaveCount(3)
  await messages.getByRole('button', { name: 'Copy table' }).click()
  await expect(page.getByText('Copied').first()).toBeAttached()
  const { types, plain, html } = await clipboardOf(page)
  expect(types).toEqual(['text/html', 'text/plain'])
  expect(plain).toBe('Name\tValue\nA & B\t$x_1$\ntwo words\t2')
  expect(html).toMatch(/<table>.*<th>Name<\/th>/s)
  expect(html).toContain('<td>A &amp; B</td><td>$x_1$</td>')
  expect(html).toContain('<td>two <strong>words</strong></td>')
})

test('a selection over formulas has each of them once, as LaTeX', async ({
  window: { open, page, messages },
}) => {
  await open('#/chat/c1')
  await expect(messages.locator('[data-formula=drawn]')).toHaveCount(3)
  await messages.getByText('Intro').evaluate((first) => {
    const reply = first.closest('article')
    const end = [...(reply?.querySelectorAll('p') ?? [])].find(({ textContent }) =>
      textContent.startsWith('After'),
    )
    const range = document.createRange()
    range.setStartBefore(first)
    range.setEndAfter(end ?? first)
    getSelection()?.removeAllRanges()
    getSelection()?.addRange(range)
  })
  await page.keyboard.press('ControlOrMeta+c')
  const { plain, html } = await clipboardOf(page)
  for (const text of [plain, html]) {
    expect(text.split('a^2')).toHaveLength(2)
    expect(text.split(String.raw`\int_0^1 x\,dx`)).toHaveLength(2)
    expect(text).toContain('☑ sealed')
    expect(text).toContain('☐ open')
  }
  expect(plain).toContain('Intro bold with $a^2$ and a link.')
  expect(plain).toContain('After the formula.')
  expect(html).toContain('<em>formula</em>')
})
