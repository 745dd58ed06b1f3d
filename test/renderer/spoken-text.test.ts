import fc from 'fast-check'
import { expect, it } from 'vitest'
import { spokenText } from '../../src/renderer/features/chat/voice/spoken-text.ts'

it.each<[string, string]>([
  ['# A *title*\n\nSome **bold**, _slanted_ and `code`.', 'A title.\n\nSome bold, slanted and code.'],
  ['- one\n- [x] two\n  3. three', 'one.\ntwo.\n3. three.'],
  ['> quoted\n> > twice', 'quoted\ntwice'],
  ['See [the page](https://example.com/a?b=1 "title") and ![a cat](x.png).', 'See the page and a cat.'],
  ['At https://example.com/very/long?x=1, or <https://e.org/y>.', 'At example.com or e.org.'],
  ['| a | b |\n|---|:-:|\n| 1 | 2 |', 'a, b.\n\n1, 2.'],
  ['Said[^1].\n\n[^1]: A note.\n[id]: https://example.com\n\n---\n\nEnd', 'Said.\n\nEnd'],
  ['<b>plain</b> &amp; 3 < 4', 'plain &amp; 3 < 4'],
  ['snake_case_name and 2 * 3 * 4', 'snake_case_name and 2 * 3 * 4'],
  ['\\*not slanted\\*', '*not slanted*'],
  ['```js\nalert(1)\n```\nAfter', 'After'],
  ['~~~\nopen to the end\n# no', ''],
  ['## Closed ##  \n# Bare\n#', 'Closed.\nBare.\n#'],
  ['| a |\n| - |\n|:-:|-:\nb', 'a.\n\nb'],
])('converts %j to speech text', (markdown, expected) => expect(spokenText(markdown, false)).toBe(expected))

it('includes code in speech text on request', () =>
  expect(spokenText('Try:\n```js\na = **b**\n```', true)).toBe('Try:\na = **b**'))

it('converts any text without an exception', () => {
  const unit = fc.constantFrom(
    '*',
    '_',
    '`',
    '[',
    ']',
    '(',
    ')',
    '<',
    '>',
    '|',
    '#',
    '-',
    '~',
    '\n',
    ' ',
    'a',
    'https://',
    '\\',
    '```',
    '!',
  )
  fc.assert(
    fc.property(fc.string({ unit, maxLength: 200 }), fc.boolean(), (text, code) => {
      expect(spokenText(text, code).length).toBeLessThanOrEqual(text.length + text.split('\n').length)
    }),
  )
  for (const hostile of [
    `${' '.repeat(500_000)}x`,
    `# ${' '.repeat(500_000)}x`,
    `# ${'#'.repeat(500_000)}x`,
    `|-|${' '.repeat(500_000)}x`,
    `x${'`'.repeat(500_000)}`,
  ])
    expect(() => spokenText(hostile, false)).not.toThrow()
  for (const hostile of ['*', '[', '_a', '`', '<a', '> ', '- ', 'https://', '[a](', '|', '![', '**a'])
    expect(() => spokenText(hostile.repeat(50_000), false)).not.toThrow()
}, 300_000)
