import * as data from './mock-data.ts'
import { expect, test } from './window-test.ts'

test('a long chat is printed completely, without the rest of the window', async ({
  window: { open, messages, page, composer, mock },
}) => {
  const turns = Array.from({ length: 120 }, (_, index): [string, string] => [
    `Question ${String(index)}`,
    `Answer ${String(index)}.`,
  ])
  mock.state.conversations = [data.conversation('c1', 'Long', Date.now(), turns)]
  await open('#/chat/c1')
  await expect(messages.getByText('Answer 119.')).toBeInViewport()
  await expect(messages.getByText('Answer 0.')).toHaveCount(0)

  await page.emulateMedia({ media: 'print', colorScheme: 'dark' })
  await page.evaluate('dispatchEvent(new Event("beforeprint"))')
  await expect(messages.getByText('Answer 0.')).toBeVisible()
  await expect(messages.getByText('Answer 119.')).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Long' })).toBeVisible()
  await expect(composer).toBeHidden()
  await expect(page.getByRole('navigation')).toBeHidden()
  expect(await page.evaluate('getComputedStyle(document.documentElement).colorScheme')).toBe('light')
  expect(await page.evaluate('document.documentElement.scrollHeight > 3 * innerHeight')).toBe(true)
  await page.evaluate('dispatchEvent(new Event("afterprint"))')
  await page.emulateMedia({ media: null })
  await expect(messages.getByText('Answer 119.')).toBeInViewport()

  // The browser fires the events itself, and the PDF has all messages.
  const pdf = (await page.pdf({ format: 'A4' })).toString('latin1')
  expect(pdf.match(/\/Type \/Page\b/g)?.length).toBeGreaterThan(5)
})
