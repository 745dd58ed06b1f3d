import { axeFaults } from './axe.ts'
import * as data from './mock-data.ts'
import { expect, test } from './window-test.ts'

test('a view whose code can’t be loaded shows an error, and opens after a reload', async ({
  window: { open, page },
}) => {
  const code = '**/assets/developer-view-*.js'
  await page.route(code, (route) => route.fulfill({ status: 422 }))
  await open('#/developer')
  await expect(page.getByRole('alert')).toContainText('Couldn’t load this')
  expect(await axeFaults(page)).toEqual([])
  await page.unroute(code)
  await page.getByRole('button', { name: 'Reload window' }).press('Enter')
  await expect(page.getByRole('alert').filter({ hasText: 'Couldn’t load this' })).toHaveCount(0)
  await expect(page.getByRole('heading', { name: 'Developer', level: 1 })).toBeVisible()
})

test('a dialog whose code can’t be loaded shows an error, and the window still works', async ({
  window: { open, page, composer, send },
}) => {
  await page.route('**/assets/conversation-settings-*.js', (route) => route.fulfill({ status: 422 }))
  await open()
  await composer.fill('What is written stays.')
  await page.keyboard.press('Control+k')
  await page.keyboard.type('instructions')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('alert')).toContainText('Couldn’t load this')
  await expect(composer).toHaveValue('What is written stays.')
  const answer = await send('And is sent.')
  answer.end()
})

test('the Markdown parser loads with the first conversation; without it an answer is shown as text', async ({
  window: { open, page, mock, messages },
}) => {
  mock.state.conversations = [
    data.conversation('c1', 'Marked', Date.now(), [['Say it', 'This is **loud** and <i>plain</i>.']]),
  ]
  const asked: string[] = []
  page.on('request', (request) => {
    if (request.url().includes('/assets/parse-prose-')) asked.push(request.url())
  })
  await page.route('**/assets/parse-prose-*.js', (route) => route.fulfill({ status: 422 }))
  await open()
  await expect(page.getByLabel('Message', { exact: true })).toBeVisible()
  expect(asked).toEqual([])
  await page.getByRole('link', { name: 'Marked' }).click()
  await expect(messages.getByText('This is **loud** and <i>plain</i>.')).toBeVisible()
  expect(asked.length).toBeGreaterThan(0)
  expect(await axeFaults(page)).toEqual([])
  await page.unroute('**/assets/parse-prose-*.js')
  await page.reload()
  await expect(messages.locator('strong')).toHaveText('loud')
})
