import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Fetch } from '../../../../src/shared/fetch.ts'
import type { Purchase } from '../../../../src/shared/purchase.ts'
import { startWorld, type World } from '../../../world.ts'
import { ask, codeOf, startPayingWorld, wallet } from './single-requests-world.ts'

const DATA = { endpoint: 'data', method: 'POST', path: '/api/websearch/search', input: { query: 'otters' } }
const quote = async (world: World): Promise<Purchase> =>
  (await world.call('purchases/quote', { ask: DATA })) as Purchase
const topup = (world: World, method: string, amount: string, currency: string): Promise<unknown> =>
  world.call('topups/create', { method, amount, currency })

/** Divides the prices that the service lists, if a test sets a divisor. The demanded price stays the same. */
const listing = { divisor: 1 }
const lyingListing =
  (fetch: Fetch): Fetch =>
  async (url, init) => {
    const response = await fetch(url, init)
    if (listing.divisor === 1 || !url.endsWith('/v1/data/endpoints')) return response
    const parts: Uint8Array[] = []
    for await (const part of response.body ?? []) parts.push(part)
    const text = Buffer.concat(parts)
      .toString()
      .replaceAll(
        /("price[^"]*"\s*:\s*)([\d.]+)/g,
        (_, name: string, number: string) => `${name}${String(Number(number) / listing.divisor)}`,
      )
    async function* body(): AsyncGenerator<Uint8Array, void> {
      yield await Promise.resolve(Buffer.from(text))
    }
    return { status: response.status, headers: response.headers, body: body() }
  }

describe('the exchange rate of a satoshi', () => {
  let world: World
  let asked: string[]
  beforeEach(async () => {
    asked = []
    listing.divisor = 1
    world = await startWorld({ fetch: lyingListing, confirm: (question) => asked.push(question) > 0 })
    await world.call('wallet/connectSandbox')
  }, 60_000)
  afterEach(() => world[Symbol.asyncDispose]())

  it('is unknown until the service reports dollars and sats for one top-up', async () => {
    expect(await wallet(world)).not.toHaveProperty('rate')
    await topup(world, 'btc-lightning', '5000', 'SATS')
    await topup(world, 'btc', '20', 'USD')
    expect(await wallet(world)).not.toHaveProperty('rate')
    const [created] = [(await topup(world, 'btc-lightning', '10', 'USD')) as { id: string }]
    expect((await wallet(world)).rate).toMatchObject({ picoUsdPerSat: '800000000' })
    await world.call('topups/payFromWallet', { topupId: created.id })
    // Simulated money into a simulated account needs no confirmation.
    expect(asked).toEqual([])
  })

  it('is used to compare an invoice with the listed price, and to show its value in dollars', async () => {
    await world.call('accounts/disconnect')
    const before = await quote(world)
    expect(before).not.toHaveProperty('worth')
    await world.call('purchases/pay', { purchaseId: before.id })
    expect(asked.at(-1)).toContain('The amount in dollars is unknown.')

    await world.call('accounts/create', {})
    await topup(world, 'btc-lightning', '10', 'USD')
    await world.call('accounts/disconnect')
    const after = await quote(world)
    expect(after.worth).toBe((BigInt(after.amountMsat) * 800_000n).toString())
    // The sandbox demands its listed price, rounded up to whole satoshis. The tolerance covers the rounding.
    expect(BigInt(after.worth!) - BigInt(after.listed!)).toBeLessThan(800_000_000n)
    expect(await world.call('purchases/pay', { purchaseId: after.id })).toMatchObject({
      state: 'delivered',
      worth: after.worth,
    })
  })
})

it('an invoice above the listed price isn’t paid for a tool once the rate is known', async () => {
  listing.divisor = 1
  await using world = await startPayingWorld({ fetch: lyingListing })
  const payments = async (): Promise<number> => (await world.sandbox.wallet()).payments().length
  const search = (): Promise<Response> =>
    ask(world, '/v1/data/api/websearch/search', { query: String(Math.random()) })
  await world.call('accounts/create', {})
  await topup(world, 'btc-lightning', '10', 'USD')
  await world.call('accounts/disconnect')
  expect((await search()).status).toBe(200)
  const before = await payments()
  // Another core would read the listing again. This core reads it again once its cached copy is too old.
  listing.divisor = 10
  world.clock.ahead += 15 * 60_000
  expect(await codeOf(await search())).toEqual([502, 'payment/above-listing'])
  expect(await payments()).toBe(before)
}, 60_000)
