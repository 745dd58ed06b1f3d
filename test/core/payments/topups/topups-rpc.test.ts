import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { clientOf, type ContractClient } from '../../../../src/cli/client.ts'
import { renderEnglish } from '../../../../src/shared/localized-text.ts'
import { startWorld, type World } from '../../../world.ts'

let world: World
let client: ContractClient
beforeAll(async () => {
  world = await startWorld()
  client = clientOf(world.core)
})
afterAll(() => world[Symbol.asyncDispose]())

test('a top-up is created, watched, paid and removed through the API, and the balance includes it', async () => {
  const before = BigInt((await client.accounts.balance()).picoUsd)
  const stopped = new AbortController()
  const reported: { id: string; state: string }[] = []
  const following = (async () => {
    for await (const topups of await client.topups.watch(undefined, { signal: stopped.signal }))
      reported.push(...topups)
  })().catch(() => undefined)
  const topup = await client.topups.create({ method: 'btc-lightning', amount: '12345', currency: 'SATS' })
  expect(topup).toMatchObject({
    state: 'new',
    payable: false,
    uri: expect.stringMatching(/^LIGHTNING:LNBCRT/) as string,
  })
  await (await world.sandbox.control()).pay(topup.lightningInvoice ?? '')
  await vi.waitFor(() => expect(reported.findLast(({ id }) => id === topup.id)?.state).toBe('settled'), {
    timeout: 30_000,
  })
  expect(await client.topups.list()).toMatchObject([{ id: topup.id, state: 'settled' }])
  // At 80,000 USD for a bitcoin.
  expect(BigInt((await client.accounts.balance()).picoUsd) - before).toBe(12_345n * 800_000_000n)
  expect(await client.topups.forget({ topupId: topup.id })).toEqual({})
  expect(await client.topups.list()).toEqual([])
  stopped.abort()
  await following
}, 60_000)

test('the low-balance limit is a notice in the status once it’s crossed', async () => {
  expect(await client.topups.lowBalance()).toEqual({ below: '1' })
  expect((await client.app.status()).notices.filter(({ id }) => id.startsWith('low-balance'))).toEqual([])
  expect(await client.topups.setLowBalance({ below: '999999' })).toEqual({ below: '999999' })
  const crossed = (await client.app.status()).notices.filter(({ id }) => id.startsWith('low-balance-'))
  expect(crossed).toMatchObject([
    { says: [{ values: { bound: { usd: '999999000000000000' } } }], lasting: false },
  ])
  expect(renderEnglish(crossed[0]?.says ?? [])).toContain('$999,999.00')
})
