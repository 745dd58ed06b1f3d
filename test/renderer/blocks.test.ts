import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { BlockGrowth, splitBlocks, type GrowingBlocks } from '../../src/renderer/features/chat/blocks.ts'

function grow(pieces: readonly string[]): GrowingBlocks {
  const growth = new BlockGrowth()
  for (const piece of pieces) growth.add(piece)
  return growth.state
}

/** All that is shown, as one text. */
function shown({ settled, tail, code }: GrowingBlocks): string {
  return `${settled.join('\n')}\n` + tail + (code ? code.pieces.join('') + code.last : '')
}

const fragment = fc.constantFrom(
  'Plain words. ',
  '\n',
  '\n\n',
  '# Heading\n',
  '- item\n',
  '1. first\n',
  '   nested\n',
  '> quoted\n',
  '| a | b |\n|---|---|\n| 1 | 2 |\n',
  '```ts\n',
  '```\n',
  '~~~\n',
  '    indented\n',
  '**bold',
  '**',
  '`',
  '---\n',
  '===\n',
  '<div>\n',
  '[x]: https://a.example\n',
  '[x]',
  'ß€😀',
)
const markdown = fc.array(fragment, { maxLength: 40 }).map((fragments) => fragments.join(''))
const chunked = fc
  .tuple(markdown, fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1 }))
  .map(([text, sizes]) => {
    const pieces: string[] = []
    for (let at = 0, turn = 0; at < text.length; turn++) {
      const size = sizes[turn % sizes.length] ?? 1
      pieces.push(text.slice(at, at + size))
      at += size
    }
    return { text, pieces }
  })

describe('BlockGrowth', () => {
  test('shows every character of the text, in any pieces, except the opening of a code block and blank lines', () => {
    fc.assert(
      fc.property(chunked, ({ text, pieces }) => {
        const bare = (from: string) => from.replaceAll(/\s|`|~|ts|\[x\]: \S+/g, '')
        expect(bare(shown(grow(pieces)))).toBe(bare(text))
      }),
    )
  })

  test('never changes a settled block', () => {
    fc.assert(
      fc.property(chunked, ({ pieces }) => {
        const growth = new BlockGrowth()
        let before: readonly string[] = []
        for (const piece of pieces) {
          growth.add(piece)
          const { settled } = growth.state
          expect(settled.slice(0, before.length)).toEqual(before)
          before = settled
        }
      }),
    )
  })

  test('returns the same array while no block is settled', () => {
    const growth = new BlockGrowth()
    growth.add('One.\n\nTwo')
    const { settled } = growth.state
    growth.add(' goes on')
    growth.add(' and on')
    expect(growth.state.settled).toBe(settled)
    expect(growth.state.tail).toContain('Two goes on and on')
  })

  test('settles a paragraph when the next block begins', () => {
    expect(grow(['One.\nOn.\n# Two\n']).settled.map((block) => block.trim())).toEqual(['One.\nOn.'])
    expect(grow(['One.\n\nTwo.\n\nThree.\n']).settled.map((block) => block.trim())).toEqual(['One.', 'Two.'])
  })

  test('settles a block that a blank line ends, but not one that can continue after it', () => {
    const pieces = (text: string) => text.split(/(?<=\n)/)
    for (const ended of ['One.', 'One\non.', '# One', 'One\n---', '| a |\n|---|\n| 1 |', '---']) {
      for (const blank of ['\n', '  \n'])
        expect(grow(pieces(`${ended}\n${blank}`))).toMatchObject({ settled: [ended], tail: '' })
      expect(grow(pieces(`${ended}\n`)).settled).toEqual([])
    }
    for (const open of [
      '- one',
      '1. one',
      '> one',
      '    one',
      '<div>\none',
      '<!-- one',
      '[^1]: One.',
      '- one\n\n  on',
    ]) {
      expect(grow(pieces(`${open}\n\n`)).settled).toEqual([])
    }
  })

  test('doesn’t treat the second item of a list as another list', () => {
    const { settled, tail } = grow(['1. one\n', '\n', '2', '.', ' two\n'])
    expect(settled).toEqual([])
    expect(tail).toBe('1. one\n\n2. two\n')
  })

  test('shows an open code block as text, and settles it as a whole', () => {
    const open = grow(['Look:\n\n```python title\n', 'a = 1\nb', ' = 2'])
    expect(open.code).toEqual({ language: 'python', pieces: [], last: 'a = 1\nb = 2' })
    expect(open.settled.map((block) => block.trim())).toEqual(['Look:'])
    const closed = grow(['```python\na = 1\n', '``', '`\nAfter'])
    expect(closed.code).toBeUndefined()
    expect(closed.settled).toEqual(['```python\na = 1\n```'])
    expect(closed.tail).toBe('After')
  })

  test('closes a code block only with its own marker, at least as long', () => {
    expect(grow(['````\n```\nstill\n']).code?.last).toBe('```\nstill\n')
    expect(grow(['~~~\n```\n']).code?.last).toBe('```\n')
    expect(grow(['```\n````\n']).code).toBeUndefined()
    expect(grow(['```\n``` not\n']).code?.last).toBe('``` not\n')
  })

  test('settles a long code block in pieces, so that a new line doesn’t change the old ones', () => {
    const growth = new BlockGrowth()
    growth.add('```\n')
    for (let line = 0; line < 200; line++) growth.add(`line ${line}\n`)
    const { code } = growth.state
    expect(code?.pieces.length).toBeGreaterThanOrEqual(4)
    expect(code && code.pieces.join('') + code.last).toBe(
      Array.from({ length: 200 }, (_, line) => `line ${line}\n`).join(''),
    )
    const first = code?.pieces[0]
    growth.add('one more\n')
    expect(growth.state.code?.pieces[0]).toBe(first)
  })
})

/** A text, and the same text line by line. */
const whole = (text: string): [string, string[]] => [text, text.split(/(?<=\n)/)]
const items = (count: number, marker: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => `${marker(index)} item\n`).join('')

describe('splitBlocks', () => {
  const settles = (text: string, pieces: readonly string[]) => {
    const { settled } = grow(pieces)
    expect(splitBlocks(text).slice(0, settled.length)).toEqual(settled)
    return settled.length
  }

  test('returns the blocks that BlockGrowth settled, so that nothing moves at the end', () => {
    expect(
      settles(
        ...whole('# A\n\nOne.\n\n- x\n- y\n\n```js\n1\n\n2\n```\n\n> q\n\n| a |\n|---|\n| 1 |\n\nEnd.\n'),
      ),
    ).toBe(6)
    expect(settles(...whole(`${items(100, (index) => `${index + 1}.`)}\nEnd.\n\nReally.`))).toBe(6)
    expect(settles(...whole(`${items(60, () => '-')}\nEnd.\n\nReally.`))).toBe(4)
  })

  test('continues the numbers of a long list that it splits', () => {
    for (const marker of [(index: number) => `${index + 7}.`, () => '7.']) {
      const numbers = splitBlocks(items(60, marker)).map((block) => /^\d+/.exec(block)?.[0])
      expect(numbers).toEqual(['7', '31', '55'])
    }
  })

  test('doesn’t split a list of usual length', () =>
    expect(splitBlocks(items(24, () => '-'))).toHaveLength(1))

  test('adds the link definitions of the whole text to a block that uses them', () => {
    const [first] = splitBlocks('See [x].\n\nOther.\n\n[x]: https://a.example\n')
    expect(first).toContain('[x]: https://a.example')
    expect(splitBlocks('Other.\n\n[x]: https://a.example\n')).toEqual(['Other.'])
  })
})
