import fc from 'fast-check'
import { expect, test } from 'vitest'
import { rateOf, worthOf } from '../../../src/core/payments/exchange-rate.ts'
import { HOST, never, payerWorld, searchRequest } from './payer-world.ts'

/** 80,000 USD for a bitcoin. */
const RATE = 800_000_000n

test('a rate is the value of one satoshi in pico-USD, rounded up', () => {
  expect(rateOf(10_000_000_000_000n, 12_500_000n)).toBe(RATE)
  expect(rateOf(1n, 3000n)).toBe(1n)
  expect([worthOf(14_000n, RATE), worthOf(1n, RATE), worthOf(1n, 1n), worthOf(0n, RATE)]).toEqual([
    11_200_000_000n,
    800_000n,
    1n,
    0n,
  ])
})

test('converting an amount back never shows less than the original, nor much more', () => {
  fc.assert(
    fc.property(fc.bigInt(1n, 10n ** 18n), fc.bigInt(1n, 10n ** 14n), (picoUsd, msat) => {
      const back = worthOf(msat, rateOf(picoUsd, msat))
      expect(back >= picoUsd && back <= picoUsd + msat / 1000n + 1n).toBe(true)
    }),
  )
})

test('the confirmation shows dollars if a rate is known, and the record saves that amount', async () => {
  let rate: bigint | undefined = RATE
  await using world = payerWorld({ rate: () => rate })
  const { record } = await quoted(world)
  expect(record.worth).toBe(11_200_000_000n)
  rate = RATE * 2n
  await world.pay(record.id)
  expect(world.asked).toEqual([
    expect.stringContaining(`Pay 14 sats (about $0.012) plus the wallet’s fee over Lightning to ${HOST}`),
  ])
  expect(world.asked[0]).not.toContain('unknown')
  expect(world.record(record.id).worth).toBe(11_200_000_000n)
  rate = undefined
  expect((await quoted(world)).record).not.toHaveProperty('worth')
})

test('an invoice above the highest listed price is refused, only if a rate is known', async () => {
  let rate: bigint | undefined = RATE
  await using world = payerWorld({ rate: () => rate })
  // 14 sat are 0.0112 USD; of 0.0088 USD, 5 % and 2 sat more make 13.55 sat, and of 0.0092 USD 14.08.
  await expect(quoted(world, 8_800_000_000n)).rejects.toMatchObject({ code: 'payment/above-listing' })
  await expect(quoted(world, 9_200_000_000n)).resolves.toMatchObject({ kind: 'quoted' })
  await expect(quoted(world, 900_000_000_000n)).resolves.toMatchObject({ kind: 'quoted' })
  await expect(quoted(world)).resolves.toMatchObject({ kind: 'quoted' })
  rate = undefined
  await expect(quoted(world, 1n)).resolves.toMatchObject({ kind: 'quoted' })
})

async function quoted(
  world: ReturnType<typeof payerWorld>,
  listed?: bigint,
): Promise<Extract<Awaited<ReturnType<typeof world.payer.quote>>, { kind: 'quoted' }>> {
  const found = await world.payer.quote(
    searchRequest,
    { caller: { kind: 'window' }, subject: 's', ...(listed !== undefined && { listed }) },
    never,
  )
  if (found.kind !== 'quoted') throw new Error('it was answered')
  return found
}
