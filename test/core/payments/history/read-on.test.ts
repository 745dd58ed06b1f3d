import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { cursorOf, placeOf, START, type Place } from '../../../../src/core/payments/history/place.ts'
import { readOn, type Batch } from '../../../../src/core/payments/history/read-on.ts'
import type { QueryRecord } from '../../../../src/core/gateway/service/account/read/history.ts'
import { GrowingList, record } from './growing-list.ts'

/** A page with as many records as fit, extended to all records of its last time, and the place to continue from. */
async function pageOf(
  list: GrowingList,
  from: Place,
  limit: number,
): Promise<{ records: QueryRecord[]; next: Place | null }> {
  const records: QueryRecord[] = []
  for await (const batch of readOn(list, from)) {
    let count = 0
    while (
      count < batch.records.length &&
      (records.length < limit || batch.records[count]?.at === batch.records[count - 1]?.at)
    )
      records.push(batch.records[count++]!)
    if (count < batch.records.length) return { records, next: batch.after(count) }
    if (batch.last) return { records, next: null }
    if (records.length >= limit) return { records, next: batch.after(count) }
  }
  return { records, next: null }
}

async function all(list: GrowingList): Promise<Batch[]> {
  const batches: Batch[] = []
  for await (const batch of readOn(list)) batches.push(batch)
  return batches
}

const times = fc.array(fc.integer({ min: 0, max: 30 }), { maxLength: 60 })
/** Records that arrive while the list is read: newer than all others, or with the time of the newest. */
const arrivals = fc.array(fc.array(fc.integer({ min: 30, max: 60 }), { maxLength: 7 }), { maxLength: 40 })

function listOf(
  ats: readonly number[],
  size: number,
  coming: readonly (readonly number[])[],
): { list: GrowingList; there: QueryRecord[] } {
  // Each record is unique, so that repeated and missing records are recognized.
  let createdCount = 0
  const make = (at: number): QueryRecord => record(at, { inputTokens: createdCount++ })
  const there = ats.map(make)
  const waiting = [...coming]
  // The first page is read before new records arrive. The list must report all records that exist then.
  let hasStarted = false
  const list = new GrowingList(there, size, (growing) => {
    if (hasStarted) growing.add((waiting.shift() ?? []).map(make))
    hasStarted = true
  })
  return { list, there }
}
const numbers = (records: readonly QueryRecord[]): number[] =>
  records.map(({ inputTokens }) => inputTokens ?? -1)
const sorted = (of: readonly number[]): number[] => of.toSorted((a, b) => a - b)

describe('reading a list that grows in between', () => {
  it('returns every record that existed at the start exactly once', async () => {
    await fc.assert(
      fc.asyncProperty(times, fc.integer({ min: 1, max: 9 }), arrivals, async (ats, size, coming) => {
        const { list, there } = listOf(ats, size, coming)
        const reported = numbers((await all(list)).flatMap(({ records }) => records))
        expect(new Set(reported).size).toBe(reported.length)
        expect(sorted(reported.filter((each) => each < there.length))).toEqual(sorted(numbers(there)))
      }),
      { numRuns: 400 },
    )
  })

  it('returns pages whose cursors stay valid as text', async () => {
    await fc.assert(
      fc.asyncProperty(
        times,
        fc.integer({ min: 1, max: 9 }),
        fc.integer({ min: 1, max: 12 }),
        arrivals,
        async (ats, size, limit, coming) => {
          const { list, there } = listOf(ats, size, coming)
          const reported: number[] = []
          let next: Place | null = START
          while (next) {
            const page: { records: QueryRecord[]; next: Place | null } = await pageOf(
              list,
              placeOf(cursorOf(next)),
              limit,
            )
            reported.push(...numbers(page.records))
            next = page.next
          }
          expect(new Set(reported).size).toBe(reported.length)
          expect(sorted(reported.filter((each) => each < there.length))).toEqual(sorted(numbers(there)))
        },
      ),
      { numRuns: 400 },
    )
  })

  it('returns the newest records first, and records of the same time together', async () => {
    await fc.assert(
      fc.asyncProperty(times, fc.integer({ min: 1, max: 9 }), async (ats, size) => {
        const batches = await all(
          new GrowingList(
            ats.map((at) => record(at)),
            size,
          ),
        )
        const reported = batches.flatMap(({ records }) => records.map(({ at }) => at))
        expect(reported).toEqual(ats.toSorted((a, b) => b - a))
        const borders = batches
          .filter(({ records }) => records.length > 0)
          .map(({ records }) => [records[0]?.at, records.at(-1)?.at])
        for (const [index, [first]] of borders.entries())
          if (index > 0) expect(first).not.toBe(borders[index - 1]?.[1])
      }),
    )
  })

  it('reads each page once if nothing changes', async () => {
    const list = new GrowingList(
      Array.from({ length: 1_000 }, (_, at) => record(at)),
      100,
    )
    await all(list)
    expect(list.reads).toBe(10)
  })

  it('finds its position again if records were removed', async () => {
    let reads = 0
    const list = new GrowingList(
      Array.from({ length: 40 }, (_, at) => record(at, { inputTokens: at })),
      10,
      (growing) => {
        reads += 1
        // Removes five of the newest records, which were already reported.
        if (reads === 3) growing.records = growing.records.slice(5)
      },
    )
    expect(sorted(numbers((await all(list)).flatMap(({ records }) => records)))).toEqual(
      Array.from({ length: 40 }, (_, at) => at),
    )
  })

  it('counts an unreadable record once, even if a page is read again', async () => {
    const list = new GrowingList(
      Array.from({ length: 30 }, (_, at) => record(at)),
      10,
    )
    const spoiled = {
      read: async (page: number) => ({ ...(await list.read(page)), unreadable: page === 2 ? 3 : 0 }),
    }
    let [unreadable, next]: [number, Place | null] = [0, START]
    while (next) {
      const from: Place = next
      next = null
      for await (const batch of readOn(spoiled, from)) {
        unreadable += batch.unreadable
        next = batch.last ? null : batch.after(batch.records.length)
        list.add([record(100)])
        break
      }
    }
    expect(unreadable).toBe(3)
  })

  it('ends if the service reports more and returns nothing, and fails if it always returns the same', async () => {
    const nothing = {
      read: (page: number) =>
        Promise.resolve({ records: [], unreadable: 0, page, pageSize: 100, total: 9_999, pages: 9_999 }),
    }
    const batches: Batch[] = []
    for await (const batch of readOn(nothing)) batches.push(batch)
    expect(batches).toHaveLength(1)
    const same = {
      read: (page: number) =>
        Promise.resolve({
          records: [record(5)],
          unreadable: 0,
          page,
          pageSize: 1,
          total: 9_999,
          pages: 9_999,
        }),
    }
    await expect(
      (async () => {
        for await (const batch of readOn(same)) batches.push(batch)
      })(),
    ).rejects.toMatchObject({ code: 'service/response-invalid' })
  })
})

it.each([
  '',
  '1',
  '1.2.3.4',
  '0.0.new.0.0',
  '1.-1.5.0.0',
  '1.0.x.0.0',
  '1.0.5.0.0.0',
  '1.0.5.0',
  '9'.repeat(400),
])('%j is refused as a cursor', (text) => {
  expect(() => placeOf(text)).toThrow(expect.objectContaining({ code: 'request/invalid' }))
})
