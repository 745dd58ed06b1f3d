import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { listsIn, withTextsOpened } from '../../src/renderer/features/data/results/answer-lists.ts'
import { cellText } from '../../src/renderer/features/data/results/cell-text.ts'
import { csvCell, csvText } from '../../src/renderer/features/data/results/csv-text.ts'
import {
  cellAt,
  columnsOf,
  MAX_COLUMNS,
  MAX_DEPTH,
} from '../../src/renderer/features/data/results/flatten.ts'
import { linesOf, MAX_LINES, expandFirstLevels } from '../../src/renderer/features/data/results/json-lines.ts'
import { orderOf } from '../../src/renderer/features/data/results/sort-rows.ts'

const rowsOfAnyShape = fc.array(fc.jsonValue({ maxDepth: 4 }), { maxLength: 12 })
const names = (rows: readonly unknown[]) => columnsOf(rows).columns.map(({ name }) => name)
const byLetter = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)

/** The values of a row that have no columns for their members, each with its path. */
function leavesOf(value: unknown, path: readonly string[] = []): [string, unknown][] {
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
  if (!isObject || path.length >= MAX_DEPTH || (path.length > 0 && Object.keys(value).length === 0))
    return [[JSON.stringify(path), value]]
  return Object.entries(value).flatMap(([name, inner]) => leavesOf(inner, [...path, name]))
}

describe('the columns of rows', () => {
  it('are named by their paths, in the order of the rows', () => {
    expect(
      names([
        { id: 1, of: { name: 'a', domain: 'b' } },
        { id: 2, more: [1] },
      ]),
    ).toEqual(['id', 'of.name', 'of.domain', 'more'])
    expect(names([{ 'a.b': 1, a: { b: 2 }, '': 3, '"': 4 }])).toEqual(['"a.b"', 'a.b', '""', '"\\""'])
    expect(names(['plain', 2])).toEqual([''])
  })

  it('contain every value of every row, each in one column', () => {
    fc.assert(
      fc.property(rowsOfAnyShape, (rows) => {
        const { columns, more } = columnsOf(rows)
        fc.pre(!more)
        for (const row of rows) {
          const found = columns.flatMap(({ path }): [string, unknown][] => {
            const value = cellAt(row, path)
            return value === undefined ? [] : [[JSON.stringify(path), value]]
          })
          expect(new Map(found)).toEqual(new Map(leavesOf(row)))
        }
        expect(new Set(columns.map(({ name }) => name)).size).toBe(columns.length)
      }),
    )
  })

  it('are numeric if every cell is a number', () => {
    expect(
      columnsOf([{ a: 1, b: '2' }, { a: null }, { b: 3 }]).columns.map(({ numeric }) => numeric),
    ).toEqual([true, false])
  })

  it('are limited in number, and report that there are more', () => {
    const wide = Object.fromEntries(Array.from({ length: 5000 }, (_, at) => [`m${String(at)}`, at]))
    const { columns, more } = columnsOf([wide])
    expect([columns.length, more]).toEqual([MAX_COLUMNS, true])
    expect(columnsOf([{ a: 1 }]).more).toBe(false)
  })

  it('include no inherited properties', () => {
    const rows: unknown[] = [JSON.parse('{"__proto__":{"x":1},"constructor":2}'), {}]
    expect(names(rows)).toEqual(['__proto__.x', 'constructor'])
    expect(columnsOf(rows).columns.map(({ path }) => cellAt(rows[0], path))).toEqual([1, 2])
    expect(columnsOf(rows).columns.map(({ path }) => cellAt(rows[1], path))).toEqual([undefined, undefined])
  })

  it('are limited in depth for deeply nested rows', () => {
    const deep: unknown = JSON.parse(`${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}`)
    expect(names([deep])).toEqual([Array.from({ length: MAX_DEPTH }, () => 'a').join('.')])
    expect(cellText(deep, 500).length).toBeLessThanOrEqual(501)
  })
})

describe('the text of a cell', () => {
  it('is plain for a simple value, and JSON for any other', () => {
    expect(
      [null, undefined, 'a', 1.5, true, ['a', 2, null], [{ a: 1 }], { a: [1, 'b'] }].map((value) =>
        cellText(value, 99),
      ),
    ).toEqual(['', '', 'a', '1.5', 'true', 'a, 2, ', '[{"a":1}]', '{"a":[1,"b"]}'])
  })

  it('is never longer than its limit, and never ends within a character', () => {
    fc.assert(
      fc.property(
        fc.jsonValue({ maxDepth: 4, stringUnit: 'binary' }),
        fc.integer({ min: 1, max: 40 }),
        (value, most) => {
          const text = cellText(value, most)
          if (typeof value !== 'number' && typeof value !== 'boolean')
            expect(text.length).toBeLessThanOrEqual(most + 1)
          expect(text.isWellFormed()).toBe(true)
        },
      ),
    )
  })

  it('is JSON for an object', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 3 })), (value) => {
        expect(JSON.parse(cellText(value, 1_000_000))).toEqual(JSON.parse(JSON.stringify(value)))
      }),
    )
  })
})

describe('the order of rows', () => {
  const [column] = columnsOf([{ a: 1 }, { a: 'x' }]).columns

  it('puts numbers before texts and missing values last, in both directions', () => {
    const rows = [{ a: 'b' }, {}, { a: 10 }, { a: 9 }, { a: 'a' }, { a: null }]
    expect([...orderOf(rows, { column: column!, direction: 'ascending' }, byLetter)]).toEqual([
      3, 2, 4, 0, 1, 5,
    ])
    expect([...orderOf(rows, { column: column!, direction: 'descending' }, byLetter)]).toEqual([
      0, 4, 2, 3, 1, 5,
    ])
  })

  it('has each row once, and doesn’t reorder equal rows', () => {
    fc.assert(
      fc.property(
        fc.array(fc.record({ a: fc.oneof(fc.integer({ min: 0, max: 3 }), fc.constantFrom('x', 'y', null)) })),
        fc.constantFrom('ascending' as const, 'descending' as const),
        (rows, direction) => {
          const order = [...orderOf(rows, { column: column!, direction }, byLetter)]
          expect(order.toSorted((a, b) => a - b)).toEqual(rows.map((_, at) => at))
          for (const [at, index] of order.entries())
            if (at > 0 && rows[order[at - 1]!]?.a === rows[index]?.a)
              expect(order[at - 1]).toBeLessThan(index)
        },
      ),
    )
  })
})

/** Parses CSV as a spreadsheet does: RFC 4180. */
function readCsv(text: string): string[][] {
  const lines: string[][] = [[]]
  let at = 0
  while (at < text.length) {
    let cell = ''
    if (text[at] === '"') {
      at += 1
      for (;;) {
        const end = text.indexOf('"', at)
        cell += text.slice(at, end)
        at = end + 1
        if (text[at] !== '"') break
        cell += '"'
        at += 1
      }
    } else {
      while (at < text.length && text[at] !== ',' && text[at] !== '\r') cell += text.charAt(at++)
    }
    lines.at(-1)?.push(cell)
    if (text[at] === ',') at += 1
    else {
      at += 2
      if (at < text.length) lines.push([])
    }
  }
  return lines
}

describe('CSV', () => {
  it('has no cell that a spreadsheet would evaluate as a formula', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string({ unit: 'binary' }),
          fc
            .tuple(fc.constantFrom('=', '+', '-', '@', '\t', '\r', '\n', '＝', ' ='), fc.string())
            .map((parts) => parts.join('')),
        ),
        (text) => {
          const [[cell] = []] = readCsv(`${csvCell(text)}\r\n`)
          if (!/^[+-]?\d+(\.\d+)?$/.test(cell ?? '')) expect(cell).not.toMatch(/^\s*[=+\-@\t\r\n＝＋－＠]/)
          expect([text, `'${text}`]).toContain(cell ?? '')
        },
      ),
    )
    expect([
      csvCell('=cmd|1'),
      csvCell('@SUM(1)'),
      csvCell('-1+1'),
      csvCell('-12.5'),
      csvCell(-12.5),
      csvCell('+1 555-0100'),
    ]).toEqual(["'=cmd|1", "'@SUM(1)", "'-1+1", '-12.5', '-12.5', "'+1 555-0100"])
  })

  it('is parsed back to the cells of the table, in the requested order', () => {
    const rows = [{ a: 'x, "y"', b: { c: 1 } }, { a: 'line\r\nline' }]
    const text = csvText(rows, columnsOf(rows).columns, [1, 0], 'value').join('')
    expect(readCsv(text)).toEqual([
      ['a', 'b.c'],
      ['line\r\nline', ''],
      ['x, "y"', '1'],
    ])
  })

  it('escapes the header too, because its text comes from the service', () => {
    expect(csvText([{ '=x': 1 }], columnsOf([{ '=x': 1 }]).columns, [0], 'value').join('')).toBe(
      "'=x\r\n1\r\n",
    )
    expect(csvText(['a'], columnsOf(['a']).columns, [0], 'value').join('')).toBe('value\r\na\r\n')
  })
})

describe('the lists of a response', () => {
  it('begin with the most likely one', () => {
    const paths = (answer: unknown) => listsIn(answer).map(({ path }) => path.join('.'))
    expect(paths({ tags: ['a', 'b'], people: [{ a: 1 }], pagination: { page: 1 } })).toEqual([
      'people',
      'tags',
      '',
    ])
    expect(paths({ person: { phones: ['1'] } })).toEqual(['', 'person.phones'])
    expect(paths([{ a: 1 }])).toEqual([''])
    expect(paths([])).toEqual([''])
    expect(listsIn('text')).toEqual([{ path: [], rows: ['text'] }])
  })

  it('include at least one for any response', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (answer) => {
        expect(listsIn(answer).length).toBeGreaterThan(0)
        for (const { rows } of listsIn(answer)) expect(() => columnsOf(rows)).not.toThrow()
      }),
    )
  })

  it('are found in a text that contains JSON, and the name of the text is returned', () => {
    const { answer, opened } = withTextsOpened({
      content: '{"data":[{"id":"1"}]}',
      other: '{broken',
      note: '[text',
    })
    expect(opened).toEqual(['content'])
    expect(answer).toEqual({ content: { data: [{ id: '1' }] }, other: '{broken', note: '[text' })
    expect(listsIn(answer)[0]?.path).toEqual(['content', 'data'])
  })
})

describe('the lines of the tree', () => {
  const answer = { a: [1, { b: 2 }], c: {}, d: 'x' }

  it('are those of the expanded nodes', () => {
    expect(linesOf(answer, new Set()).map(({ name, open }) => [name, open])).toEqual([
      [undefined, true],
      ['a', false],
      ['c', undefined],
      ['d', undefined],
    ])
    expect(linesOf(answer, new Set(['/"a"', '/"a"/1'])).map(({ id }) => id)).toEqual([
      '',
      '/"a"',
      '/"a"/0',
      '/"a"/1',
      '/"a"/1/"b"',
      '/"c"',
      '/"d"',
    ])
    expect(linesOf(answer, new Set(), true)).toHaveLength(1)
  })

  it('have unique IDs for any names', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 4 }), (value) => {
        const lines = linesOf(value, expandFirstLevels(value, 500))
        expect(new Set(lines.map(({ id }) => id)).size).toBe(lines.length)
      }),
    )
  })

  it('are limited in number, and show how many are omitted', () => {
    const lines = linesOf(
      Array.from({ length: MAX_LINES + 5 }, (_, at) => at),
      new Set(),
    )
    expect(lines).toHaveLength(MAX_LINES + 1)
    expect(lines.at(-1)?.leftOut).toBe(6)
    const deep: unknown = JSON.parse(`${'['.repeat(20_000)}${']'.repeat(20_000)}`)
    expect(linesOf(deep, new Set()).length).toBe(2)
  })
})
