import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { splitBlocks, BlockGrowth } from '../../src/renderer/features/chat/blocks.ts'
import { markSource } from '../../src/renderer/features/chat/mark-source.ts'
import { displayFormula, markedFormula, MAX_FORMULA } from '../../src/renderer/features/chat/math-source.ts'

/** The formulas that are found in a block, without what Markdown makes of the rest. */
function formulas(block: string): string[] {
  const spans = [...markSource(block).matchAll(/(`+)([\uE000\uE001][^]*?)\1(?!`)/g)].map(
    ([, , code = '']) => markedFormula(code)?.tex.trim() ?? '',
  )
  const fences = [...markSource(block).matchAll(/^[ >]*(`{3,})math\n([^]*?)\n[ >]*\1$/gm)].map(
    ([, , code = '']) => code.trim(),
  )
  return [...spans, ...fences]
}

describe('markSource', () => {
  test.each([
    ['the energy $E = mc^2$ of rest', ['E = mc^2']],
    ['$a_1 * b_1$ and **$x$**, ($y$).', ['a_1 * b_1', 'x', 'y']],
    ['\\(a\\) and \\[b\\] and $$c$$', ['a', 'b', 'c']],
    ['over $two\nlines$', ['two lines']],
    ['- item\n  $$\n  + x\n  $$\n- next', ['+ x']],
    ['> $$\n> x\n> $$', ['> x']],
    ['a `` $x$ ` y `` b $z$', ['z']],
    ['$\\text{a `tick}$', ['\\text{a `tick}']],
    ['设$x$为实数，则$x^2≥0$。', ['x', 'x^2≥0']],
    ['$n$ 차원의 $x$는', ['n', 'x']],
    ['a $ x $ and $ a + b $ and $ \\frac{1}{2} $.', ['x', 'a + b', '\\frac{1}{2}']],
    ['\\ce{H2O} and $\\ce{CO2}$', ['\\ce{H2O}', '\\ce{CO2}']],
    ['with \\begin{pmatrix}1\\end{pmatrix} in it', ['\\begin{pmatrix}1\\end{pmatrix}']],
    ['- so\n  \\begin{align}\n  a &= b\n  \\end{align}', ['\\begin{align}\n  a &= b\n  \\end{align}']],
    ['是\\(y\\)。', ['y']],
  ])('finds in %j', (block, found) => expect(formulas(block)).toEqual(found))

  test.each([
    'It costs $5, or $10 for two.',
    'from $5 to $10',
    'US$5 and EUR$6',
    '$ 5 and $ 10',
    'cost $ 5, then $ 6 - cheap',
    'Set $HOME and "$PATH" to "$',
    '约$5，或$10。',
    '$5，或"$"',
    'one $ alone',
    '\\$x\\$',
    '$5-$10',
    '$x$y',
    'a$x$',
    '`$x$`',
    '```sh\necho $HOME $PATH\n```',
    '    echo $a $b$',
    'https://x.example/?a=$b$c',
    '$x\n\ny$',
    '$$',
    '$$$$',
    '\\(',
    '\\[ \\(',
    '- a\n\n  ```\n  $x$\n  ```',
  ])('finds none in %j', (block) => expect(markSource(block)).toBe(block))

  test.each([
    ['C:\\Users\\me\\(x86)\\a_b.txt', 'C:\\\\Users\\\\me\\\\\\(x86\\)\\\\a\\_b.txt'],
    ['see \\\\server\\[a]\\b', 'see \\\\\\\\server\\\\\\[a\\]\\\\b'],
    ['the regex \\(group\\)', 'the regex \\\\(group\\\\)'],
    ['##标题', '## 标题'],
    ['#hashtag', '#hashtag'],
    ['| a | b |\n|---|---|\n| `x || y` | 1 |', '| a | b |\n|---|---|\n| `x \\|\\| y` | 1 |'],
  ])('marks what Markdown would misread in %j', (block, marked) => expect(markSource(block)).toBe(marked))

  test('keeps the cells of a table', () => {
    expect(markSource('| a | b |\n|---|---|\n| $|x|$ | 1 |')).toContain('`\uE000\\|x\\|`')
  })

  test('draws so many formulas of a block and leaves the rest as text', () => {
    expect(formulas('$x$ '.repeat(500))).toHaveLength(200)
  })

  test('loses no letter, whatever it is given', () => {
    const part = fc.constantFrom(
      '$',
      '$$',
      '\\(',
      '\\)',
      '\\[',
      '\\]',
      '\\',
      '`',
      '``',
      '```',
      '\n',
      '\n\n',
      ' ',
      'x',
      '5',
      '|',
      '> ',
      '- ',
      '    ',
    )
    fc.assert(
      fc.property(fc.array(part, { maxLength: 40 }), (parts) => {
        const bare = (text: string) => text.replaceAll(/[^x5]/g, '')
        expect(bare(markSource(parts.join('')))).toBe(bare(parts.join('')))
      }),
      { numRuns: 2000 },
    )
  })

  test.each(['$a ', '$', '\\(', '\\[', '`', '`$', '$`', '``` ', '$$x', '$x$ ', '\n$$\n', '\n> $$', '|$|'])(
    'takes the time of its length for %j without end',
    (part) => {
      const block = part.repeat(8000 / part.length)
      // CPU time, because other processes may run at the same time.
      const start = process.cpuUsage()
      markSource(block)
      expect(process.cpuUsage(start).user / 1000).toBeLessThan(250)
    },
  )
})

describe('a display formula', () => {
  const source = '$$\na\n+ b\n\n- c\n= d\n$$'
  test('is one block, whatever its lines look like', () => {
    expect(splitBlocks(`Before:\n${source}\nAfter.\n\n\\[\nx\n\\]\n\nEnd.`)).toEqual([
      'Before:',
      source,
      'After.',
      '\\[\nx\n\\]',
      'End.',
    ])
    expect(displayFormula(source)).toEqual({ tex: 'a\n+ b\n\n- c\n= d', closed: true })
  })

  test('is held while it is written, and is the same block after', () => {
    const growth = new BlockGrowth()
    const [before, after] = [source.slice(0, 12), source.slice(12)]
    for (const letter of `Before:\n\n${before}`) growth.add(letter)
    expect(growth.state).toMatchObject({ settled: ['Before:'], tail: before })
    expect(displayFormula(growth.state.tail)?.closed).toBe(false)
    for (const letter of `${after}\n\nAfter.\n\nEnd\n`) growth.add(letter)
    expect(growth.state.settled).toEqual(['Before:', source, 'After.'])
  })

  test('is none where it ends too late, or goes on in its line', () => {
    expect(displayFormula(`$$\n${'x'.repeat(MAX_FORMULA + 1)}\n$$`)).toBeUndefined()
    expect(displayFormula('$$x$$ and text')).toBeUndefined()
    expect(displayFormula('$$\n$$')).toBeUndefined()
  })
})
