import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { joinReceipts } from '../../../../src/core/payments/history/join-receipts.ts'
import { agree, CLOCKS_APART_MS, LONGEST_MS } from '../../../../src/core/payments/history/receipt-match.ts'
import { readSpan, SeenRecords } from '../../../../src/core/payments/history/surroundings.ts'
import type { QueryRecord } from '../../../../src/core/gateway/service/account/read/history.ts'
import type { Receipt } from '../../../../src/shared/receipt.ts'
import { receipt as example } from '../../storage/examples.ts'
import { GrowingList, record } from './growing-list.ts'

const START = 1_790_000_000_000
const KEYS = new Map([
  ['mark-1', 'key-1'],
  ['mark-2', 'key-2'],
])

function receipt(id: string, at: number, change: Partial<Receipt> = {}): Receipt {
  return example(id, {
    at,
    model: 'sandbox/allegro-mini',
    privacy: 'forwarded',
    serviceKey: 'mark-1',
    usage: { prompt: 10, completion: 20 },
    durationMs: 1_000,
    ...change,
  })
}

interface World {
  readonly records: readonly QueryRecord[]
  readonly receipts: readonly Receipt[]
}

/** Joins as for a filtered page, which contains no information about the records around it. */
async function joined(
  { records, receipts }: World,
  page: readonly QueryRecord[] = records,
  size = 100,
): Promise<(string | undefined)[]> {
  const list = new GrowingList(records, size)
  const found = await joinReceipts(page, {
    receipts: {
      between: (from, until, limit) => receipts.filter(({ at }) => at >= from && at <= until).slice(0, limit),
    },
    keyIds: KEYS,
    seen: new SeenRecords(),
    open: () => Promise.resolve(list),
    now: START,
    confirm: () => expect.unreachable(),
    scope: null,
  })
  return found.receipts.map((each) => each?.id)
}
const joinedOne = async (part: Partial<QueryRecord>, change: Partial<Receipt>): Promise<boolean> =>
  (await joined({ records: [record(START, part)], receipts: [receipt('a', START, change)] }))[0] === 'a'

describe('a receipt is a record’s', () => {
  it('where key, model, tokens and time agree', async () => {
    expect(await joinedOne({}, {})).toBe(true)
    expect(await joinedOne({ at: START + CLOCKS_APART_MS }, {})).toBe(true)
    expect(await joinedOne({ at: START - CLOCKS_APART_MS }, {})).toBe(true)
    // The record's time may also be the request's end, because some services write it then.
    expect(await joinedOne({ at: START + 90_000 + CLOCKS_APART_MS }, { durationMs: 90_000 })).toBe(true)
  })

  it('also where the service bills a private model by the name that the enclave reads', async () => {
    const sealed = { model: 'private/lento', privacy: 'sealed' } as const
    expect(await joinedOne({ model: 'lento' }, sealed)).toBe(true)
    expect(await joinedOne({ model: 'private/lento' }, sealed)).toBe(true)
    expect(await joinedOne({ model: 'lento' }, { ...sealed, privacy: 'forwarded' })).toBe(false)
    expect(await joinedOne({ model: 'private/lento' }, { model: 'lento', privacy: 'forwarded' })).toBe(false)
  })

  it.each<[string, Partial<QueryRecord>, Partial<Receipt>]>([
    ['another model', { model: 'sandbox/other' }, {}],
    ['other tokens in', { inputTokens: 11 }, {}],
    ['other tokens out', { outputTokens: 21 }, {}],
    ['no tokens', { inputTokens: undefined, outputTokens: undefined }, {}],
    ['no tokens of its own', {}, { usage: undefined }],
    ['another key', { apiKeyId: 'key-2' }, {}],
    ['no key', { apiKeyId: undefined }, {}],
    ['a key that is unknown', { apiKeyId: 'key-3' }, { serviceKey: 'mark-3' }],
    ['a receipt that names no key', {}, { serviceKey: undefined }],
    ['too early', { at: START - CLOCKS_APART_MS - 1 }, {}],
    ['too late', { at: START + 1_000 + CLOCKS_APART_MS + 1 }, {}],
    ['nothing left', {}, { privacy: 'refused', outcome: 'refused' }],
    ['it was not whole', {}, { outcome: 'interrupted' }],
    ['it took longer than is compared', {}, { durationMs: LONGEST_MS + 1 }],
    ['it does not say how long it took', {}, { durationMs: undefined }],
  ])('and not where %s', async (_, part, change) => {
    expect(await joinedOne(part, change)).toBe(false)
  })

  it('and not where two receipts agree with it, or it agrees with two records', async () => {
    const [a, b] = [receipt('a', START), receipt('b', START + 1)]
    expect(await joined({ records: [record(START)], receipts: [a, b] })).toEqual([undefined])
    expect(await joined({ records: [record(START), record(START + 1)], receipts: [a] })).toEqual([
      undefined,
      undefined,
    ])
    // The other record is on another page, or a filter excludes it.
    expect(
      await joined({ records: [record(START), record(START + 1)], receipts: [a] }, [record(START)]),
    ).toEqual([undefined])
  })
})

describe('whatever there is', () => {
  const moments = fc.integer({ min: 0, max: 400 }).map((step) => START + step * 1_000)
  const records = fc.array(
    fc
      .record({
        at: moments,
        model: fc.constantFrom('lento', 'private/lento', 'open'),
        inputTokens: fc.integer({ min: 1, max: 2 }),
        apiKeyId: fc.constantFrom('key-1', 'key-2'),
      })
      .map((part) => record(part.at, part)),
    { maxLength: 25 },
  )
  const receipts = fc
    .array(
      fc.record({
        at: moments,
        model: fc.constantFrom('private/lento', 'open'),
        prompt: fc.integer({ min: 1, max: 2 }),
        serviceKey: fc.constantFrom('mark-1', 'mark-2'),
        durationMs: fc.integer({ min: 0, max: 90_000 }),
      }),
      { maxLength: 25 },
    )
    .map((all) =>
      all.map(({ prompt, ...part }, index) =>
        receipt(String(index), part.at, {
          ...part,
          privacy: part.model === 'open' ? 'forwarded' : 'sealed',
          usage: { prompt, completion: 20 },
        }),
      ),
    )

  it('nothing is joined that has two candidates on either side, and everything that has one on both is', async () => {
    await fc.assert(
      fc.asyncProperty(
        records,
        receipts,
        fc.integer({ min: 1, max: 40 }),
        fc.array(fc.boolean(), { minLength: 25, maxLength: 25 }),
        async (all, storedReceipts, size, shown) => {
          const page = all.filter((_, index) => shown[index])
          const found = await joined({ records: all, receipts: storedReceipts }, page, size)
          for (const [index, each] of page.entries()) {
            const candidates = storedReceipts.filter((one) => agree(each, one, KEYS))
            const only =
              candidates.length === 1 &&
              candidates[0] &&
              all.filter((other) => agree(other, candidates[0]!, KEYS)).length === 1
                ? candidates[0].id
                : undefined
            // A record that would require too many pages gets no receipt, but every joined receipt is correct.
            if (found[index] !== undefined) expect(found[index]).toBe(only)
            if (all.length <= size) expect(found[index]).toBe(only)
          }
        },
      ),
      { numRuns: 300 },
    )
  })
})

describe('the records of a span', () => {
  it('are found by halving, and all of them', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.integer({ min: 0, max: 300 }), { maxLength: 120 }),
        fc.integer({ min: 1, max: 20 }),
        fc.integer({ min: 0, max: 300 }),
        fc.integer({ min: 0, max: 60 }),
        async (ats, size, from, length) => {
          const list = new GrowingList(
            ats.map((at) => record(at)),
            size,
          )
          const found = await readSpan(list, { from, until: from + length }, { pages: 10_000 })
          const within = (each: QueryRecord) => each.at >= from && each.at <= from + length
          expect(found?.filter(within).length).toBe(list.records.filter(within).length)
        },
      ),
      { numRuns: 500 },
    )
  })

  it('are read as far as it is allowed, and then not known; and not where an entry cannot be read', async () => {
    const list = new GrowingList(
      Array.from({ length: 10_000 }, (_, at) => record(at)),
      100,
    )
    expect(await readSpan(list, { from: 4_050, until: 4_060 }, { pages: 12 })).not.toBeNull()
    expect(list.reads).toBeLessThanOrEqual(12)
    expect(await readSpan(list, { from: 0, until: 10_000 }, { pages: 12 })).toBeNull()
    const spoiled = { read: async (page: number) => ({ ...(await list.read(page)), unreadable: 1 }) }
    expect(await readSpan(spoiled, { from: 4_000, until: 4_010 }, { pages: 50 })).toBeNull()
  })
})
