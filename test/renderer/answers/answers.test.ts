// @vitest-environment happy-dom
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { drawAnswer, shapeOf, streamAnswer } from './draw-answer.ts'

/** Replies as models write them, and what a reader sees of each. */
const cases = z
  .record(z.string(), z.object({ text: z.string(), shows: z.string() }))
  .parse(JSON.parse(readFileSync(join(import.meta.dirname, 'cases.json'), 'utf8')))

describe.each(Object.entries(cases))('a reply with %s', (_name, { text, shows }) => {
  test('shows what its writer meant', async () => expect(shapeOf(await drawAnswer(text))).toBe(shows))

  test('is the same page after it came one character at a time', async () => {
    const streamed = markup(await streamAnswer(text))
    expect(streamed).toBe(markup(await drawAnswer(text)))
  })
})

/** Without the names that React generates, which count the elements of the page, and with attributes in one order. */
function markup({ innerHTML }: HTMLElement): string {
  return innerHTML.replaceAll(/_r_\w+_/g, '').replaceAll(/<[a-z][^<>]*>/g, (tag) =>
    tag
      .slice(0, -1)
      .split(/ (?=[\w-]+=")/)
      .toSorted()
      .join(' '),
  )
}

test('blocks have the direction of their text, and code and links have their own', async () => {
  const page = await drawAnswer(cases['hebrew']?.text ?? '')
  expect([...page.querySelectorAll('p, blockquote')].map((block) => block.getAttribute('dir'))).toEqual([
    'auto',
    'auto',
    'auto',
  ])
  expect(page.querySelector('code')?.getAttribute('dir')).toBe('ltr')
  const lists = await drawAnswer(cases['rtl']?.text ?? '')
  for (const block of lists.querySelectorAll('p, ul, li, table, th, td'))
    expect(block.getAttribute('dir')).toBe('auto')
})

test.each([
  ['# A\n\n## B\n\n### C', ['h2 1', 'h2 2', 'h3 3']],
  ['### A\n\n#### B\n\n## C', ['h2 3', 'h3 4', 'h2 2']],
  ['#### A\n\n##### B', ['h2 4', 'h2 4']],
  ['```md\n#### no heading\n```\n\n## A\n\n### B', ['h2 2', 'h3 3']],
])('the first heading of %j follows the title of the chat, and looks as written', async (text, expected) => {
  for (const page of [await drawAnswer(text), await streamAnswer(text)]) {
    const found = [...page.querySelectorAll('h1, h2, h3, h4, h5, h6')]
    expect(found.map((each) => `${each.localName} ${each.getAttribute('data-level') ?? ''}`)).toEqual(
      expected,
    )
  }
})

test('a comment that is longer than a block is hidden as one', async () => {
  const text = `A\n\n<!--\n${'word\n\n'.repeat(1_500)}-->\n\nB`
  for (const page of [await drawAnswer(text), await streamAnswer(text)])
    expect(shapeOf(page)).toBe('<p>A</p><p>B</p>')
})

test('a large picture in the text is shown whole, and one that is too large is named', async () => {
  // The header of a PNG of 40 × 20 pixels, because nothing without a size is shown.
  const header = 'iVBORw0KGgoAAAANSUhEUgAAACgAAAAUCAYAAAAA'
  const image = (length: number) => `Look: ![dot](data:image/png;base64,${header.padEnd(length, 'A')}) done`
  for (const page of [await drawAnswer(image(20_000)), await streamAnswer(image(20_000))]) {
    expect(shapeOf(page)).toBe('<p>Look:</p><p><img dot></p><p>done</p>')
    expect(page.querySelector('img')?.src).toHaveLength(20_022)
  }
  const tag = image(20_000).replace(/!\[dot\]\((.*)\)/, '<img alt="dot" src="$1" width=3>')
  for (const page of [await drawAnswer(tag), await streamAnswer(tag)])
    expect(shapeOf(page)).toBe('<p>Look:</p><p><img dot></p><p>done</p>')
  expect(shapeOf(await drawAnswer(image(1_500_000)))).toContain('Image too large to show: dot')
  const without = image(20_000).replace(header, 'A'.repeat(header.length))
  expect(shapeOf(await drawAnswer(without))).toContain('Damaged image: dot')
})

test('nothing that a reply holds becomes an element that runs or loads', async () => {
  const page = await drawAnswer(
    [
      '<script>x</script><iframe src="https://a.example"></iframe><style>*{}</style><object data=x>',
      '<b onclick="x()" style="color:red">b</b><svg onload=x><a href="javascript:x">a</a>',
      '<details ontoggle=x open><summary onclick=x>s</summary>t</details>',
      '![x](data:text/html;base64,PHA+) ![y](https://a.example/y.png) [z](data:text/html,x)',
    ].join('\n\n'),
  )
  expect(page.querySelectorAll('script, iframe, style, object, svg, a, img')).toHaveLength(0)
  expect(page.innerHTML).not.toMatch(/<[^>]*\son\w+=/)
})
