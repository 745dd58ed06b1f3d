import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { encodeInvoice } from '../../src/sandbox/payment/bolt11.ts'
import { isMoneroStagenetAddress, isWitnessAddress, readInvoice } from './invoices.ts'
import { bearer, creditId, dollar, startService, type Service } from './service-client.ts'
import { testAddress } from '../../src/sandbox/payment/addresses.ts'
import { seededBytes } from '../../src/sandbox/random.ts'

let service: Service
let ownHeaders: Record<string, string>
beforeEach(async () => {
  service = await startService()
  ownHeaders = bearer(service.account.apiKey)
})
afterEach(() => service[Symbol.asyncDispose]())

const create = (method: string, amount: unknown, currency: unknown) =>
  service.call('POST', `/topup/create/${method}`, { headers: ownHeaders, body: { amount, currency } })
const status = (id: string) => service.call('GET', `/topup/status/${id}`, { headers: ownHeaders })
const balance = async () =>
  (await service.call('POST', '/credits/balance', { headers: ownHeaders })).body.balance
const seconds = () => service.clock.now / 1000

test('the methods are listed with limits and currencies, without a key', async () => {
  const { status: code, body } = await service.call('GET', '/topup/payment-methods')
  expect(code).toBe(200)
  expect(body.supported_methods.map(({ method }) => method)).toEqual([
    'btc-lightning',
    'btc',
    'ltc',
    'lbtc',
    'xmr',
  ])
  expect(body.supported_methods[0]).toEqual({
    method: 'btc-lightning',
    display_name: 'Bitcoin Lightning',
    supported_currencies: ['USD', 'BTC', 'SATS'],
    limits: {
      USD: { min: 0.1, max: 1000 },
      SATS: { min: 100, max: 1_000_000 },
      BTC: { min: 0.000001, max: 0.01 },
    },
  })
})

describe('a Lightning top-up', () => {
  test('is a regtest invoice with an amount, a hash, an expiry and a signature that another decoder reads', async () => {
    const { status: code, body } = await create('btc-lightning', 12_345, 'SATS')
    expect(code).toBe(201)
    expect(body).toEqual({
      invoice_id: expect.stringMatching(/^[A-Za-z0-9]{22}$/) as string,
      amount: 12_345,
      currency: 'SATS',
      created_at: seconds(),
      expires_at: seconds() + 900,
      checkout_url: expect.stringContaining(body.invoice_id) as string,
      lightning_invoice: expect.stringMatching(/^lnbcrt123450n1/) as string,
      crypto_amount_due: '0.00012345',
    })
    const other = (await create('btc-lightning', 1, 'USD')).body
    const [first, second] = [readInvoice(body.lightning_invoice), readInvoice(other.lightning_invoice)]
    expect(first).toMatchObject({ network: 'bcrt', msat: 12_345_000n, timestamp: seconds(), expiry: 900 })
    expect(second.msat).toBe(1_250_000n)
    expect(other.crypto_amount_due).toBe('1.25e-05')
    expect(second.payee).toBe(first.payee)
    expect(second.paymentHash).not.toBe(first.paymentHash)
  })

  test('is New, and Settled after its payment: the preimage proves it, and the account is credited', async () => {
    const { body } = await create('btc-lightning', 10_000, 'SATS')
    expect((await status(body.invoice_id)).body).toEqual({
      invoice_id: body.invoice_id,
      status: 'New',
      amount: 10_000,
      currency: 'SATS',
      created_at: body.created_at,
      expires_at: body.expires_at,
      payment_method: 'Bitcoin Lightning',
      amount_paid: 0,
      amount_due: 0.0001,
      lightning_invoice: body.lightning_invoice,
    })
    const paid = await service.control.pay(body.lightning_invoice.toUpperCase())
    if (!('preimage' in paid)) throw new Error(paid.failed)
    expect(createHash('sha256').update(Buffer.from(paid.preimage, 'hex')).digest('hex')).toBe(
      readInvoice(body.lightning_invoice).paymentHash,
    )
    expect((await status(body.invoice_id)).body).toMatchObject({
      status: 'Settled',
      amount_paid: 0.0001,
      amount_due: 0,
    })
    expect(await balance()).toBe(18)
    expect(await service.control.pay(body.lightning_invoice)).toEqual({ failed: 'paid' })
    expect([await balance(), service.control.unbalanced()]).toEqual([18, []])
  })

  test('reports partial payments, settles with the rest, and credits no late payment', async () => {
    const { body } = await create('btc', 20, 'USD')
    expect(await service.control.receiveTopup(body.invoice_id, 10_000n)).toBe('New')
    expect((await status(body.invoice_id)).body).toMatchObject({
      status: 'New',
      amount_paid: 0.0001,
      amount_due: 0.00015,
    })
    expect([await balance(), await service.control.receiveTopup(body.invoice_id, 20_000n)]).toEqual([
      10,
      'Settled',
    ])
    expect((await status(body.invoice_id)).body).toMatchObject({
      status: 'Settled',
      amount_paid: 0.0003,
      amount_due: 0,
    })
    expect([await balance(), service.control.unbalanced()]).toEqual([30, []])
    const { body: late } = await create('btc', 20, 'USD')
    await service.control.expireTopup(late.invoice_id)
    expect(await service.control.receiveTopup(late.invoice_id, 25_000n)).toBe('Expired')
    expect((await status(late.invoice_id)).body).toMatchObject({
      status: 'Expired',
      amount_paid: 0.00025,
      amount_due: 0,
    })
    expect([await balance(), await service.control.receiveTopup('none', 1n)]).toEqual([30, 'unknown'])
  })

  test('expires by the clock, can’t be paid after that, and is deleted three days later', async () => {
    const { body } = await create('btc-lightning', 100, 'SATS')
    service.clock.now += 900_000 - 1
    expect((await status(body.invoice_id)).body.status).toBe('New')
    service.clock.now += 1
    expect((await status(body.invoice_id)).body.status).toBe('Expired')
    expect(await service.control.pay(body.lightning_invoice)).toEqual({ failed: 'expired' })
    expect(await balance()).toBe(10)
    service.clock.now += 3 * 86_400_000
    const gone = await status(body.invoice_id)
    expect([gone.status, gone.body]).toEqual([404, { error: 'Invoice not found' }])
  })

  test('expires immediately if its owner requests it', async () => {
    const { body } = await create('btc-lightning', 100, 'SATS')
    await service.control.expireTopup(body.invoice_id)
    expect((await status(body.invoice_id)).body.status).toBe('Expired')
  })
})

describe('an on-chain top-up', () => {
  test.each([
    ['btc', 'bcrt', 10],
    ['ltc', 'rltc', 2],
    ['lbtc', 'ert', 2],
  ])('%s: has a test network address with a valid checksum', async (method, network, amount) => {
    const { status: code, body } = await create(method, amount, 'USD')
    expect([code, isWitnessAddress(body.payment_address, network)]).toEqual([201, true])
    expect(body.lightning_invoice).toBeUndefined()
    expect(body.expires_at).toBe(seconds() + 3600)
  })

  test('xmr: has a stagenet address with a valid checksum, for any bytes', async () => {
    const { body } = await create('xmr', 5, 'USD')
    expect(body.payment_address).toMatch(/^5[1-9A-HJ-NP-Za-km-z]{94}$/)
    expect(isMoneroStagenetAddress(body.payment_address)).toBe(true)
    fc.assert(
      fc.property(fc.string(), (seed) => isMoneroStagenetAddress(testAddress('xmr', seededBytes(seed)))),
    )
    expect(isMoneroStagenetAddress(testAddress('xmr', (length) => Buffer.alloc(length)))).toBe(true)
  })

  test('settles when its address is paid', async () => {
    const { body } = await create('ltc', 20, 'USD')
    expect(await service.control.settleTopup(body.invoice_id)).toBe('settled')
    expect((await status(body.invoice_id)).body).toMatchObject({
      status: 'Settled',
      payment_method: 'Litecoin',
      amount_paid: 0.2,
      amount_due: 0,
    })
    expect(await balance()).toBe(30)
    expect(await service.control.settleTopup(body.invoice_id)).toBe('paid')
    expect(await service.control.settleTopup('nothing')).toBe('unknown')
    expect(await balance()).toBe(30)
  })
})

describe('refused requests', () => {
  test.each([
    ['btc-lightning', 99, 'SATS'],
    ['btc-lightning', 1_000_001, 'SATS'],
    ['btc-lightning', 100.5, 'SATS'],
    ['btc-lightning', 0.09, 'USD'],
    ['btc-lightning', 1.001, 'USD'],
    ['btc-lightning', -5, 'USD'],
    ['btc-lightning', '5', 'USD'],
    ['btc-lightning', null, 'USD'],
    ['btc', 9.99, 'USD'],
    ['btc', 10_001, 'USD'],
    ['xmr', 4.99, 'USD'],
    ['lbtc', 0.000000001, 'BTC'],
  ])('%s with %j %s: 400 that names the amount', async (method, amount, currency) => {
    const answer = await create(method, amount, currency)
    expect([answer.status, answer.body.field]).toEqual([400, 'amount'])
  })

  test.each([['EUR'], ['sats'], [undefined], [7]])('the currency %j: 400 that names it', async (currency) => {
    const answer = await create('btc-lightning', 100, currency)
    expect([answer.status, answer.body.field]).toEqual([400, 'currency'])
  })

  test('a body that isn’t JSON, or is of another type', async () => {
    const send = (body: string, headers: Record<string, string>) =>
      service.call('POST', '/topup/create/btc', { headers: { ...ownHeaders, ...headers }, body })
    expect((await send('{', {})).status).toBe(400)
    expect((await send('amount=5', { 'content-type': 'application/x-www-form-urlencoded' })).status).toBe(415)
    expect((await service.call('POST', '/topup/create/btc', { headers: ownHeaders })).status).toBe(400)
  })

  test('an unknown method, and an invoice of another account', async () => {
    expect((await create('doge', 5, 'USD')).status).toBe(404)
    const { body } = await create('btc', 10, 'USD')
    const other = service.control.createAccount(0n)
    const theirs = await service.call('GET', `/topup/status/${body.invoice_id}`, {
      headers: bearer(other.apiKey),
    })
    expect([theirs.status, theirs.body]).toEqual([404, { error: 'Invoice not found' }])
  })

  test('without a key, and with a header that the route doesn’t accept', async () => {
    const { body } = await create('btc', 10, 'USD')
    const path = `/topup/status/${body.invoice_id}`
    for (const headers of [
      {},
      creditId(service.account.creditId),
      { 'api-key': service.account.apiKey },
      bearer('sk-nobody'),
    ])
      expect((await service.call('GET', path, { headers })).status).toBe(401)
    expect(
      (
        await service.call('POST', '/topup/create/btc', {
          headers: creditId(service.account.creditId),
          body: { amount: 10, currency: 'USD' },
        })
      ).status,
    ).toBe(401)
    expect(
      (
        await service.call('POST', '/topup/create/btc', {
          headers: { 'api-key': service.account.apiKey },
          body: { amount: 10, currency: 'USD' },
        })
      ).status,
    ).toBe(201)
  })
})

test('both path forms return the same invoice', async () => {
  const { body } = await service.call('POST', '/v1/topup/create/btc', {
    headers: ownHeaders,
    body: { amount: 0.001, currency: 'BTC' },
  })
  expect(
    (await service.call('GET', `/v1/topup/status/${body.invoice_id}`, { headers: ownHeaders })).body,
  ).toEqual((await status(body.invoice_id)).body)
  expect((await service.call('GET', '/v1/topup/payment-methods')).status).toBe(200)
  await service.control.settleTopup(body.invoice_id)
  expect(service.control.unbalanced()).toEqual([])
  expect(await balance()).toBe(Number(10n * dollar + 80n * dollar) / 1e12)
})

test('any amount, description and time is read by another decoder', () => {
  const key = seededBytes('node')(32)
  fc.assert(
    fc.property(
      fc.bigInt(1n, 10n ** 14n),
      fc.string({ maxLength: 100 }),
      fc.integer({ min: 1_600_000_000, max: 4_000_000_000 }),
      fc.integer({ min: 1, max: 1_000_000 }),
      fc.uint8Array({ minLength: 32, maxLength: 32 }),
      (amountMsat, description, timestamp, expirySeconds, paymentHash) => {
        const read = readInvoice(
          encodeInvoice(
            { amountMsat, description, timestamp, expirySeconds, paymentHash, paymentSecret: paymentHash },
            key,
          ),
        )
        expect(read).toMatchObject({
          network: 'bcrt',
          msat: amountMsat,
          description,
          timestamp,
          expiry: expirySeconds,
          paymentHash: Buffer.from(paymentHash).toString('hex'),
        })
      },
    ),
    { numRuns: 60 },
  )
})
