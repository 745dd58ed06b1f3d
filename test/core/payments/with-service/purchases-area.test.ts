import { createORPCClient } from '@orpc/client'
import { RPCLink } from '@orpc/client/fetch'
import type { ContractRouterClient } from '@orpc/contract'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { DataEndpoint } from '../../../../src/shared/contract/purchases.ts'
import type { contract, Failure } from '../../../../src/shared/contract/sotto-contract.ts'
import type { Purchase } from '../../../../src/shared/purchase.ts'
import type { Receipt } from '../../../../src/shared/receipt.ts'
import { HIGH, IMAGE, VIDEO } from './single-requests-world.ts'
import { startWorld, type World } from '../../../world.ts'
import { windowCaller } from '../../../window-caller.ts'

let world: World
let asked: string[] = []
let isApproved = true
beforeAll(async () => {
  world = await startWorld({
    confirm: (question) => {
      asked.push(question)
      return isApproved
    },
  })
  await world.call('accounts/disconnect')
  await world.call('wallet/connectSandbox')
  await world.call('wallet/setLimits', {
    perPayment: HIGH,
    perDay: HIGH,
    perHostAndDay: HIGH,
    automaticUpTo: HIGH,
  })
}, 60_000)
afterAll(() => world[Symbol.asyncDispose]())
beforeEach(() => {
  asked = []
  isApproved = true
})

const DATA = { endpoint: 'data', method: 'POST', path: '/api/websearch/search', input: { query: 'otters' } }
const quote = async (ask: object = DATA): Promise<Purchase> =>
  (await world.call('purchases/quote', { ask })) as Purchase
const pay = async ({ id }: Purchase): Promise<Purchase> =>
  (await world.call('purchases/pay', { purchaseId: id })) as Purchase
const codeOf = (answer: unknown): string => (answer as { data?: Failure }).data?.code ?? 'not refused'
const payments = async (): Promise<number> => (await world.sandbox.wallet()).payments().length

/** A file, fetched as the window does. */
async function file(purchaseId: string, index: number): Promise<Blob> {
  const client: ContractRouterClient<typeof contract> = createORPCClient(
    new RPCLink({
      url: 'http://sotto.invalid/api',
      fetch: (request) => world.core.api(request, windowCaller),
    }),
  )
  return client.purchases.file({ purchaseId, index })
}

function askedFor(purchaseId: string, index: number): Promise<Response> {
  return world.core.api(
    new Request('http://sotto.invalid/api/purchases/file', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ json: { purchaseId, index } }),
    }),
    windowCaller,
  )
}

describe('the first purchase at a host', () => {
  it('is quoted first and pays nothing; payment needs a confirmation outside the window, and a refusal pays nothing', async () => {
    const before = await payments()
    const quoted = await quote()
    expect(quoted).toMatchObject({
      state: 'quoted',
      caller: { kind: 'window' },
      endpoint: 'data',
      subject: 'data/api/websearch/search',
      asks: ['first-host'],
      payable: false,
      files: [],
      attempts: 0,
    })
    expect(quoted.uri).toMatch(/^lightning:lnbcrt/i)
    expect(asked).toEqual([])
    // The service could read the request for the price, and its receipt reports that.
    expect(await world.call('receipts/get', { receiptId: quoted.receiptId })).toMatchObject({
      privacy: 'forwarded',
      outcome: 'complete',
    })
    isApproved = false
    expect(codeOf(await pay(quoted))).toBe('payment/refused')
    expect(asked).toHaveLength(1)
    expect(asked[0]).toContain(quoted.host)
    expect(await payments()).toBe(before)
    isApproved = true
    const paid = await pay(quoted)
    expect(paid).toMatchObject({ state: 'delivered', asks: [], attempts: 1 })
    expect(paid.uri).toBeUndefined()
    expect(await payments()).toBe(before + 1)
    const receipt = (await world.call('receipts/get', { receiptId: paid.receiptId })) as Receipt
    expect(receipt.paidMsat).toBe((BigInt(paid.amountMsat) + BigInt(paid.feeMsat ?? '0')).toString())
    const { text } = (await world.call('purchases/answer', { purchaseId: paid.id })) as { text: string }
    expect(JSON.parse(text)).toHaveProperty('results')
    expect(receipt.bytesReceived).toBe(Buffer.byteLength(text))
  })
  it('needs no further confirmation until the host is forgotten', async () => {
    expect((await pay(await quote())).state).toBe('delivered')
    expect(asked).toEqual([])
    const { hosts } = (await world.call('wallet/get')) as { hosts: { host: string }[] }
    await world.call('wallet/forgetHost', { host: hosts[0]!.host })
    const next = await quote()
    expect(next.asks).toEqual(['first-host'])
    expect((await pay(next)).state).toBe('delivered')
    expect(asked).toHaveLength(1)
  })
})

describe('the result of a purchase', () => {
  it('of an image is saved with the type of its bytes', async () => {
    const purchase = await pay(
      await quote({ endpoint: 'images/generations', body: { model: IMAGE, prompt: 'an otter', n: 2 } }),
    )
    expect(purchase).toMatchObject({ state: 'delivered', files: [{ index: 1 }, { index: 2 }] })
    for (const { index, bytes } of purchase.files) {
      const { type, size } = await file(purchase.id, index)
      expect([type, size]).toEqual([expect.stringMatching(/^image\/(png|jpeg|webp)$/), bytes])
    }
    for (const index of [0, 3])
      expect(await (await askedFor(purchase.id, index)).text()).toContain('payment/nothing-delivered')
  })
  it('of a video shows its progress, and is saved when it is complete', async () => {
    const submitted = await pay(
      await quote({ endpoint: 'videos', body: { model: VIDEO, prompt: 'an otter' } }),
    )
    expect(submitted.job?.id).toMatch(/^gen_/)
    await expect
      .poll(
        async () =>
          ((await world.call('purchases/list')) as Purchase[]).find(({ id }) => id === submitted.id),
        { timeout: 40_000 },
      )
      .toMatchObject({ state: 'delivered', job: { status: 'completed' }, files: [{ index: 1 }] })
    expect((await file(submitted.id, 1)).type).toBe('video/mp4')
  }, 60_000)
  it('is never from a private model', async () => {
    world.outbound.length = 0
    for (const ask of [
      { endpoint: 'images/generations', body: { model: 'private/x', prompt: 'x' } },
      { endpoint: 'images/generations', body: { model: IMAGE, prompt: 'x', fallback_models: ['private/x'] } },
      { ...DATA, input: { model: 'private/x' } },
    ])
      expect(codeOf(await quote(ask))).toBe('privacy/path')
    expect(Buffer.concat(world.outbound).toString()).not.toContain('POST')
  })
})

describe('the data endpoints for sale', () => {
  it('are the service’s list, loaded without a key, with the price that limits a quote', async () => {
    world.outbound.length = 0
    const endpoints = (await world.call('purchases/dataEndpoints')) as DataEndpoint[]
    expect(endpoints).toHaveLength(27)
    expect(Buffer.concat(world.outbound).toString()).not.toMatch(/authorization/i)
    const search = endpoints.find(({ path }) => path === '/api/websearch/search')
    expect(search).toMatchObject({ method: 'POST', price: expect.stringMatching(/^[1-9]\d+$/) as string })
    expect((await quote()).listed).toBe(search?.price)
  })
})

describe('another wallet', () => {
  it('pays the code that is shown, and only its preimage proves the payment', async () => {
    const quoted = await quote()
    expect(
      codeOf(await world.call('purchases/prove', { purchaseId: quoted.id, preimage: '0'.repeat(64) })),
    ).toBe('payment/invalid-preimage')
    const paid = await (
      await world.sandbox.control()
    ).pay(quoted.uri!.replace(/^lightning:/i, '').toLowerCase())
    expect(paid).toHaveProperty('preimage')
    const before = await payments()
    const proven = (await world.call('purchases/prove', {
      purchaseId: quoted.id,
      preimage: 'preimage' in paid ? paid.preimage : '',
    })) as Purchase
    expect(proven).toMatchObject({ state: 'delivered' })
    expect(proven.feeMsat).toBeUndefined()
    expect(await payments()).toBe(before)
  })
})

describe('a purchase', () => {
  it('can be declined, and is not paid after that', async () => {
    const quoted = await quote()
    expect(await world.call('purchases/decline', { purchaseId: quoted.id })).toMatchObject({
      state: 'declined',
    })
    expect(codeOf(await pay(quoted))).toMatch(/^payment\//)
  })
  it('shows its proof only after a confirmation outside the window', async () => {
    const [purchase] = (await world.call('purchases/list')) as Purchase[]
    const { id, paymentHash } = await pay(await quote())
    expect(purchase).toBeDefined()
    isApproved = false
    expect(codeOf(await world.call('purchases/proof', { purchaseId: id }))).toBe('confirm/refused')
    isApproved = true
    const { text, fileName } = (await world.call('purchases/proof', { purchaseId: id })) as {
      text: string
      fileName: string
    }
    expect(text).toContain(paymentHash)
    expect(fileName).toMatch(/^sotto-payment-[0-9a-f]{16}\.txt$/)
    expect(asked).toHaveLength(2)
  })
  it('with an unknown ID is refused', async () => {
    for (const path of ['pay', 'decline', 'retryDelivery', 'proof', 'answer'])
      expect(codeOf(await world.call(`purchases/${path}`, { purchaseId: 'none' }))).toBe('payment/unknown')
  })
  it('is sent to a watcher: first all purchases, then each change', async () => {
    const response = await world.core.api(
      new Request('http://sotto.invalid/api/purchases/watch', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: '{}',
      }),
      windowCaller,
    )
    const reader = response.body!.getReader()
    let seen = ''
    const reading = (async () => {
      for (let piece = await reader.read(); !piece.done; piece = await reader.read())
        seen += Buffer.from(piece.value).toString()
    })().catch(() => undefined)
    await expect.poll(() => seen).toContain('"state":"delivered"')
    const { id } = await quote()
    await expect.poll(() => seen).toContain(id)
    await world.call('purchases/decline', { purchaseId: id })
    await expect.poll(() => seen).toContain('"state":"declined"')
    await reader.cancel()
    await reading
  })
})

describe('an undelivered purchase', () => {
  it('is abandoned after a confirmation outside the window; its proof remains, and a new purchase is another payment', async () => {
    const search = 'POST /v1/data/api/websearch/search'
    const quoted = await quote()
    const simulated = await world.sandbox.wallet()
    await simulated.setFault('slow')
    const paying = pay(quoted)
    await expect
      .poll(
        async () =>
          ((await world.call('purchases/list')) as Purchase[]).find(({ id }) => id === quoted.id)?.state,
      )
      .toBe('paying')
    expect(codeOf(await world.call('purchases/abandon', { purchaseId: quoted.id }))).toBe(
      'payment/cannot-close',
    )
    ;(await world.sandbox.control()).setRouteFault(search, { status: 401 })
    await simulated.setFault(null)
    expect(await paying).toMatchObject({ state: 'undelivered' })
    ;(await world.sandbox.control()).setRouteFault(search, null)
    asked = []
    isApproved = false
    expect(codeOf(await world.call('purchases/abandon', { purchaseId: quoted.id }))).toBe('confirm/refused')
    expect(asked).toEqual([expect.stringContaining(quoted.paymentHash.slice(0, 16))])
    isApproved = true
    expect(await world.call('purchases/abandon', { purchaseId: quoted.id })).toMatchObject({
      state: 'given-up',
    })
    expect(codeOf(await world.call('purchases/retryDelivery', { purchaseId: quoted.id }))).toBe(
      'payment/abandoned',
    )
    const { preimage } =
      simulated.payments().find(({ paymentHash }) => paymentHash === quoted.paymentHash) ??
      expect.unreachable()
    expect(
      ((await world.call('purchases/proof', { purchaseId: quoted.id })) as { text: string }).text,
    ).toContain(preimage)
    const before = await payments()
    expect((await pay(await quote())).state).toBe('delivered')
    expect(await payments()).toBe(before + 1)
  }, 30_000)
})
