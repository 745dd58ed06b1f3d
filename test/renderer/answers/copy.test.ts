// @vitest-environment happy-dom
import { describe, expect, test } from 'vitest'
import { plainText, richText, tableText } from '../../../src/renderer/features/chat/rich-copy.ts'
import { withoutPrompts } from '../../../src/renderer/features/chat/without-prompts.ts'
import { drawAnswer } from './draw-answer.ts'

describe('a reply is copied', () => {
  test('as HTML without anything of this window', async () => {
    const page = await drawAnswer(
      '## T\n\nA **b** & [c](https://a.example/?x=1&y="2") with $x<1$.\n\n3. `d`\n4. e\n\n- [x] done\n\n```js\n1 < 2\n```',
    )
    expect(richText(page).replaceAll(/>\n+</g, '><')).toBe(
      '<h2>T</h2><p>A <strong>b</strong> &amp; <a href="https://a.example/?x=1&amp;y=%222%22">c</a> with $x&lt;1$.</p>' +
        '<ol start="3"><li><code>d</code></li><li>e</li></ol><ul><li>☑ done</li></ul><pre><code>1 &lt; 2\n</code></pre>',
    )
  })

  test('as plain text with formulas as LaTeX', async () => {
    const page = await drawAnswer('So $a_1$:\n\n$$\nb\n$$\n\nend')
    expect(plainText(page)).toBe('So $a_1$:\n\n$$\nb\n$$\n\nend')
  })

  test('as rows and columns, if it is a table', async () => {
    const page = await drawAnswer('| a | b |\n|---|---|\n| 1<br>2 | $x$ |\n| **c** | |')
    const table = page.querySelector('table')
    expect(table && tableText(table)).toBe('a\tb\n1 2\t$x$\nc\t')
    expect(table && richText(table)).toBe(
      '<table><thead><tr><th>a</th><th>b</th></tr></thead><tbody><tr><td>1<br>2</td><td>$x$</td></tr>' +
        '<tr><td><strong>c</strong></td><td></td></tr></tbody></table>',
    )
  })
})

test.each([
  ['bash', '$ ls -l\nfile\n$ cat \\\n  a', 'ls -l\ncat \\\n  a'],
  ['console', '$ make\nok\n', 'make'],
  ['python', '>>> for a in b:\n...     print(a)\n1\n>>> c', 'for a in b:\n    print(a)\nc'],
  ['bash', 'echo $A\n$ x', 'echo $A\n$ x'],
  ['text', '$ ls', '$ ls'],
  ['', '$ ls', '$ ls'],
])('of %s code, only what is run is copied', (language, code, copied) =>
  expect(withoutPrompts(language, code)).toBe(copied),
)
