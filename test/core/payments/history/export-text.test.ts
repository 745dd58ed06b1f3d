import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { exportText } from '../../../../src/core/payments/history/export-text.ts'
import { Sums } from '../../../../src/core/payments/history/sum-up.ts'
import { decimalUsd, parseUsd } from '../../../../src/shared/money.ts'
import type { HistoryRecord } from '../../../../src/shared/history.ts'
import { record } from './growing-list.ts'

const one = (part: Partial<HistoryRecord> = {}): HistoryRecord => ({
  at: Date.UTC(2026, 10, 22, 10),
  model: 'm',
  inputTokens: 1,
  outputTokens: 2,
  cost: '18150000',
  type: 't',
  source: 's',
  keyId: 'k',
  keyName: 'n',
  online: false,
  freeModel: true,
  ...part,
})
const whole = (format: 'csv' | 'json', ...records: HistoryRecord[]): string => {
  const text = exportText(format)
  return text.begin + records.map((each) => text.lines([{ record: each }])).join('') + text.end
}

/** RFC 4180, read back. */
function parsed(csv: string): string[][] {
  const rows: string[][] = [[]]
  let [cell, quoted] = ['', false]
  for (let index = 0; index < csv.length; index += 1) {
    const character = csv[index] ?? ''
    if (quoted && character === '"' && csv[index + 1] === '"') cell += csv[++index] ?? ''
    else if (character === '"') quoted = !quoted
    else if (!quoted && (character === ',' || csv.startsWith('\r\n', index))) {
      rows.at(-1)?.push(cell)
      cell = ''
      if (character !== ',') {
        rows.push([])
        index += 1
      }
    } else cell += character
  }
  return rows.slice(0, -1)
}

describe('CSV', () => {
  it('has a heading, a line for each record, and money to the last digit', () => {
    expect(whole('csv', one(), one({ cost: '-1', errorCode: 'timeout' }))).toBe(
      [
        'time,model,input_tokens,output_tokens,cost_usd,type,source,key_id,key_name,online,free_model,error_code,receipt_cost_usd,in_history',
        '2026-11-22T10:00:00.000Z,m,1,2,0.00001815,t,s,k,n,false,true,,,true',
        '2026-11-22T10:00:00.000Z,m,1,2,-0.000000000001,t,s,k,n,false,true,timeout,,true',
        '',
      ].join('\r\n'),
    )
    const { inputTokens: _i, cost: _c, keyName: _k, ...less } = one()
    expect(parsed(whole('csv', less))[1]).toEqual([
      '2026-11-22T10:00:00.000Z',
      'm',
      '',
      '2',
      '',
      't',
      's',
      'k',
      '',
      'false',
      'true',
      '',
      '',
      'true',
    ])
  })

  it.each([
    '=1+1',
    '+1+1',
    '@SUM(A1)',
    '\t=1',
    '\r=1',
    '\n=1',
    '＝1+1',
    '-2+3',
    ' =1+1',
    '\ufeff=1+1',
    '\u0000=1',
    '\u00a0@x',
  ])('%j is text, and no formula', (name) => {
    expect(parsed(whole('csv', one({ keyName: name, model: name })))[1]).toMatchObject({
      1: `'${name}`,
      8: `'${name}`,
    })
  })

  it.each(['-1', '+1'])('%j is a number, and remains as it is', (name) => {
    expect(parsed(whole('csv', one({ keyName: name, model: name })))[1]).toMatchObject({ 1: name, 8: name })
  })

  it('is read back to what was written, whatever names hold', () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.tuple(
            fc.string({ unit: 'binary', maxLength: 8 }),
            fc.constantFrom('a,b', '"', 'a"b', 'a\r\nb', ''),
          ),
          { maxLength: 8 },
        ),
        (names) => {
          const rows = parsed(whole('csv', ...names.map(([keyName, model]) => one({ keyName, model }))))
          expect(
            rows
              .slice(1)
              .map((row) => [row[8]?.replace(/^'(?=[\p{C}\p{Z}]*[=+\-@＝＋－＠]|[\t\r\n])/u, ''), row[1]]),
          ).toEqual(names)
          expect(rows.every((row) => row.length === 14)).toBe(true)
        },
      ),
      { numRuns: 40 },
    )
  })
})

it('JSON is one array, with money as exact text', () => {
  expect(JSON.parse(whole('json'))).toEqual([])
  const all = JSON.parse(whole('json', one({ cost: '123456789012345678' }), one())) as unknown[]
  expect(all).toHaveLength(2)
  expect(all[0]).toEqual({
    time: '2026-11-22T10:00:00.000Z',
    model: 'm',
    input_tokens: 1,
    output_tokens: 2,
    cost_usd: '123456.789012345678',
    type: 't',
    source: 's',
    key_id: 'k',
    key_name: 'n',
    online: false,
    free_model: true,
    in_history: true,
  })
})

it('dollars in decimal text are what was meant, exactly', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: -(10n ** 29n), max: 10n ** 29n }), (pico) => {
      expect(parseUsd(decimalUsd(pico))).toBe(pico)
    }),
  )
})

describe('sums', () => {
  it('are exact, whatever the order and the size', () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.record({
            cost: fc.option(fc.bigInt({ min: 0n, max: 10n ** 20n }), { nil: undefined }),
            model: fc.constantFrom('a', 'b'),
            at: fc.integer({ min: 0, max: 10 }).map((day) => day * 86_400_000),
          }),
        ),
        (parts) => {
          const sums = new Sums()
          for (const part of parts) sums.add(record(part.at, part))
          const { groups, total } = sums.read(new Map([['key-1', 'Mine']]))
          const cost = parts.reduce((sum, part) => sum + (part.cost ?? 0n), 0n).toString()
          expect(total).toMatchObject({
            cost,
            requests: parts.length,
            unpriced: parts.filter((part) => part.cost === undefined).length,
            inputTokens: 10 * parts.length,
          })
          for (const of of Object.values(groups))
            expect(of.reduce((sum, each) => sum + BigInt(each.cost), 0n).toString()).toBe(cost)
          expect(groups.key.map(({ label }) => label)).toEqual(parts.length > 0 ? ['Mine'] : [])
          expect(groups.day.map(({ label }) => label)).toEqual(
            groups.day.map(({ label }) => label).toSorted(),
          )
        },
      ),
    )
  })

  it('hold so many groups and no more; what is beyond is summed together', () => {
    const sums = new Sums()
    for (let index = 0; index < 3_000; index += 1) sums.add(record(index, { model: `m${String(index)}` }))
    const { model } = sums.read(new Map()).groups
    expect(model).toHaveLength(1_001)
    expect(model.at(-1)).toMatchObject({ rest: true, label: '', requests: 2_000, cost: '2000000' })
  })
})
