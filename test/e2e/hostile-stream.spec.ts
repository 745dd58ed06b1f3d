import { expect, test } from './window-test.ts'

/**
 * Pieces that a hostile reply may stream. `window-test.ts` fails on any request that they cause and on any
 * violation of the policy.
 */
const pieces: readonly (readonly [string, string])[] = [
  [
    'scripts and handlers',
    '<script>window.owned = 1</script>\n\n<img src="https://evil.example/x.png" onerror="window.owned = 2"> <svg onload="window.owned = 3"><animate onbegin="window.owned = 4"/></svg> <iframe srcdoc="<script>parent.owned = 5</script>"></iframe> <base href="https://evil.example/"> <meta http-equiv="refresh" content="0;url=https://evil.example/"> <link rel="stylesheet" href="https://evil.example/x.css">\n\n',
  ],
  [
    'addresses that run or carry',
    '[a](javascript:window.owned=6) [b](JaVaScRiPt&colon;window.owned=7) [c](data:text/html,<script>window.owned=8</script>) [d](vbscript:x) [e](blob:https://evil.example/x) <javascript:window.owned=9> ![f](data:image/svg+xml,<svg onload=alert(1)>) ![g](https://evil.example/pixel.png) ![h][i]\n\n[i]: https://evil.example/again.png\n\n',
  ],
  ['signs that turn the order of letters', 'Pay \u202Emoc.knab\u202C and \u2066open\u2069 \u200Fthis\n\n'],
  [
    'a picture that is asked for in a sheet of style',
    '<style>@import url(https://evil.example/y.css); body { display: none }</style>\n\n<div style="background:url(https://evil.example/z.png)">x</div>\n\n',
  ],
  [
    'formulas that are broken',
    `$\\frac{1}{$ $$\\begin{matrix} ${'\\left('.repeat(300)}\n\n$$\\href{javascript:window.owned=10}{x} \\includegraphics{https://evil.example/m.png}$$\n\n`,
  ],
  ['ten thousand lists inside each other', `${'- '.repeat(10_000)}deep\n\n`],
  ['a megabyte without a space', ''],
  ['a fence that never closes', '\n\n```html\n<script>window.owned = 11</script>\n'],
]

test('an answer that is hostile as it comes runs nothing, loads nothing, and leaves every key its answer', async ({
  window: { open, page, send, composer, messages },
}) => {
  await open()
  const answer = await send('Show me')
  await expect(page.getByRole('button', { name: 'Stop' })).toBeVisible()
  await page.evaluate(`(() => {
    window.longest = 0
    new PerformanceObserver((list) => { for (const { duration } of list.getEntries()) window.longest = Math.max(window.longest, duration) }).observe({ type: 'longtask' })
  })()`)
  for (const [what, text] of pieces) {
    if (text !== '') answer.delta(text)
    else for (let at = 0; at < 16; at += 1) answer.delta('x'.repeat(62_500))
    // A key is answered while it is drawn.
    await composer.focus()
    await page.keyboard.press('ControlOrMeta+a')
    await page.keyboard.type(what)
    await expect(composer).toHaveValue(what)
  }
  for (let line = 0; line < 200; line += 1)
    answer.delta(`<b onclick="window.owned = 12">${String(line)}</b>\n`)
  answer.end()
  await expect(messages.getByRole('button', { name: 'Copy reply' })).toBeVisible()
  expect(await page.evaluate('window.owned')).toBeUndefined()
  expect(
    await page.evaluate(
      'document.querySelectorAll("script:not([src]), iframe, object, embed, base, meta[http-equiv], main img, main style, main a[href]:not([href^=\\"#\\"])").length',
    ),
  ).toBe(0)
  expect(await page.evaluate<string>('document.baseURI')).toMatch(/^http:\/\/127\.0\.0\.1:/)
  // Far above what any of it takes on a machine that has other things to do, and far below a window that hangs.
  expect(await page.evaluate<number>('window.longest')).toBeLessThan(5000)
  expect(page.context().pages()).toHaveLength(1)
})

test('what is spoken of it is bounded, polite and free of signs', async ({
  window: { open, page, send },
}) => {
  await open()
  await expect(page.getByTestId('announcer')).toHaveAttribute('aria-live', 'polite')
  await page.evaluate(`(() => {
    window.said = []
    const region = document.querySelector('[data-testid="announcer"]')
    new MutationObserver(() => window.said.push(region.textContent)).observe(region, { childList: true, characterData: true, subtree: true })
  })()`)
  const answer = await send('Show me')
  answer.stage('proving')
  for (let at = 0; at < 16; at += 1) answer.delta('x'.repeat(62_500))
  for (let at = 0; at < 500; at += 1) answer.delta(`A sentence ${String(at)} that ends. `)
  answer.end()
  await expect.poll(() => page.evaluate('window.said.at(-1)')).toBe('Reply complete. Private')
  const announcements = await page.evaluate<string[]>('window.said')
  // Word by word it would be hundreds.
  expect(announcements.length).toBeLessThan(12)
  expect(Math.max(...announcements.map(({ length }) => length))).toBeLessThan(1000)
})
