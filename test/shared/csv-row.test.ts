import { expect, it } from 'vitest'
import { csvRow } from '../../src/shared/csv-row.ts'

it.each([
  '=1+1',
  '+cmd|x',
  '-2+3',
  '@SUM(A1)',
  '\t=1',
  '\r=1',
  '＝1+1',
  ' =1+1',
  '\ufeff=1+1',
  '\u0000=1',
  '\u00a0@x',
  '\n=1',
  '= 1',
  '-',
  '\u200b+x',
])('writes a cell that a spreadsheet would evaluate as text: %j', (cell) => {
  const written = csvRow([cell]).slice(0, -2)
  expect(written.replace(/^"/, '').startsWith(`'`)).toBe(true)
  expect(written).toContain(cell)
})

it.each(['-1', '+1', '-2.5e-3', ' -5', 'a=b', 'x@example.org', '', ' ', '1-2', 'Ω'])(
  'writes any other cell unchanged: %j',
  (cell) => {
    expect(csvRow([cell]).slice(0, -2).replaceAll('"', '')).toBe(cell)
  },
)

it('quotes characters that would end a cell', () => {
  expect(csvRow(['a,b', 'a"b', 'a\nb', 'a;b', ' a', 'plain'])).toBe(
    '"a,b","a""b","a\nb","a;b"," a",plain\r\n',
  )
})
