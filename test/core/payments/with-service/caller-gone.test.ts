import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Purchase } from '../../../../src/shared/purchase.ts'
import type { Receipt } from '../../../../src/shared/receipt.ts'
import { ask, codeOf, startPayingWorld, type PayingWorld } from './single-requests-world.ts'

const SEARCH = '/v1/data/api/websearch/search'
let world: PayingWorld
let otherTool: string
beforeAll(async () => {
  world = await startPayingWorld()
  otherTool = (
    (await world.call('localApi/create', { name: 'Another', limits: { grants: ['pay-per-request'] } })) as {
      secret: string
    }
  ).secret
}, 60_000)
afterAll(() => world[Symbol.asyncDispose]())

const payments = async (): Promise<number> => (await world.sandbox.wallet()).payments().length
const newest = async (): Promise<Purchase> => ((await world.call('purchases/list')) as Purchase[])[0]!
const setFault = async (
  fault: Parameters<Awaited<ReturnType<PayingWorld['sandbox']['wallet']>>['setFault']>[0],
): Promise<void> => (await world.sandbox.wallet()).setFault(fault)

/** A request whose answer is never read: its caller disconnects as soon as `when` holds for the purchase. */
async function abandoned(query: string, when: (purchase: Purchase) => boolean): Promise<void> {
  const before = (await newest()).id
  const gone = new AbortController()
  const asked = fetch(`${world.baseUrl.replace(/\/v1$/, '')}${SEARCH}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${world.tool}`, 'content-type': 'application/json' },
    body: JSON.stringify({ query }),
    signal: gone.signal,
  }).catch(() => undefined)
  await expect
    .poll(async () => {
      const purchase = await newest()
      return purchase.id !== before && when(purchase)
    })
    .toBe(true)
  gone.abort()
  await asked
}

describe('a tool that disconnects', () => {
  it('after its wallet was asked gets the response once when it repeats the request', async () => {
    await setFault('slow')
    const before = await payments()
    await abandoned('gone while paying', ({ state }) => state === 'paying')
    await setFault(null)
    await expect.poll(async () => (await newest()).state).toBe('delivered')
    expect(await payments()).toBe(before + 1)
    const { id } = await newest()

    // Another tool doesn't get this answer, and pays for its own.
    const other = await ask(world, SEARCH, { query: 'gone while paying' }, otherTool)
    expect(other.status).toBe(200)
    await other.text()
    expect(await payments()).toBe(before + 2)

    const again = await ask(world, SEARCH, { query: 'gone while paying' })
    expect([again.status, await again.text()]).toEqual([
      200,
      ((await world.call('purchases/answer', { purchaseId: id })) as { text: string }).text,
    ])
    expect(await payments()).toBe(before + 2)
    // The answer was delivered, so a repeated request is a new purchase.
    expect((await ask(world, SEARCH, { query: 'gone while paying' })).status).toBe(200)
    expect(await payments()).toBe(before + 3)
  })

  it('and repeats the request at once, as an SDK does after a timeout, joins the first and is charged once', async () => {
    await setFault('slow')
    const before = await payments()
    await abandoned('asked again while paying', ({ state }) => state === 'paying')
    const { id, receiptId } = await newest()
    const again = ask(world, SEARCH, { query: 'asked again while paying' })
    await expect.poll(async () => (await newest()).id).toBe(id)
    await setFault(null)
    const answer = await again
    expect([answer.status, await answer.text()]).toEqual([
      200,
      ((await world.call('purchases/answer', { purchaseId: id })) as { text: string }).text,
    ])
    expect(await payments()).toBe(before + 1)
    const joined = (await world.call('receipts/get', {
      receiptId: answer.headers.get('x-sotto-receipt'),
    })) as Receipt
    expect(joined).toMatchObject({ privacy: 'forwarded', outcome: 'complete', cost: '0' })
    expect([joined.charged, joined.paidMsat]).toEqual([undefined, undefined])
    await expect
      .poll(async () => ((await world.call('receipts/get', { receiptId })) as Receipt | null)?.charged)
      .toBeDefined()
  })

  it('is charged to its budget and gets a receipt, although it read no response', async () => {
    await setFault('slow')
    await abandoned('charged all the same', ({ state }) => state === 'paying')
    await setFault(null)
    await expect.poll(async () => (await newest()).state).toBe('delivered')
    const { receiptId, amountMsat, feeMsat = '0' } = await newest()
    await expect
      .poll(async () => ((await world.call('receipts/get', { receiptId })) as Receipt | null)?.charged)
      .toBeDefined()
    expect(await world.call('receipts/get', { receiptId })).toMatchObject({
      privacy: 'forwarded',
      paidMsat: (BigInt(amountMsat) + BigInt(feeMsat)).toString(),
    })
  })
})

describe('a request that was paid and not delivered', () => {
  it('returns its code, is charged, and is delivered on the next try without another payment', async () => {
    const control = await world.sandbox.control()
    const before = await payments()
    const first = await newest()
    // The service answers the demand, then fails every request that carries a proof.
    const failing = expect
      .poll(
        async () => {
          const purchase = await newest()
          if (purchase.id !== first.id && purchase.state !== 'quoted')
            control.setRouteFault(`POST ${SEARCH}`, { status: 500 })
          return purchase.id !== first.id && purchase.state !== 'quoted'
        },
        { timeout: 20_000, interval: 1 },
      )
      .toBe(true)
    await setFault('slow')
    const asked = ask(world, SEARCH, { query: 'never delivered' })
    await failing
    await setFault(null)
    const refused = await asked
    expect(await codeOf(refused)).toEqual([502, 'payment/undelivered'])
    control.setRouteFault(`POST ${SEARCH}`, null)
    const { id, receiptId } = await newest()
    expect(await world.call('receipts/get', { receiptId })).toMatchObject({
      outcome: 'failed',
      code: 'payment/undelivered',
      paidMsat: expect.stringMatching(/^\d+$/) as string,
    })

    const again = await ask(world, SEARCH, { query: 'never delivered' })
    expect(again.status).toBe(200)
    await again.text()
    expect(await newest()).toMatchObject({ id, state: 'delivered' })
    expect(await payments()).toBe(before + 1)
  }, 90_000)
})
