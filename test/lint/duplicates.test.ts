import { describe, expect, it } from 'vitest'
import { findDuplicates } from '../../lint/duplicates.ts'

const lines = (count: number, name = 'call'): string[] =>
  Array.from({ length: count }, (_, at) => `${name}(${at})`)
const find = (...files: (readonly string[])[]) =>
  findDuplicates(new Map(files.map((text, at) => [`${at}.ts`, text.join('\n')])))

describe('duplicates', () => {
  it('are runs of at least 10 equal lines', () => {
    expect(find(lines(9), lines(9))).toEqual([])
    expect(find(lines(10), ['start()', ...lines(12)])).toEqual([{ lines: 10, places: ['0.ts:1', '1.ts:2'] }])
  })

  it('are found as a whole, across indents, comments, imports and blank lines', () => {
    const written = lines(15).flatMap((line) => ['', '  // a comment', `    ${line}`])
    expect(find(lines(15), ["import { a } from 'a'", ...written])).toEqual([
      { lines: 15, places: ['0.ts:1', '1.ts:4'] },
    ])
  })

  it('are found within one file, and a repeated line is none of itself', () => {
    expect(find([...lines(10), 'end()', ...lines(10)])).toEqual([
      { lines: 10, places: ['0.ts:1', '0.ts:12'] },
    ])
    expect(find(Array.from({ length: 15 }, () => 'same()'))).toEqual([])
  })

  it('come with the longest first', () => {
    const all = [...lines(10), ...lines(20, 'other')]
    expect(find(all, lines(10), lines(20, 'other')).map((each) => each.lines)).toEqual([20, 10])
  })
})
