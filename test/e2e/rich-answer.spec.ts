import { axeFaults } from './axe.ts'
import * as data from './mock-data.ts'
import { everything } from './rich-answer.ts'
import { expect, test } from './window-test.ts'

test.beforeEach(({ mock }) => {
  mock.state.conversations = [data.conversation('c1', 'Everything', Date.now(), [['Show me', everything]])]
})

test('formulas are drawn, inside lists too, and money is none', async ({
  window: { open, messages, page },
}) => {
  await open('#/chat/c1')
  await expect(messages.locator('[data-formula=drawn]')).toHaveCount(5)
  await expect(messages.getByText('a coffee costs $3 and a cake $5, and')).toBeVisible()
  await expect(messages.locator('em', { hasText: 'b_1' })).toHaveCount(0)
  await expect(messages.getByRole('group', { name: 'Formula' })).toHaveCount(2)
  await expect(messages.locator('ol [data-formula=drawn] .mfrac')).toBeVisible()
  // An invalid formula is shown as its source.
  await expect(messages.locator('[data-formula=refused]')).toHaveText('$\\frac{1}{$')
  // Drawn with fonts from the window's own origin.
  await expect
    .poll(() =>
      page.evaluate(
        `document.fonts.check('16px KaTeX_Main') && [...document.fonts].some(({ family, status }) => /KaTeX_Math/.test(family) && status === 'loaded')`,
      ),
    )
    .toBe(true)
  expect(
    await messages
      .locator('.katex .mfrac .frac-line')
      .first()
      .evaluate((line) => getComputedStyle(line).borderBottomStyle),
  ).toBe('solid')
})

test('a footnote is found from its reference, and the reference from it', async ({
  window: { open, messages, page },
}) => {
  await open('#/chat/c1')
  const notes = messages.getByRole('region', { name: 'Footnotes' })
  await expect(notes.getByRole('listitem')).toHaveCount(2)
  await expect(notes.locator('em')).toHaveText('emphasis')
  await messages.getByRole('button', { name: 'Footnote 2', exact: true }).click()
  await expect(notes.getByRole('listitem').nth(1)).toBeFocused()
  await notes.getByRole('button', { name: 'Back to footnote 2 in the text' }).click()
  await expect(messages.getByRole('button', { name: 'Footnote 2', exact: true })).toBeFocused()
  expect(new URL(page.url()).hash).toBe('#/chat/c1')
})

test('code is wrapped and numbered on request, and copied as it is', async ({
  window: { open, messages, page },
  context,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.setViewportSize({ width: 480, height: 800 })
  await open('#/chat/c1')
  const code = messages.getByLabel('Code, ts')
  await expect(code.locator('.hljs-keyword').first()).toBeVisible()
  const wide = () => code.evaluate((pre) => pre.scrollWidth > pre.clientWidth)
  expect(await wide()).toBe(true)
  const [wrap, numbers] = [
    messages.getByRole('button', { name: 'Wrap' }).first(),
    messages.getByRole('button', { name: 'Line numbers' }).first(),
  ]
  await wrap.click()
  await expect(wrap).toHaveAttribute('aria-pressed', 'true')
  expect(await wide()).toBe(false)
  await numbers.click()
  await expect(code.locator('code > span')).toHaveCount(5)
  // A comment of two lines has its color on both.
  await expect(code.locator('code > span').nth(1).locator('.hljs-comment')).toHaveText(' *  hello. */\n', {
    useInnerText: false,
  })
  await messages.getByRole('button', { name: 'Copy code' }).first().click()
  const source = /```ts\n([^]*?)\n```/.exec(everything)?.[1]
  await expect.poll(() => page.evaluate('navigator.clipboard.readText()')).toBe(source)
})

test('a diagram is drawn over its code, which is one press away, and nothing moves', async ({
  window: { open, messages, page },
}) => {
  const asked: string[] = []
  page.on('request', (request) => asked.push(new URL(request.url()).pathname))
  await open('#/chat/c1')
  const figure = messages.locator('figure', { has: page.locator('iframe') })
  const source = figure.getByText('flowchart LR')
  const code = figure.getByRole('button', { name: 'Code', exact: true })
  await expect(code).toHaveAttribute('aria-pressed', 'false')
  await expect(figure.frameLocator('iframe').getByText('Proven?')).toBeVisible()
  await expect(source).toBeHidden()
  expect(asked.filter((path) => /diagram\.html|mermaid/.test(path))).toEqual([
    '/diagram.html',
    expect.stringMatching(/^\/assets\/mermaid\.min-.+\.js$/),
  ])
  const before = await figure.boundingBox()
  await code.click()
  await expect(source).toBeVisible()
  await expect(figure.locator('iframe')).toBeHidden()
  expect(await figure.boundingBox()).toEqual(before)
  // A search finds only text, so it shows the code.
  await code.click()
  await expect(source).toBeHidden()
  await page.keyboard.press('ControlOrMeta+f')
  await expect(source).toBeVisible()
})

test('a diagram is drawn in the theme of the window, also after a change', async ({
  window: { open, messages, page },
}) => {
  await page.emulateMedia({ colorScheme: 'light' })
  await open('#/chat/c1')
  const scheme = () =>
    messages
      .frameLocator('iframe')
      .locator('html')
      .evaluate((html) => html.style.colorScheme)
  await expect(messages.frameLocator('iframe').getByText('Proven?')).toBeVisible()
  expect(await scheme()).toBe('light')
  await page.emulateMedia({ colorScheme: 'dark' })
  await expect.poll(scheme).toBe('dark')
})

test('a diagram isn’t drawn while its code arrives', async ({ window: { open, send, messages, page } }) => {
  await open()
  const answer = await send('Draw')
  answer.delta('Two of them.\n\n```mermaid\nflowchart LR\n  One --> Two\n')
  await expect(messages.getByText('One --> Two')).toBeVisible()
  await expect(messages.locator('figure')).toHaveCount(1)
  await expect(messages.locator('iframe')).toHaveCount(0)
  answer.delta('```\n\n- In a list:\n\n  ```mermaid\n  flowchart LR\n    Three --> Four\n')
  await expect(messages.frameLocator('iframe').getByText('One', { exact: true })).toBeVisible()
  await expect(messages.getByText('Three --> Four')).toBeVisible()
  await expect(messages.locator('iframe')).toHaveCount(1)
  answer.delta('  ```\n')
  answer.end()
  await expect(
    messages.locator('iframe').last().contentFrame().getByText('Three', { exact: true }),
  ).toBeVisible()
  await expect(page.getByText('Three --> Four')).toBeHidden()
})

test('of ten diagrams only those near the view have a frame', async ({
  window: { open, messages, page, mock },
}) => {
  const drawings = Array.from(
    { length: 10 },
    (_, at) => `Number ${String(at)}\n\n\`\`\`mermaid\nflowchart LR\n  From${String(at)} --> To\n\`\`\`\n`,
  )
  mock.state.conversations = [data.conversation('c1', 'Ten', Date.now(), [['Draw', drawings.join('\n')]])]
  await open('#/chat/c1')
  const drawn = (at: number) =>
    messages
      .locator('figure')
      .nth(at)
      .frameLocator('iframe')
      .getByText(`From${String(at)}`)
  await expect(drawn(9)).toBeVisible()
  await expect(messages.locator('figure')).toHaveCount(10)
  await expect(messages.locator('figure').first().locator('iframe')).toHaveCount(0)
  await messages.getByText('Number 0').scrollIntoViewIfNeeded()
  await expect(drawn(0)).toBeVisible()
  await expect(messages.locator('figure').last().locator('iframe')).toHaveCount(0)
  expect(await page.locator('iframe').count()).toBeLessThan(8)
})

test('the frame of a diagram has neither the window’s origin, nor its network, nor a script that is not its own', async ({
  window: { open, messages, page },
}) => {
  await open('#/chat/c1')
  await expect(messages.frameLocator('iframe').getByText('Proven?')).toBeVisible()
  const frame = page.frames().find((candidate) => candidate.url().endsWith('/diagram.html'))
  expect(await frame?.evaluate('origin')).toBe('null')
  expect(
    await frame?.evaluate(
      `(() => { try { return parent.document.title } catch (error) { return error.name } })()`,
    ),
  ).toBe('SecurityError')
  expect(
    await frame?.evaluate(
      `(() => { try { return localStorage.length } catch (error) { return error.name } })()`,
    ),
  ).toBe('SecurityError')
})

test('a block that is settled is never touched again, however long the answer grows', async ({
  window: { open, send, messages, page, composer },
}) => {
  await open()
  await expect(composer).toBeFocused()
  const answer = await send('Write at length')
  const part = (at: number) =>
    `Paragraph ${String(at)} of **many**, with $x_{${String(at)}}$.\n\n- one\n- two\n\n\`\`\`js\nconst a = ${String(at)}\n\`\`\`\n\n`
  for (let at = 0; at < 20; at++) answer.delta(part(at))
  await expect(messages.getByText('Paragraph 19 of')).toBeVisible()
  await expect(messages.locator('.hljs-keyword').nth(18)).toBeAttached()
  await expect(messages.locator('[data-formula=drawn]')).toHaveCount(20)
  // The blocks of the first nineteen parts. From now on nothing in them may change.
  const watched = await page.evaluate<number>(`(() => {
    const blocks = [...document.querySelector('article[aria-busy=true] [class*=markdown]').children].slice(0, 57)
    window.touched = []
    const observer = new MutationObserver((changes) => window.touched.push(...changes.map(({ type, target }) => type + ' ' + (target.textContent ?? '').slice(0, 40))))
    for (const block of blocks) observer.observe(block, { subtree: true, childList: true, characterData: true, attributes: true })
    window.kept = blocks
    return blocks.length
  })()`)
  expect(watched).toBe(57)
  for (let at = 20; at < 120; at++)
    for (const letters of part(at).match(/[^]{1,12}/g) ?? []) answer.delta(letters)
  await expect(messages.getByText('Paragraph 119 of')).toBeVisible()
  answer.end()
  await expect(messages.getByRole('button', { name: 'Copy reply' })).toBeVisible()
  expect(await page.evaluate('window.touched')).toEqual([])
  expect(await page.evaluate('window.kept.every((block) => block.isConnected)')).toBe(true)
})

for (const scheme of ['light', 'dark'] as const) {
  for (const width of [1280, 480]) {
    test(`axe finds nothing serious in an answer with everything, ${scheme} at ${String(width)}`, async ({
      window: { open, messages, page },
    }) => {
      await page.emulateMedia({ colorScheme: scheme })
      await page.setViewportSize({ width, height: 900 })
      await open('#/chat/c1')
      await expect(messages.locator('[data-formula=drawn]')).toHaveCount(5)
      await messages.getByRole('button', { name: 'Line numbers' }).first().click()
      await expect(messages.frameLocator('iframe').getByText('Proven?')).toBeVisible()
      if (process.env['SOTTO_LOOK'])
        await page.screenshot({ path: `${process.env['SOTTO_LOOK']}/${scheme}-${String(width)}.png` })
      expect(await axeFaults(page)).toEqual([])
    })
  }
}
