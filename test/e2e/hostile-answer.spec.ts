import type { Page } from '@playwright/test'
import * as data from './mock-data.ts'
import { expect, test } from './window-test.ts'

/**
 * `window-test.ts` fails on an error, on a violation of the policy, and on any request that isn't to the UI
 * server.
 */
const bomb = `\\def\\a{${'y'.repeat(900)}\\a\\a}\\a`
const answers: Readonly<Record<string, string>> = {
  'a million letters without a space': 'x'.repeat(1_000_000),
  'ten thousand lists inside each other': '- '.repeat(10_000) + 'deep',
  'ten thousand quotations inside each other': '>'.repeat(10_000) + 'deep',
  'lists inside each other by their indentation': Array.from(
    { length: 700 },
    (_, depth) => `${' '.repeat(2 * depth)}- x`,
  ).join('\n'),
  'emphasis inside emphasis': '*_'.repeat(20_000) + 'x' + '_*'.repeat(20_000),
  'brackets that open': '['.repeat(50_000) + '!['.repeat(50_000),
  'formulas that never end': `$${bomb}$\n\n$$\n${bomb}\n$$\n\n$\\frac{1}{$ ${'$x^{'.repeat(2000)}`,
  'thousands of formulas': `${'$\\frac{a}{b}$ '.repeat(150)}\n\n`.repeat(60),
  'a fence that never closes': `\`\`\`ts\n${'const a = `${b}` // x\n'.repeat(20_000)}`,
  'a table of ten thousand rows': `| a | b |\n|---|---|\n${'| [x](https://x.example) | $y$ |\n'.repeat(10_000)}`,
  'a thousand footnotes': `${Array.from({ length: 1000 }, (_, at) => `[^n${String(at)}]: Note`).join('\n')}\n\n${'see[^n1] '.repeat(3000)}`,
}

const ends = 'The end of it.'

/**
 * Measures how many milliseconds the page takes to draw a plain table of ten thousand rows, as a measure of
 * this machine's current speed.
 */
function plainTableTime(page: Page): Promise<number> {
  return page.evaluate(() => {
    const start = performance.now()
    const frame = document.body.appendChild(document.createElement('div'))
    for (let row = 0; row < 10_000; row++) {
      const line = frame.appendChild(document.createElement('div'))
      for (let cell = 0; cell < 2; cell++)
        line.appendChild(document.createElement('span')).textContent = `${String(row)} ${String(cell)}`
    }
    frame.getBoundingClientRect()
    frame.remove()
    return performance.now() - start
  })
}

/** The page's longest task may take at most this many times as long as a plain table of ten thousand rows. */
const LONGEST_TASK = 5

/**
 * Starts to watch for long tasks. Returns a function that gives the longest so far, in milliseconds. The page
 * doesn't respond while a task runs. A timer would report more, because the browser handles input and frames
 * first.
 */
async function watchTasks(page: Page): Promise<() => Promise<number>> {
  await page.evaluate(`(() => {
    window.longestTask = 0
    const note = (list) => { for (const { duration } of list) window.longestTask = Math.max(window.longestTask, duration) }
    window.tasks = new PerformanceObserver((list) => note(list.getEntries()))
    window.tasks.observe({ type: 'longtask' })
    window.noteTasks = () => note(window.tasks.takeRecords())
  })()`)
  return () => page.evaluate<number>('(window.noteTasks(), window.longestTask)')
}

for (const [what, text] of Object.entries(answers)) {
  test(`the window remains responsive with ${what}`, async ({
    mock,
    window: { open, messages, page, composer },
  }) => {
    mock.state.conversations = [
      data.conversation('calm', 'Calm', Date.now(), [['Hello', 'Hello.']]),
      data.conversation('c1', 'Hostile', Date.now() - 1, [
        ['Show me', text],
        ['And then?', ends],
      ]),
    ]
    await open('#/chat/calm')
    await expect(messages.getByText('Hello.', { exact: true })).toBeVisible()
    const before = await plainTableTime(page)
    const longestTask = await watchTasks(page)
    await page.evaluate(`location.hash = '#/chat/c1'`)
    await expect(messages.getByText(ends)).toBeVisible()
    // Scrolls up into the reply, like a reader.
    await messages.hover()
    await page.mouse.wheel(0, -3000)
    await composer.fill('Still here')
    await expect(composer).toHaveValue('Still here')
    // Waits until a frame is drawn completely.
    await page.evaluate(
      'new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))',
    )
    expect(
      await page.evaluate('document.querySelectorAll("script:not([src]), iframe, object, embed").length'),
    ).toBe(0)
    const longest = await longestTask()
    const unit = Math.max(before, await plainTableTime(page))
    expect(longest / unit).toBeLessThan(LONGEST_TASK)
  })
}

const diagram = (lines: string) => `\`\`\`mermaid\n${lines}\n\`\`\`\n`

test('a diagram runs nothing, navigates nowhere and loads nothing, whatever its text contains', async ({
  mock,
  window: { open, messages, page },
}) => {
  const source =
    diagram(`%%{init: {"securityLevel": "loose", "htmlLabels": true, "flowchart": {"htmlLabels": true}, "themeCSS": "@import url(https://evil.example/x.css);"}}%%
flowchart LR
  A["<img src='https://evil.example/x.png' onerror='window.owned=1'> picture"] --> B["<b onclick='window.owned=2'>bold</b><script>window.owned=3</script>"]
  B --> C["end"]
  click A "javascript:window.owned=4"
  click B call owned()
  click C href "https://evil.example/" _blank`)
  mock.state.conversations = [data.conversation('c1', 'Diagram', Date.now(), [['Draw', source]])]
  await open('#/chat/c1')
  await expect(messages.getByRole('button', { name: 'Code', exact: true })).toBeVisible()
  const frame = page.frames().find((candidate) => candidate.url().endsWith('/diagram.html'))
  expect(
    await frame?.evaluate(
      '[...document.querySelectorAll("svg img, svg image, svg script, svg iframe, svg [href]:not([href^=\\"#\\"])")].map(({ outerHTML }) => outerHTML)',
    ),
  ).toEqual([])
  expect(
    await frame?.evaluate(
      '[...document.querySelectorAll("svg, svg *")].flatMap(({ attributes }) => [...attributes]).filter(({ name }) => name.startsWith("on")).length',
    ),
  ).toBe(0)
  await messages.locator('iframe').click({ position: { x: 20, y: 20 }, force: true })
  expect(await frame?.evaluate('window.owned')).toBeUndefined()
  expect(await page.evaluate('window.owned')).toBeUndefined()
  expect(page.context().pages()).toHaveLength(1)
})

test('an invalid diagram shows an error, and its frame is removed', async ({
  mock,
  window: { open, messages },
}) => {
  mock.state.conversations = [
    data.conversation('c1', 'Diagram', Date.now(), [['Draw', diagram('this is no diagram -->')]]),
  ]
  await open('#/chat/c1')
  await expect(messages.getByText('Sotto can’t draw this text as a diagram.')).toBeVisible()
  await expect(messages.locator('iframe')).toHaveCount(0)
})

test('bidirectional control characters are named in HTML that is shown as text', async ({
  mock,
  window: { open, messages },
}) => {
  mock.state.conversations = [
    data.conversation('c1', 'Turned', Date.now(), [
      ['Show me', 'A <b title="\u202Egnp.exe">word</b>.\n\n<div>\n\u202Emoc.live\n</div>\n'],
    ]),
  ]
  await open('#/chat/c1')
  await expect(messages.getByText('moc.live')).toBeVisible()
  await expect
    .poll(() => messages.locator('bdi').evaluateAll((signs) => signs.map((sign) => sign.dataset['name'])))
    .toEqual(['U+202E', 'U+202E'])
})

test('bidirectional control characters are shown by name, and copied unchanged', async ({
  mock,
  window: { open, messages, page },
  context,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  const code = 'if (admin\u202E \u2066// only then\u2069) grant()'
  mock.state.conversations = [
    data.conversation('c1', 'Turned', Date.now(), [
      [
        'Show me',
        `Open \u202Egnp.exe and [good\u202Emoc.live](https://evil.example/).\n\n\`\`\`js\n${code}\n\`\`\`\n`,
      ],
    ]),
  ]
  await open('#/chat/c1')
  await expect(messages.getByText('This code contains characters that change text direction.')).toBeVisible()
  // The characters are also marked after syntax coloring.
  await expect(messages.locator('.hljs-keyword')).toHaveText('if')
  await expect
    .poll(() => messages.locator('bdi').evaluateAll((signs) => signs.map((sign) => sign.dataset['name'])))
    .toEqual(['U+202E', 'U+202E', 'U+202E', 'U+2066', 'U+2069'])
  await messages.getByRole('button', { name: 'Copy code' }).click()
  await expect.poll(() => page.evaluate('navigator.clipboard.readText()')).toBe(code)
})

test('deeply nested code is shown as written, and other code is highlighted', async ({
  mock,
  window: { open, messages },
}) => {
  const code = '`${'.repeat(3_000)
  mock.state.conversations = [
    data.conversation('c1', 'Deep', Date.now(), [
      ['Show me', `~~~js\n${code}\n~~~\n\nBetween.\n\n~~~js\nconst a = 1\n~~~\n`],
    ]),
  ]
  await open('#/chat/c1')
  await expect(messages.locator('.hljs-keyword')).toHaveText('const')
  await expect(messages.getByLabel('Code, js').first()).toHaveText(code)
})
