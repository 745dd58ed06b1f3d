import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { CLOCKS_APART_MS } from '../../../../src/core/payments/history/receipt-match.ts'
import {
  confirmations,
  RECORDED_WITHIN_MS,
  relationOf,
  type Sides,
} from '../../../../src/core/payments/history/receipt-relation.ts'
import { timesOf } from '../../../../src/core/payments/history/receipt-match.ts'
import type { QueryRecord } from '../../../../src/core/gateway/service/account/read/history.ts'
import type { Receipt } from '../../../../src/shared/receipt.ts'
import { receipt as example } from '../../storage/examples.ts'
import { record } from './growing-list.ts'

const START = 1_790_000_000_000
const LATER = START + 86_400_000
const KEYS = new Map([
  ['mark-1', 'key-1'],
  ['mark-2', 'key-2'],
])
const GARBAGE = { prompt: 10 ** 15, completion: 10 ** 15 }

function receipt(id: string, at: number, change: Partial<Receipt> = {}): Receipt {
  return example(id, {
    at,
    model: 'sandbox/allegro-mini',
    privacy: 'forwarded',
    serviceKey: 'mark-1',
    usage: { prompt: 10, completion: 20 },
    durationMs: 1_000,
    cost: '1000',
    ...change,
  })
}
const doubted = (id: string, at: number, change: Partial<Receipt> = {}): Receipt =>
  receipt(id, at, { usage: GARBAGE, cost: '999999999', costDoubted: true, ...change })

function sidesOf(records: readonly QueryRecord[], receipts: readonly Receipt[]): Sides {
  return {
    receipts,
    keyIds: KEYS,
    surroundings: (each) => records.filter(({ at }) => at >= timesOf(each).from && at <= timesOf(each).until),
  }
}
const confirmed = (records: readonly QueryRecord[], receipts: readonly Receipt[], now = LATER): string[] =>
  confirmations(sidesOf(records, receipts), now).map(
    (each) => `${each.receipt.id}=${String(each.record.cost)}@${String(each.record.at - START)}`,
  )

describe('a doubted cost is confirmed', () => {
  it('by the only record of its key and model within its time, whatever tokens it states', () => {
    expect(confirmed([record(START, { cost: 5n })], [doubted('a', START)])).toEqual(['a=5@0'])
    expect(confirmed([record(START + 1_000 + CLOCKS_APART_MS)], [doubted('a', START)])).toEqual([
      'a=1000@61000',
    ])
    expect(
      confirmed(
        [record(START, { inputTokens: undefined, outputTokens: undefined })],
        [doubted('a', START, { usage: undefined })],
      ),
    ).toEqual(['a=1000@0'])
  })

  it('by a record with the very same tokens, without waiting', () => {
    expect(
      confirmed(
        [record(START, { inputTokens: GARBAGE.prompt, outputTokens: GARBAGE.completion })],
        [doubted('a', START)],
        START + 2_000,
      ),
    ).toEqual(['a=1000@0'])
  })

  it('although another receipt is in its time, if that one is joined with a record of its own', () => {
    const records = [record(START, { cost: 7n }), record(START + 5_000, { inputTokens: 1, outputTokens: 2 })]
    expect(
      confirmed(records, [
        doubted('a', START),
        receipt('b', START + 5_000, { usage: { prompt: 1, completion: 2 } }),
      ]),
    ).toEqual(['a=7@0'])
  })

  it.each<[string, readonly QueryRecord[], readonly Receipt[]]>([
    ['the service has none', [], [doubted('a', START)]],
    ['two records are in its time', [record(START), record(START + 1)], [doubted('a', START)]],
    [
      'two doubted receipts are in its time',
      [record(START)],
      [doubted('a', START), doubted('b', START + 10)],
    ],
    [
      'an interrupted request may be the record’s',
      [record(START)],
      [
        doubted('a', START),
        receipt('b', START, { outcome: 'interrupted', usage: undefined, cost: undefined }),
      ],
    ],
    ['another receipt has the record’s tokens', [record(START)], [doubted('a', START), receipt('b', START)]],
    ['the record is another key’s', [record(START, { apiKeyId: 'key-2' })], [doubted('a', START)]],
    ['the record names no key', [record(START, { apiKeyId: undefined })], [doubted('a', START)]],
    ['the record is of another model', [record(START, { model: 'sandbox/other' })], [doubted('a', START)]],
    ['the record is too late', [record(START + 1_001 + CLOCKS_APART_MS)], [doubted('a', START)]],
    ['the record is too early', [record(START - 1 - CLOCKS_APART_MS)], [doubted('a', START)]],
    ['the record has no cost', [record(START, { cost: undefined })], [doubted('a', START)]],
    ['the record’s cost is negative', [record(START, { cost: -1n })], [doubted('a', START)]],
    ['it isn’t doubted', [record(START, { inputTokens: 1 })], [receipt('a', START)]],
    ['it doesn’t state how long it took', [record(START)], [doubted('a', START, { durationMs: undefined })]],
  ])('but not if %s', (_, records, receipts) => {
    expect(confirmed(records, receipts)).toEqual([])
  })

  it('only once the service must have recorded it, because until then the record may be another computer’s', () => {
    const end = START + 1_000 + RECORDED_WITHIN_MS
    expect(confirmed([record(START)], [doubted('a', START)], end - 1)).toEqual([])
    expect(confirmed([record(START)], [doubted('a', START)], end)).toEqual(['a=1000@0'])
  })

  it('never if records around it are unknown', () => {
    expect(
      confirmations({ ...sidesOf([record(START)], [doubted('a', START)]), surroundings: () => null }, LATER),
    ).toEqual([])
  })
})

describe('a receipt is', () => {
  const kindOf = (records: readonly QueryRecord[], one: Receipt, others: readonly Receipt[] = []): string =>
    relationOf(one, sidesOf(records, [one, ...others])).kind

  it('missing if no record can be of it', () => {
    expect(kindOf([], receipt('a', START))).toBe('missing')
    expect(kindOf([record(START, { inputTokens: 11 })], receipt('a', START))).toBe('missing')
    expect(kindOf([record(START, { apiKeyId: 'key-2' })], receipt('a', START))).toBe('missing')
    expect(kindOf([record(START)], doubted('a', START), [receipt('b', START)])).toBe('missing')
    expect(
      kindOf([record(START)], receipt('a', START, { model: 'sandbox/other' }), [receipt('b', START)]),
    ).toBe('missing')
  })

  it('unclear if a record may be of it: one of equal requests, or one without tokens or key', () => {
    expect(kindOf([record(START), record(START + 1)], receipt('a', START))).toBe('unclear')
    expect(kindOf([record(START, { inputTokens: undefined })], receipt('a', START))).toBe('unclear')
    expect(kindOf([record(START, { apiKeyId: undefined })], receipt('a', START))).toBe('unclear')
    // An image's record may have another name.
    expect(
      kindOf(
        [record(START, { model: 'painter', inputTokens: 0, outputTokens: 0 })],
        receipt('a', START, { usage: undefined }),
      ),
    ).toBe('unclear')
  })

  it('joined by the record that confirmed it, at every later reading', () => {
    const one = receipt('a', START, { usage: GARBAGE, confirmed: { cost: '5', recordAt: START + 3 } })
    expect(kindOf([record(START + 3, { cost: 5n })], one)).toBe('joined')
    expect(kindOf([record(START + 4, { cost: 5n })], one)).toBe('missing')
  })
})

describe('whatever there is', () => {
  const moments = fc.integer({ min: 0, max: 300 }).map((step) => START + step * 1_000)
  const records = fc.array(
    fc
      .record({
        at: moments,
        inputTokens: fc.integer({ min: 1, max: 2 }),
        apiKeyId: fc.constantFrom('key-1', 'key-2'),
        cost: fc.bigInt({ min: 0n, max: 9n }),
      })
      .map((part) => record(part.at, part)),
    { maxLength: 8 },
  )
  const receipts = fc
    .array(
      fc.record({
        at: moments,
        prompt: fc.integer({ min: 1, max: 2 }),
        serviceKey: fc.constantFrom('mark-1', 'mark-2'),
        costDoubted: fc.boolean(),
      }),
      { maxLength: 8 },
    )
    .map((all) =>
      all.map(({ prompt, costDoubted, ...part }, index) =>
        (costDoubted ? doubted : receipt)(String(index), part.at, {
          ...part,
          ...(!costDoubted && { usage: { prompt, completion: 20 } }),
        }),
      ),
    )

  it('a record confirms at most one receipt, is no other’s, and every order of receipts confirms the same', () => {
    fc.assert(
      fc.property(
        records,
        receipts,
        fc.infiniteStream(fc.double({ min: 0, max: 1, noNaN: true })),
        (all, storedReceipts, random) => {
          const found = confirmations(sidesOf(all, storedReceipts), LATER)
          const sameRecord = (a: QueryRecord, b: QueryRecord) =>
            a.at === b.at && a.apiKeyId === b.apiKeyId && a.inputTokens === b.inputTokens && a.cost === b.cost
          for (const {
            receipt: { id },
            record: joinedRecord,
          } of found) {
            expect(found.filter((each) => sameRecord(each.record, joinedRecord))).toHaveLength(1)
            for (const other of storedReceipts) {
              if (other.id === id) continue
              const relation = relationOf(other, sidesOf(all, storedReceipts))
              if (relation.kind === 'joined') expect(sameRecord(relation.record, joinedRecord)).toBe(false)
            }
          }
          const shuffled = storedReceipts
            .map((each) => [random.next().value, each] as const)
            .toSorted(([a], [b]) => a - b)
            .map(([, each]) => each)
          expect(new Set(confirmed(all, shuffled))).toEqual(new Set(confirmed(all, storedReceipts)))
        },
      ),
      { numRuns: 300 },
    )
  })
})
