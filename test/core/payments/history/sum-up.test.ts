import fc from 'fast-check'
import { expect, it } from 'vitest'
import { exportText } from '../../../../src/core/payments/history/export-text.ts'
import { Sums } from '../../../../src/core/payments/history/sum-up.ts'
import { toRecord } from '../../../../src/core/payments/history/to-record.ts'
import { readHistory } from '../../../../src/core/gateway/service/account/read/history.ts'
import type { Fetch } from '../../../../src/shared/fetch.ts'
import { groupings } from '../../../../src/shared/history.ts'
import { decimalUsd } from '../../../../src/shared/money.ts'

const PLACES = 12

/** A page of the service with these prices, as JSON numbers to their last digit, read by the typed client. */
async function recorded(prices: readonly string[]) {
  const data = prices.map(
    (price, index) =>
      `{"timestamp":"2026-11-${String(1 + (index % 28)).padStart(2, '0')}T12:00:00Z","model":"m${String(index % 3)}","price_in_usd":${price},"api_key_id":"k${String(index % 2)}"}`,
  )
  const text = `{"data":[${data.join(',')}],"pagination":{"page":1,"page_count":100,"total":${String(prices.length)},"total_pages":1}}`
  const fetch: Fetch = () =>
    Promise.resolve({
      status: 200,
      headers: new Headers(),
      body: (async function* () {
        yield await Promise.resolve(Buffer.from(text))
      })(),
    })
  return (
    await readHistory({
      fetch,
      access: () => ({ baseUrl: 'https://service.example', apiKey: 'key-12345678' }),
      now: Date.now,
    })
  ).records
}

/** An amount in decimal text with the exact integer behind it. */
const amount = fc
  .record({
    whole: fc.bigInt({ min: 0n, max: 9999n }),
    part: fc.bigInt({ min: 0n, max: 10n ** 12n - 1n }),
    places: fc.integer({ min: 0, max: PLACES }),
  })
  .map(({ whole, part, places }) => {
    const fraction = part.toString().padStart(PLACES, '0').slice(0, places)
    return {
      text: `${String(whole)}${places === 0 ? '' : `.${fraction}`}`,
      pico: whole * 10n ** 12n + BigInt(fraction.padEnd(PLACES, '0')),
    }
  })

it('adds up any list of records to the exact decimal sum, in total and in each grouping', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(amount, { maxLength: 60 }), async (amounts) => {
      const sums = new Sums()
      for (const record of await recorded(amounts.map(({ text }) => text))) sums.add(record)
      const exact = amounts.reduce((sum, { pico }) => sum + pico, 0n)
      const { total, groups, dayModels } = sums.read(new Map())
      expect(dayModels.reduce((sum, { cost }) => sum + BigInt(cost), 0n)).toBe(exact)
      expect(BigInt(total.cost)).toBe(exact)
      for (const grouping of groupings)
        expect(groups[grouping].reduce((sum, { cost }) => sum + BigInt(cost), 0n)).toBe(exact)
    }),
  )
})

it('writes the service’s own digits into a CSV, and rounds only the noise of floats', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(amount, { minLength: 1, maxLength: 20 }), async (amounts) => {
      const csv = exportText('csv').lines(
        (await recorded(amounts.map(({ text }) => text))).map((record) => ({
          record: toRecord(record, new Map()),
        })),
      )
      expect(
        csv
          .trimEnd()
          .split('\r\n')
          .map((line) => line.split(',')[4]),
      ).toEqual(amounts.map(({ pico }) => decimalUsd(pico)))
    }),
    { numRuns: 50 },
  )
  const noisy = await recorded([
    '0.30000000000000004',
    '0.08155602',
    '1e-7',
    '0.0000000000005',
    '0.0000000000015',
  ])
  expect(noisy.map(({ cost = -1n }) => decimalUsd(cost))).toEqual([
    '0.3',
    '0.08155602',
    '0.0000001',
    '0',
    '0.000000000002',
  ])
})
