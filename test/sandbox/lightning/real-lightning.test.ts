import { createHash } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { startLdkNodes, type RealNodes } from '../../../src/sandbox/lightning/ldk-nodes.ts'
import { createNwcWallet, readNwcConnection, type NwcWallet } from '../../../src/core/payments/nwc/index.ts'
import { readInvoice } from '../invoices.ts'
import { bearer, creditId, dollar, question, startService, type Service } from '../service-client.ts'
import { challengeOf } from '../wallet/wallet.ts'

let nodes: RealNodes
let service: Service
let nwc: NwcWallet
beforeAll(async () => {
  nodes = await startLdkNodes()
  // Real nodes keep the machine's time.
  service = await startService({ now: Date.now, lightning: () => Promise.resolve(nodes) })
  nwc = createNwcWallet(readNwcConnection((await service.sandbox.wallet()).connection('sotto')), {
    now: Date.now,
  })
})
afterAll(async () => {
  await nwc[Symbol.asyncDispose]()
  await service[Symbol.asyncDispose]()
})

const open = new AbortController().signal
const pay = (invoice: string) => nwc.pay(invoice, { expiresAt: Date.now() + 120_000, signal: open })
const lookUp = (invoice: string) => nwc.lookUp(readInvoice(invoice).paymentHash, open)
const balance = () => nwc.balance()
const proves = (preimage: string, invoice: string) =>
  createHash('sha256').update(Buffer.from(preimage, 'hex')).digest('hex') === readInvoice(invoice).paymentHash

describe('two real nodes on regtest', () => {
  test('settle the invoice of a 402 through the wallet, and the preimage buys a video', async () => {
    const init = (authorization?: string) => ({
      method: 'POST',
      body: JSON.stringify({ model: 'sandbox/carosello-video', prompt: 'waves' }),
      headers: { 'content-type': 'application/json', ...(authorization !== undefined && { authorization }) },
    })
    const challenged = await fetch(`${service.sandbox.baseUrl}/v1/videos`, init())
    const header = challenged.headers.get('www-authenticate') ?? ''
    const [[, id = ''], [, request = '']] = [
      /id="([^"]*)"/.exec(header) ?? [],
      /request="([^"]*)"/.exec(header) ?? [],
    ]
    const {
      methodDetails: { invoice, paymentHash },
    } = JSON.parse(Buffer.from(request, 'base64url').toString()) as {
      methodDetails: { invoice: string; paymentHash: string }
    }
    const read = readInvoice(invoice)
    expect(read).toMatchObject({ network: 'bcrt', msat: 504_000n, paymentHash, expiry: 300 })
    expect(Math.abs(read.timestamp * 1000 - Date.now())).toBeLessThan(120_000)
    const before = (await balance()) ?? 0n
    const paid = await pay(invoice)
    expect(paid).toMatchObject({ outcome: 'paid', feeMsat: 0n })
    const preimage = paid.outcome === 'paid' ? paid.preimage : ''
    expect(proves(preimage, invoice)).toBe(true)
    expect(await balance()).toBe(before - 504_000n)
    expect(await lookUp(invoice)).toEqual({ state: 'settled', preimage, feeMsat: 0n })
    expect((await fetch(`${service.sandbox.baseUrl}/v1/videos`, init(`L402 ${id}:${preimage}`))).status).toBe(
      202,
    )
  })

  test('credit a top-up when the service’s node is paid', async () => {
    const { apiKey } = service.account
    const topup = async () =>
      (
        await service.call('POST', '/topup/create/btc-lightning', {
          headers: bearer(apiKey),
          body: { amount: 5, currency: 'USD' },
        })
      ).body
    const [{ invoice_id: id, lightning_invoice: invoice }, { invoice_id: unpaid }] = [
      await topup(),
      await topup(),
    ]
    const status = async (which: string) =>
      (await service.call('GET', `/topup/status/${which}`, { headers: bearer(apiKey) })).body.status
    expect(await status(id)).toBe('New')
    expect(await pay(invoice)).toMatchObject({ outcome: 'paid' })
    await expect.poll(() => status(id)).toBe('Settled')
    expect(await status(unpaid)).toBe('New')
    expect(service.control.unbalanced()).toEqual([])
  })

  test('top up an account automatically', async () => {
    const account = service.control.createAccount(4n * dollar)
    await service.call('POST', '/nwc-auto-topup/connect', {
      headers: creditId(account.creditId),
      body: {
        nwc_url: (await service.sandbox.wallet()).connection('service'),
        threshold_usd: 5,
        topup_amount_usd: 10,
      },
    })
    await service.call('POST', '/chat/completions', { headers: bearer(account.apiKey), body: question })
    await expect
      .poll(
        async () =>
          (await service.call('POST', '/credits/balance', { headers: bearer(account.apiKey) })).body.balance,
      )
      .toBeGreaterThan(13)
  })

  test('pay the same invoice only once', async () => {
    const invoice = await challengeOf(service)
    const before = (await balance()) ?? 0n
    expect(await pay(invoice)).toMatchObject({ outcome: 'paid' })
    expect(await pay(invoice)).toEqual({ outcome: 'unknown' })
    expect(await nodes.funds.pay(invoice, 0n)).toEqual({ failed: 'unknown' })
    expect(await balance()).toBe(before - 504_000n)
  })

  test('find no route to a node without a channel', async () => {
    const elsewhere = await startLdkNodes()
    const { invoice } = elsewhere.invoices.invoice(5n, 'elsewhere', Date.now(), 300)
    const before = await balance()
    expect(await pay(invoice)).toEqual({ outcome: 'unknown' })
    expect(await lookUp(invoice)).toEqual({ state: 'failed' })
    expect(await balance()).toBe(before)
    await elsewhere.close()
  })

  test('can’t pay more than their channel holds, from the wallet or from the node', async () => {
    const before = (await balance()) ?? 0n
    const { invoice } = nodes.invoices.invoice(before / 1000n + 1n, 'too much', Date.now(), 300)
    // The wallet's connection has a budget far below the channel; the node itself is asked as well.
    expect(await pay(invoice)).toEqual({ outcome: 'refused', code: 'wallet/insufficient-balance' })
    expect(await nodes.funds.pay(invoice, 0n)).toEqual({ failed: 'unknown' })
    expect(await balance()).toBe(before)
  })

  test('refuse to pay an expired invoice', async () => {
    const { invoice } = nodes.invoices.invoice(5n, 'short', Date.now(), 60)
    const later = vi.spyOn(Date, 'now').mockReturnValue(Date.now() + 61_000)
    expect(await nodes.funds.pay(invoice, 0n)).toEqual({ failed: 'expired' })
    later.mockRestore()
    expect(await nodes.funds.pay(invoice, 0n)).toMatchObject({ feeMsat: 0n })
  })

  test('lock the money of a held payment until it is claimed, and never report it as failed', async () => {
    nodes.hold()
    const invoice = await challengeOf(service)
    const before = (await balance()) ?? 0n
    const impatient = createNwcWallet(
      readNwcConnection((await service.sandbox.wallet()).connection('sotto')),
      {
        now: Date.now,
        timeouts: { pay: 300, answer: 15_000 },
      },
    )
    expect(await impatient.pay(invoice, { expiresAt: Date.now() + 120_000, signal: open })).toEqual({
      outcome: 'unknown',
    })
    await expect.poll(() => lookUp(invoice)).toEqual({ state: 'pending' })
    expect(await balance()).toBe(before - 504_000n)
    nodes.release()
    await expect.poll(async () => (await lookUp(invoice)).state).toBe('settled')
    const found = await lookUp(invoice)
    expect(found.state === 'settled' && proves(found.preimage ?? '', invoice)).toBe(true)
    await impatient[Symbol.asyncDispose]()
  })
})
