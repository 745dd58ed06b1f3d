import type { Token } from 'marked'
import { describe, expect, test } from 'vitest'
import { BlockGrowth, splitBlocks, splitText } from '../../src/renderer/features/chat/blocks.ts'
import { footnotesOf } from '../../src/renderer/features/chat/footnote-source.ts'
import { isNestedDeep, isTangled } from '../../src/renderer/features/chat/nesting.ts'

describe('a block', () => {
  test('is never longer than a block may be, whole or growing, and loses nothing', () => {
    const text = 'word '.repeat(10_000)
    const growth = new BlockGrowth()
    for (let at = 0; at < text.length; at += 7) growth.add(text.slice(at, at + 7))
    for (const blocks of [splitBlocks(text), [...growth.state.settled, growth.state.tail]]) {
      expect(Math.max(...blocks.map(({ length }) => length))).toBeLessThanOrEqual(8000)
      expect(blocks.join(' ').split(/\s+/).filter(Boolean)).toHaveLength(10_000)
    }
  })

  test('of a long table has its head again', () => {
    const blocks = splitBlocks(`| a | b |\n|---|---|\n${'| one | two |\n'.repeat(2000)}`)
    expect(blocks.length).toBeGreaterThan(3)
    for (const block of blocks) expect(block).toMatch(/^\| a \| b \|\n\|---\|---\|\n\| one/)
    expect(blocks.join('\n').match(/\| one/g)).toHaveLength(2000)
  })

  test('of code is whole, however long', () =>
    expect(splitBlocks(`\`\`\`\n${'x\n'.repeat(20_000)}\`\`\``)).toHaveLength(1))

  test('never cuts a letter in two', () => {
    for (const block of splitBlocks(`a${'😀'.repeat(9000)}`)) expect(block.isWellFormed()).toBe(true)
  })
})

describe('footnotes', () => {
  test('are taken out, and named to each block that may refer to them', () => {
    const { blocks, notes } = splitText(
      'One[^a] and two[^B].\n\nNone.\n\n[^a]: First\n[^b]: Second\n\n    and its end\n',
    )
    expect(notes).toEqual([
      { label: 'a', source: 'First' },
      { label: 'b', source: 'Second\n\nand its end' },
    ])
    expect(blocks[0]).toContain('[^a]: .')
    expect(blocks[1]).toBe('None.')
  })

  test('of one name twice, or of too many, stay the text that they are', () => {
    const token = (raw: string): Token => ({ type: 'paragraph', raw, text: raw })
    expect(footnotesOf([token('[^a]: x'), token('[^a]: y')]).rest).toHaveLength(1)
    expect(
      footnotesOf([token(Array.from({ length: 101 }, (_, at) => `[^${String(at)}]: x`).join('\n'))]).notes,
    ).toEqual([])
  })
})

test('what is nested or tangled beyond writing is known without parsing it', () => {
  for (const text of ['- '.repeat(50) + 'x', '>'.repeat(50), `${' '.repeat(400)}- x`, '1. '.repeat(50)])
    expect(isNestedDeep(text)).toBe(true)
  for (const text of ['- a\n  - b\n    - c', '> > x', 'plain', '        code'])
    expect(isNestedDeep(text)).toBe(false)
  for (const text of ['*_'.repeat(50), '['.repeat(50), '[a '.repeat(700)]) expect(isTangled(text)).toBe(true)
  for (const text of ['**bold** and [link](https://x.example)', '---', '* a\n* b'])
    expect(isTangled(text)).toBe(false)
})
