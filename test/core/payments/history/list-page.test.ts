import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { exportRange } from '../../../../src/core/payments/history/export-range.ts'
import { listPage, type HistoryPlace } from '../../../../src/core/payments/history/list-page.ts'
import { keyFingerprint } from '../../../../src/core/gateway/relay/index.ts'
import type { QueryRecord } from '../../../../src/core/gateway/service/account/read/history.ts'
import {
  joinedSums,
  linesOf,
  type HistoryFilter,
  type HistoryRecord,
  type MissingReceipt,
} from '../../../../src/shared/history.ts'
import { decimalUsd } from '../../../../src/shared/money.ts'
import type { Receipt } from '../../../../src/shared/receipt.ts'
import { receipt as example } from '../../storage/examples.ts'
import { record } from './growing-list.ts'
import { historyService } from './history-service.ts'

const START = 1_790_000_000_000
const NOW = START + 86_400_000
const API_KEY = 'key-12345678'
const MARK = keyFingerprint(API_KEY)
const never = new AbortController().signal

function receipt(id: string, at: number, change: Partial<Receipt> = {}): Receipt {
  return example(id, {
    at,
    model: 'sandbox/allegro-mini',
    privacy: 'forwarded',
    serviceKey: MARK,
    usage: { prompt: 10, completion: 20 },
    durationMs: 1_000,
    cost: '1000',
    ...change,
  })
}

/** A service with these records, a hundred on a page, and a store with these receipts. */
function place(records: readonly QueryRecord[], receipts: readonly Receipt[], now = NOW): HistoryPlace {
  const sortedReceipts = receipts.toSorted((a, b) => a.at - b.at)
  const settings = new Map<string, string>()
  return {
    service: {
      fetch: historyService(() => records),
      access: () => ({ baseUrl: 'https://service.example', apiKey: API_KEY }),
      now: () => now,
    },
    store: {
      settings: {
        get: (name) => settings.get(name) ?? null,
        set: (name, value) => void settings.set(name, value),
      },
      receipts: {
        put: () => expect.unreachable(),
        get: () => expect.unreachable(),
        list: () => expect.unreachable(),
        listOfKeys: () => expect.unreachable(),
        flush: () => undefined,
        between: (from, until, limit) =>
          sortedReceipts.filter(({ at }) => at >= from && at <= until).slice(0, limit),
      },
    },
    confirm: () => undefined,
    now: () => now,
  }
}

interface Read {
  readonly records: HistoryRecord[]
  readonly missing: MissingReceipt[]
  readonly uncompared: number | null
}

async function readAll(
  from: HistoryPlace,
  {
    filter = {},
    limit = 100,
    pages = Infinity,
  }: { filter?: HistoryFilter; limit?: number; pages?: number } = {},
): Promise<Read> {
  const [records, missing]: [HistoryRecord[], MissingReceipt[]] = [[], []]
  let uncompared: number | null = 0
  let cursor: string | undefined
  for (let read = 0; read < pages; read += 1) {
    const page = await listPage(from, { filter, limit, cursor }, never)
    records.push(...page.records)
    missing.push(...page.missing)
    uncompared = uncompared === null || page.uncompared === null ? null : uncompared + page.uncompared
    if (page.next === null) break
    cursor = page.next
  }
  return { records, missing, uncompared }
}
const missingIds = async (
  records: readonly QueryRecord[],
  receipts: readonly Receipt[],
  filter: HistoryFilter = {},
  now = NOW,
): Promise<string[]> =>
  (await readAll(place(records, receipts, now), { filter })).missing.map((each) => each.receipt.id)

describe('a receipt that the service has no record of', () => {
  const other = record(START - 3_600_000)

  it('is listed with its cost, in order of time', async () => {
    const { records, missing } = await readAll(
      place([record(START), other], [receipt('a', START), receipt('b', START - 1_800_000, { cost: '12' })]),
    )
    expect(missing).toEqual([
      {
        at: START - 1_800_000,
        model: 'sandbox/allegro-mini',
        inputTokens: 10,
        outputTokens: 20,
        keyId: 'key-1',
        receipt: { id: 'b', privacy: 'forwarded', cost: '12' },
      },
    ])
    expect(
      linesOf(records, missing).map((line) =>
        'record' in line ? line.record.receipt?.id : line.missing.receipt.id,
      ),
    ).toEqual(['a', 'b', undefined])
  })

  it('is listed also if the key in use has no record at all', async () => {
    expect(await missingIds([], [receipt('a', START)])).toEqual(['a'])
    expect(await missingIds([record(START, { apiKeyId: 'key-2' })], [receipt('a', START)])).toEqual(['a'])
  })

  it('counts as the highest estimate if its cost is doubted', async () => {
    const {
      missing: [only],
    } = await readAll(
      place(
        [other],
        [receipt('a', START, { cost: '999999', costDoubted: true, estimate: { least: '1', most: '7' } })],
      ),
    )
    expect(only?.receipt.cost).toBe('7')
    expect(only).not.toHaveProperty('inputTokens')
  })

  it.each<[string, Partial<Receipt>]>([
    ['it’s of another account', { serviceKey: 'another' }],
    ['it was sent without a key', { serviceKey: undefined }],
    ['it was refused here', { privacy: 'refused', outcome: 'refused', cost: undefined }],
    ['it failed', { outcome: 'failed', cost: undefined }],
    ['it cost nothing', { cost: '0' }],
    ['its cost is unknown', { cost: undefined }],
    ['it was paid over Lightning', { paidMsat: '1000' }],
  ])('isn’t missing if %s', async (_, change) => {
    expect(await missingIds([other], [receipt('a', START, change)])).toEqual([])
  })

  it('isn’t missing until ten minutes after its end', async () => {
    expect(await missingIds([other], [receipt('a', START)], {}, START + 600_999)).toEqual([])
    expect(await missingIds([other], [receipt('a', START)], {}, START + 601_000)).toEqual(['a'])
  })

  it('isn’t missing before the last record that was read', async () => {
    const far = place(
      [record(START), record(START - 7_200_000), record(START - 7_300_000)],
      [receipt('a', START - 3_600_000, { usage: { prompt: 1, completion: 1 } })],
    )
    expect((await readAll(far, { limit: 1, pages: 1 })).missing).toEqual([])
    expect((await readAll(far, { limit: 1, pages: 2 })).missing).toHaveLength(1)
    expect((await readAll(far, { limit: 1 })).missing).toHaveLength(1)
  })

  it('is looked for by the filter’s days, model and key, and not by what receipts don’t state', async () => {
    const one = receipt('a', START)
    const day = new Date(START).toISOString().slice(0, 10)
    expect(
      await missingIds([other], [one], { from: day, until: day, model: one.model, keyId: 'key-1' }),
    ).toEqual(['a'])
    for (const filter of [{ until: '2020-01-01' }, { model: 'sandbox/other' }, { keyId: 'key-2' }])
      expect(await missingIds([other], [one], filter)).toEqual([])
    for (const filter of [{ source: 'api' }, { type: 'chat_completion' }])
      expect(await readAll(place([other], [one]), { filter })).toMatchObject({
        missing: [],
        uncompared: null,
      })
  })
})

describe('for any records and receipts', () => {
  const moments = fc.integer({ min: 0, max: 900 }).map((step) => START + step * 10_000)
  const someRecords = fc.array(
    fc
      .record({
        at: moments,
        inputTokens: fc.integer({ min: 1, max: 3 }),
        apiKeyId: fc.constantFrom('key-1', 'key-2'),
        cost: fc.option(fc.bigInt({ min: 0n, max: 10n ** 15n }), { nil: undefined }),
      })
      .map((part) => record(part.at, part)),
    { maxLength: 15 },
  )
  const someReceipts = fc
    .array(
      fc.record({
        at: moments,
        prompt: fc.integer({ min: 1, max: 3 }),
        serviceKey: fc.constantFrom(MARK, 'another'),
        cost: fc.constantFrom('0', '5', '123456789012345'),
        durationMs: fc.integer({ min: 0, max: 90_000 }),
      }),
      { maxLength: 15 },
    )
    .map((all) =>
      all.map(({ prompt, ...part }, index) =>
        receipt(String(index), part.at, { ...part, usage: { prompt, completion: 20 } }),
      ),
    )

  it('each record is listed once, each receipt is joined, missing, or counted as not compared, and sums are exact', async () => {
    await fc.assert(
      fc.asyncProperty(
        someRecords,
        someReceipts,
        fc.integer({ min: 1, max: 6 }),
        async (all, storedReceipts, limit) => {
          const { records, missing, uncompared } = await readAll(place(all, storedReceipts), { limit })
          expect(records.map(({ at, cost }) => `${String(at)} ${cost ?? ''}`).toSorted()).toEqual(
            all.map(({ at, cost }) => `${String(at)} ${cost?.toString() ?? ''}`).toSorted(),
          )
          const joined = records.flatMap((each) => each.receipt?.id ?? [])
          const missed = missing.map((each) => each.receipt.id)
          expect(new Set([...joined, ...missed]).size).toBe(joined.length + missed.length)
          const counted = storedReceipts.filter(({ serviceKey, cost }) => serviceKey === MARK && cost !== '0')
          expect(
            counted.filter(({ id }) => joined.includes(id)).length + missed.length + (uncompared ?? NaN),
          ).toBe(counted.length)
          expect(
            linesOf(records, missing).map((line) => ('record' in line ? line.record.at : line.missing.at)),
          ).toEqual([...records, ...missing].map(({ at }) => at).toSorted((a, b) => b - a))
          const costs = new Map(storedReceipts.map(({ id, cost }) => [id, BigInt(cost ?? 0)]))
          const pairs = records.flatMap(({ cost, receipt: joinedReceipt }) =>
            joinedReceipt && cost !== undefined
              ? [[BigInt(cost), costs.get(joinedReceipt.id) ?? 0n] as const]
              : [],
          )
          expect(joinedSums(records, missing)).toEqual({
            compared: pairs.length,
            byService: pairs.reduce((sum, [a]) => sum + a, 0n),
            byReceipts: pairs.reduce((sum, [, b]) => sum + b, 0n),
            differing: pairs.filter(([a, b]) => a !== b).length,
            missing: missed.length,
            missingCost: missed.reduce((sum, id) => sum + (costs.get(id) ?? 0n), 0n),
          })
        },
      ),
      { numRuns: 60 },
    )
  })

  it('an export has the same lines', async () => {
    await fc.assert(
      fc.asyncProperty(someRecords, someReceipts, async (all, storedReceipts) => {
        const listed = await readAll(place(all, storedReceipts))
        let text = ''
        for await (const event of exportRange(place(all, storedReceipts), {}, 'json', never))
          if (event.type === 'text') text += event.text
        const rows = JSON.parse(text) as { time: string; receipt_cost_usd?: string; in_history: boolean }[]
        expect(rows.map((row) => [Date.parse(row.time), row.receipt_cost_usd, row.in_history])).toEqual(
          linesOf(listed.records, listed.missing).map((line) => {
            const { at, receipt: joinedReceipt } = 'record' in line ? line.record : line.missing
            return [
              at,
              joinedReceipt?.cost === undefined ? undefined : decimalUsd(BigInt(joinedReceipt.cost)),
              'record' in line,
            ]
          }),
        )
      }),
      { numRuns: 40 },
    )
  })
})

it('an export over many pages joins and misses receipts next to the pages’ boundaries', async () => {
  const records = Array.from({ length: 250 }, (_, index) =>
    record(START + index * 20_000, { inputTokens: index }),
  )
  const receipts = records.map(({ at }, index) =>
    receipt(String(index), at, {
      usage: { prompt: index % 50 === 0 ? 1_000 + index : index, completion: 20 },
    }),
  )
  const rows: { in_history: boolean; receipt_cost_usd?: string }[] = []
  let text = ''
  for await (const event of exportRange(place(records, receipts), {}, 'json', never))
    if (event.type === 'text') text += event.text
  rows.push(...(JSON.parse(text) as typeof rows))
  expect(rows.filter((row) => !row.in_history)).toHaveLength(5)
  expect(rows.filter((row) => row.in_history && row.receipt_cost_usd !== undefined)).toHaveLength(245)
})
