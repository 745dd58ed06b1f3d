import fc from 'fast-check'
import { expect, test } from 'vitest'
import { markdownOfHtml } from '../../../src/shared/markup/html-to-markdown.ts'
import { MarkupTooDeep } from '../../../src/shared/markup/scan-markup.ts'

test.each([
  ['<h2>Plan</h2><p>Buy <b>two</b> <i>red</i> apples.</p>', '## Plan\n\nBuy **two** _red_ apples.'],
  ['<p>one</p><p>two<br>three</p>', 'one\n\ntwo\nthree'],
  ['<ul><li>a</li><li>b<ol start="3"><li>c</li><li>d</li></ol></li></ul>', '- a\n- b\n  3. c\n  4. d'],
  ['<ul><li><p>a</p></li><li><p>b</p></li></ul>', '- a\n\n- b'],
  ['<blockquote><p>q</p><p>r</p></blockquote><p>after</p>', '> q\n>\n> r\n\nafter'],
  ['<pre><code>if (a) {\n  b()\n\n}</code></pre>', '```\nif (a) {\n  b()\n\n}\n```'],
  ['Use <code>npm ci</code> here', 'Use `npm ci` here'],
  [
    'See <a href="https://a.example/x_(y)">the [page]</a>.',
    String.raw`See [the \[page\]](https://a.example/x_%28y%29).`,
  ],
  ['<a href="https://a.example/">https://a.example/</a>', 'https://a.example/'],
  [
    '<table><thead><tr><th>Item</th><th>Price</th></tr></thead><tbody><tr><td>Tea | x</td><td><p>5</p></td></tr></tbody></table>',
    `| Item | Price |\n| --- | --- |\n| Tea ${String.raw`\|`} x | 5 |`,
  ],
  ['<p>a</p><hr><p>b</p>', 'a\n\n---\n\nb'],
  ['<b style="font-weight:normal"><p>from a <b>document</b></p></b>', 'from a **document**'],
  ['<p>漢字<strong>強調</strong>です</p>', '漢字**強調**です'],
  ['<p dir="rtl">שלום <b>עולם</b></p>', 'שלום **עולם**'],
  [
    '<html><head><title>T</title><style>p{}</style></head><body><!--StartFragment--><p>x &amp; y</p></body></html>',
    'x & y',
  ],
  ['<img src="https://a.example/t.gif" alt="a cat">', 'a cat'],
])('%s', (html, markdown) => {
  expect(markdownOfHtml(html)).toBe(markdown)
})

test.each([
  ['a script', '<p>a<script>alert(1)</script>b</p>', 'ab'],
  ['an event handler', '<p onclick="alert(1)">a</p><img src=x onerror=alert(1)>', 'a'],
  ['an address that runs', '<a href="javascript:alert(1)">go</a>', 'go'],
  ['a hidden scheme', '<a href=" java&#10;script:alert(1)">go</a>', 'go'],
  ['a data address', '<a href="data:text/html,x">go</a>', 'go'],
  ['a frame', '<iframe src="https://a.example"><p>in</p></iframe><p>out</p>', 'out'],
])('%s is removed', (_, html, markdown) => {
  expect(markdownOfHtml(html)).toBe(markdown)
})

test('elements that are nested too deeply are refused', () => {
  expect(() => markdownOfHtml('<div>'.repeat(100_000))).toThrow(MarkupTooDeep)
})

test('a megabyte of unclosed elements takes linear time', () => {
  for (const piece of ['<b>a</b>', '<a href="https://a.example">', '<table><tr><td>', '<li>x'])
    try {
      markdownOfHtml(piece.repeat(1_000_000 / piece.length))
    } catch (thrown) {
      expect(thrown).toBeInstanceOf(MarkupTooDeep)
    }
}, 20_000)

const tag = fc.constantFrom(
  'p',
  'div',
  'b',
  'em',
  'ul',
  'ol',
  'li',
  'table',
  'tr',
  'td',
  'pre',
  'code',
  'blockquote',
  'h1',
  'a',
  'br',
)
const piece = fc.oneof(
  tag.map((name) => `<${name}>`),
  tag.map((name) => `</${name}>`),
  fc.string({ unit: 'grapheme', maxLength: 8 }),
  fc.constantFrom('word', '\n', '<a href="javascript:x">', '<script>', '</script>', '<', '&lt;'),
)

test('any pasted HTML becomes text without an executable address', () => {
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
      const markdown = markdownOfHtml(pieces.join(''))
      expect(markdown).not.toContain('](javascript')
      expect(markdown).not.toMatch(/\n{4,}$/)
    }),
  )
})

test('every word of balanced paragraphs and lists is preserved in order', () => {
  const wordLists = fc.array(fc.stringMatching(/^[a-z]{1,8}$/), { minLength: 1, maxLength: 12 })
  fc.assert(
    fc.property(wordLists, fc.constantFrom('p', 'li', 'h3', 'blockquote', 'div', 'td'), (list, name) => {
      const html = list.map((word) => `<${name}>${word}</${name}>`).join('')
      expect(
        markdownOfHtml(html)
          .match(/[a-z]+/g)
          ?.join(''),
      ).toBe(list.join(''))
    }),
  )
})
