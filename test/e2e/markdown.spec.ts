import * as data from './mock-data.ts'
import { expect, test } from './window-test.ts'

/**
 * A model's output is untrusted: it is shown but never run. `window-test.ts` fails on any request that it
 * causes.
 */
const hostile = `# Title

<script>window.owned = 1</script>

<img src=x onerror="window.owned = 2"> <iframe src="https://evil.example"></iframe>

Inline <b onclick="window.owned = 3">bold</b> and <style>body { display: none }</style>

[script](javascript:window.owned=4) [data](data:text/html,x) [file](file:///etc/passwd) [relative](/api/app/begin)

![tracker](https://evil.example/pixel.png?who=you) ![local](/api/app/status)

[honest](https://good.example/path?q=1#part) and [bank.example](https://evil.example/?bank.example) and https://bare.example

[аpple](https://аpple.example)

| a | b |
|---|:-:|
| <u>x</u> | ~~gone~~ |
`

test.beforeEach(({ mock }) => {
  mock.state.conversations = [
    data.conversation('c1', 'Hostile', Date.now(), [['Show me', hostile]]),
    data.conversation('c2', 'Rich', Date.now() - 1, [['Show me', data.richAnswer]]),
  ]
})

test('raw HTML is shown as text, and an image of it like one of Markdown', async ({
  window: { open, messages, page },
}) => {
  await open('#/chat/c1')
  await expect(messages.getByText('<script>window.owned = 1</script>')).toBeVisible()
  await expect(messages.getByText('<iframe src="https://evil.example"></iframe>')).toBeVisible()
  await expect(messages.getByText('Image', { exact: true })).toBeVisible()
  await expect(messages.locator('script, iframe, img, style, b, u')).toHaveCount(0)
  expect(await page.evaluate('window.owned')).toBeUndefined()
})

test('only web addresses become links, and none is an anchor element', async ({
  window: { open, messages },
}) => {
  await open('#/chat/c1')
  await expect(messages.getByText('script', { exact: true })).toBeVisible()
  await expect(messages.locator('a')).toHaveCount(0)
  for (const name of ['script', 'data', 'file', 'relative'])
    await expect(messages.getByRole('button', { name, exact: true })).toHaveCount(0)
  await expect(messages.getByRole('button', { name: 'honest' })).toBeVisible()
})

test('a link shows its whole address before it opens, and opens without an opener', async ({
  window: { open, messages, page },
}) => {
  await open('#/chat/c1')
  await page.evaluate(
    `window.opened = []; window.open = (...args) => { window.opened.push(args); return null }`,
  )
  await messages.getByRole('button', { name: 'bank.example' }).click()
  await expect(page.getByTestId('link-target')).toHaveText('https://evil.example/?bank.example')
  expect(await page.evaluate('window.opened')).toEqual([])
  await page.keyboard.press('Escape')
  expect(await page.evaluate('window.opened')).toEqual([])
  await messages.getByRole('button', { name: 'honest' }).focus()
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Open in browser' }).click()
  expect(await page.evaluate('window.opened')).toEqual([
    ['https://good.example/path?q=1#part', '_blank', 'noopener,noreferrer'],
  ])
})

test('a host with look-alike letters is shown as the network uses it', async ({
  window: { open, messages, page },
}) => {
  await open('#/chat/c1')
  await messages.getByRole('button', { name: 'аpple' }).click()
  await expect(page.getByTestId('link-target')).toHaveText('https://xn--pple-43d.example/')
  await expect(page.getByRole('dialog')).toContainText('characters from another script')
})

test('a remote image is a chip with its host, and is not fetched', async ({
  window: { open, messages, page },
}) => {
  await open('#/chat/c1')
  await messages.getByRole('button', { name: 'Image: tracker (evil.example)' }).click()
  await expect(page.getByTestId('link-target')).toHaveText('https://evil.example/pixel.png?who=you')
  await page.keyboard.press('Escape')
  await expect(messages.getByText('Image: local', { exact: true })).toBeVisible()
  await expect(messages.getByRole('button', { name: 'Image: local' })).toHaveCount(0)
})

test('tables, lists and code are rendered, and code is copied completely', async ({
  window: { open, messages, page },
  context,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await open('#/chat/c2')
  await expect(messages.getByRole('table').getByRole('row')).toHaveCount(4)
  await expect(messages.getByRole('list').getByRole('listitem').first()).toBeVisible()
  await expect(messages.getByText('Seals one chunk')).toBeVisible()
  await expect(messages.locator('.hljs-keyword').first()).toBeVisible()
  await messages.getByRole('button', { name: 'Copy code' }).click()
  await expect
    .poll(() => page.evaluate('navigator.clipboard.readText()'))
    .toMatch(/^import \{ createCipheriv \}[\s\S]*\}$/)
  await messages.getByRole('button', { name: 'Copy reply' }).click()
  await expect.poll(() => page.evaluate('navigator.clipboard.readText()')).toBe(data.richAnswer)
})
