import { NWCClient, NWCWalletService, NWCWalletServiceKeyPair } from '@getalby/sdk/nwc'
import { createHash, randomBytes } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { WebSocket } from 'ws'
import { createNwcWallet, readNwcConnection } from '../../../src/core/payments/nwc/index.ts'
import { LocalRelay } from '../../../src/sandbox/wallet/relay.ts'
import { publicKeyOf } from '../../../src/sandbox/nwc/event.ts'
import { readPayable } from '../../../src/sandbox/wallet/payments.ts'
import { mintInvoice } from '../../core/payments/mint-invoice.ts'
import { readInvoice } from '../invoices.ts'
import { sandboxFolder } from '../cached-roots.ts'
import { bearer, creditId, dollar, question, startService } from '../service-client.ts'
import { challengeOf, startWithWallet, type NwcWalletService } from './wallet.ts'

const start = 500_000_000n
const open = new AbortController().signal

let service: NwcWalletService
beforeEach(async () => {
  service = await startWithWallet()
})
afterEach(() => service[Symbol.asyncDispose]())

const hashOf = (invoice: string) => readInvoice(invoice).paymentHash
const proves = (preimage: string, invoice: string) =>
  createHash('sha256').update(Buffer.from(preimage, 'hex')).digest('hex') === hashOf(invoice)
const pay = (invoice: string) =>
  service.nwc.pay(invoice, { expiresAt: service.clock.now + 300_000, signal: open })
const lookUp = (invoice: string) => service.nwc.lookUp(hashOf(invoice), open)
const asked = (invoice: string) =>
  service.wallet.payments().find((payment) => payment.paymentHash === hashOf(invoice))?.asked

describe('the wallet', () => {
  test('reports its capabilities, its balance and its budget', async () => {
    expect(await service.nwc.capabilities()).toMatchObject({
      canLookUp: true,
      alias: 'Sotto sandbox wallet',
      network: 'regtest',
    })
    expect(await service.nwc.balance()).toBe(start)
    expect(await service.nwc.budget()).toEqual({
      used: 0n,
      total: 400_000_000n,
      renewsAt: Date.UTC(2026, 11, 1),
    })
  })

  test('pays the invoice of a request: the preimage proves it, the request succeeds, and the balance decreases', async () => {
    const body = JSON.stringify({ model: 'sandbox/carosello-video', prompt: 'waves' })
    const send = (authorization?: string) =>
      fetch(`${service.sandbox.baseUrl}/v1/videos`, {
        method: 'POST',
        body,
        headers: {
          'content-type': 'application/json',
          ...(authorization !== undefined && { authorization }),
        },
      })
    const challenged = await send()
    const [, id = ''] = /id="([^"]*)"/.exec(challenged.headers.get('www-authenticate') ?? '') ?? []
    const [, request = ''] = /request="([^"]*)"/.exec(challenged.headers.get('www-authenticate') ?? '') ?? []
    const {
      methodDetails: { invoice },
    } = JSON.parse(Buffer.from(request, 'base64url').toString()) as { methodDetails: { invoice: string } }
    const { msat } = readInvoice(invoice)
    const fee = (msat + 999n) / 1000n
    const paid = await pay(invoice)
    expect(paid).toMatchObject({ outcome: 'paid', feeMsat: fee })
    const preimage = paid.outcome === 'paid' ? paid.preimage : ''
    expect(proves(preimage, invoice)).toBe(true)
    expect(await lookUp(invoice)).toEqual({ state: 'settled', preimage, feeMsat: fee })
    expect(await service.nwc.balance()).toBe(start - msat - fee)
    expect(await service.nwc.budget()).toMatchObject({ used: msat + fee })
    expect((await send(`L402 ${id}:${preimage}`)).status).toBe(202)
  })

  test('pays a top-up, which is credited to the account', async () => {
    const { account } = service
    const topup = await service.call('POST', '/topup/create/btc-lightning', {
      headers: bearer(account.apiKey),
      body: { amount: 5, currency: 'USD' },
    })
    expect(await pay(topup.body.lightning_invoice)).toMatchObject({ outcome: 'paid' })
    expect(
      (
        await service.call('GET', `/topup/status/${topup.body.invoice_id}`, {
          headers: bearer(account.apiKey),
        })
      ).body.status,
    ).toBe('Settled')
    expect(
      (await service.call('POST', '/credits/balance', { headers: bearer(account.apiKey) })).body.balance,
    ).toBe(15)
    expect(service.control.unbalanced()).toEqual([])
  })

  test('pays an invoice once, even for concurrent requests', async () => {
    const invoice = await service.challenge()
    const outcomes = await Promise.all([pay(invoice), pay(invoice), pay(invoice)])
    expect(outcomes.filter(({ outcome }) => outcome === 'paid')).toHaveLength(1)
    expect(outcomes.filter(({ outcome }) => outcome === 'unknown')).toHaveLength(2)
    expect(asked(invoice)).toBe(3)
    expect(service.wallet.payments()).toHaveLength(1)
    expect(service.wallet.balance()).toBe(
      start - readInvoice(invoice).msat - (readInvoice(invoice).msat + 999n) / 1000n,
    )
  })

  test('refuses an invoice of another service, an expired one, and one that is already paid', async () => {
    const other = await startWithWallet()
    const foreign = await other.challenge()
    await other[Symbol.asyncDispose]()
    const late = await service.challenge()
    const paidInvoice = await service.challenge()
    await service.control.pay(paidInvoice)
    expect(await pay(foreign)).toEqual({ outcome: 'unknown' })
    expect(await pay(paidInvoice)).toEqual({ outcome: 'unknown' })
    service.clock.now += 400_000
    expect(await pay(late)).toEqual({ outcome: 'unknown' })
    for (const invoice of [foreign, late, paidInvoice])
      expect(await lookUp(invoice)).toMatchObject({ state: 'failed' })
    expect(service.wallet.balance()).toBe(start)
  })

  test('ignores a request that expired in transit', async () => {
    const invoice = await service.challenge()
    const early = createNwcWallet(readNwcConnection(service.wallet.connection('sotto')), {
      now: () => service.clock.now - 600_000,
      timeouts: { pay: 300, answer: 300 },
    })
    expect(await early.pay(invoice, { expiresAt: service.clock.now - 300_000, signal: open })).toEqual({
      outcome: 'unknown',
    })
    await early[Symbol.asyncDispose]()
    expect(service.wallet.payments()).toEqual([])
  })

  test('has one budget for each connection, and answers no other connection', async () => {
    const topup = async (usd: number) =>
      (
        await service.call('POST', '/topup/create/btc-lightning', {
          headers: bearer(service.account.apiKey),
          body: { amount: usd, currency: 'USD' },
        })
      ).body.lightning_invoice
    const small = createNwcWallet(readNwcConnection(service.wallet.connection('service')), {
      now: () => service.clock.now,
    })
    // At this rate, 100,000 sat are 80 dollars, and the budget must also cover the fee.
    expect(await small.pay(await topup(81), { expiresAt: service.clock.now + 60_000, signal: open })).toEqual(
      { outcome: 'refused', code: 'wallet/budget-exceeded' },
    )
    expect(
      await small.pay(await topup(79), { expiresAt: service.clock.now + 60_000, signal: open }),
    ).toMatchObject({ outcome: 'paid' })
    expect(await small.pay(await topup(2), { expiresAt: service.clock.now + 60_000, signal: open })).toEqual({
      outcome: 'refused',
      code: 'wallet/budget-exceeded',
    })
    expect(await pay(await topup(2))).toMatchObject({ outcome: 'paid' })
    expect(await pay(await topup(350))).toEqual({ outcome: 'refused', code: 'wallet/insufficient-balance' })
    await small[Symbol.asyncDispose]()
    const stranger = service.wallet.connection('sotto').replace(/secret=.*/, `secret=${'11'.repeat(32)}`)
    const foreign = createNwcWallet(readNwcConnection(stranger), { now: () => service.clock.now })
    await expect(foreign.capabilities()).rejects.toMatchObject({ code: 'wallet/refused' })
    await foreign[Symbol.asyncDispose]()
  })

  test('doesn’t run before it is requested', async () => {
    const servers = () => process.getActiveResourcesInfo().filter((name) => name === 'TCPServerWrap').length
    const before = servers()
    await using bare = await startService()
    await bare.call('GET', '/topup/payment-methods')
    expect(servers()).toBe(before + 1)
    expect((await bare.sandbox.wallet()).connection('sotto')).toMatch(/^nostr\+walletconnect:/)
    expect(servers()).toBe(before + 2)
    expect(await bare.sandbox.wallet()).toBe(await bare.sandbox.wallet())
  })
})

describe('a wallet saved with the ledger', () => {
  test('has its keys, payments and balance after a restart, and pending payments are refunded', async () => {
    const folder = await sandboxFolder()
    const first = await startWithWallet({ folder, ledger: 'file' })
    const [invoice, heldInvoice] = [await first.challenge(), await first.challenge()]
    const askFirst = (which: string) =>
      first.nwc.pay(which, { expiresAt: first.clock.now + 300_000, signal: open })
    expect(await askFirst(invoice)).toMatchObject({ outcome: 'paid' })
    const left = first.wallet.balance()
    await first.wallet.setFault('held')
    const waiting = askFirst(heldInvoice)
    await vi.waitFor(() => expect(first.wallet.payments().at(-1)?.state).toBe('accepted'))
    const { publicKey } = first.wallet
    // Simulates a process that ends: the fault is never lifted.
    await first.nwc[Symbol.asyncDispose]()
    await waiting
    const copiedFolder = await import('node:fs/promises').then(async ({ cp, mkdtemp }) => {
      const copy = await mkdtemp(`${folder}-copy-`)
      await cp(folder, copy, { recursive: true })
      return copy
    })
    await first[Symbol.asyncDispose]()
    await using again = await startWithWallet({ folder: copiedFolder, ledger: 'file' })
    expect([again.wallet.publicKey, again.wallet.balance()]).toEqual([publicKey, left])
    expect(await again.nwc.lookUp(hashOf(invoice), open)).toMatchObject({ state: 'settled' })
    expect(await again.nwc.lookUp(hashOf(heldInvoice), open)).toEqual({ state: 'failed' })
  })
})

describe('a fault', () => {
  test.each([
    ['insufficient-balance', { outcome: 'refused', code: 'wallet/insufficient-balance' }, 'failed', false],
    ['quota', { outcome: 'refused', code: 'wallet/budget-exceeded' }, 'failed', false],
    ['payment-failed', { outcome: 'unknown' }, 'failed', false],
    ['empty-preimage', { outcome: 'unknown' }, 'settled', true],
  ] as const)('%s', async (fault, outcome, state, gone) => {
    await service.wallet.setFault(fault)
    const invoice = await service.challenge()
    expect(await pay(invoice)).toEqual(outcome)
    expect(await lookUp(invoice)).toMatchObject({ state })
    expect(service.wallet.balance() < start).toBe(gone)
  })

  test('a wrong preimage proves nothing, and a lookup returns the right one', async () => {
    await service.wallet.setFault('wrong-preimage')
    const invoice = await service.challenge()
    const paid = await pay(invoice)
    expect(paid.outcome === 'paid' && proves(paid.preimage, invoice)).toBe(false)
    const found = await lookUp(invoice)
    expect(found.state === 'settled' && proves(found.preimage ?? '', invoice)).toBe(true)
  })

  test.each([
    ['silent', 'not-found'],
    ['lost-reply', 'settled'],
  ] as const)('%s: no reply comes, and a lookup returns %s', async (fault, state) => {
    const impatient = createNwcWallet(readNwcConnection(service.wallet.connection('sotto')), {
      now: () => service.clock.now,
      timeouts: { pay: 300, answer: 15_000 },
    })
    await service.wallet.setFault(fault)
    const invoice = await service.challenge()
    expect(await impatient.pay(invoice, { expiresAt: service.clock.now + 300_000, signal: open })).toEqual({
      outcome: 'unknown',
    })
    await expect.poll(async () => (await lookUp(invoice)).state).toBe(state)
    await impatient[Symbol.asyncDispose]()
  })

  test.each([
    ['late-reply', 'settled'],
    ['held', 'accepted'],
  ] as const)(
    '%s: the reply comes when the fault ends, and until then a lookup returns %s',
    async (fault, state) => {
      await service.wallet.setFault(fault)
      const invoice = await service.challenge()
      const paid = pay(invoice)
      await vi.waitFor(() => expect(service.wallet.payments()[0]?.state).toBe(state), { timeout: 60_000 })
      expect(await lookUp(invoice)).toMatchObject({ state: state === 'accepted' ? 'held' : 'settled' })
      await service.wallet.setFault(null)
      expect(await paid).toMatchObject({ outcome: 'paid' })
    },
  )

  test('forgetful: the invoice is paid, and a lookup doesn’t find it', async () => {
    await service.wallet.setFault('forgetful')
    const invoice = await service.challenge()
    expect(await pay(invoice)).toMatchObject({ outcome: 'paid' })
    expect(await lookUp(invoice)).toEqual({ state: 'not-found' })
    await service.wallet.setFault(null)
    expect(await lookUp(invoice)).toMatchObject({ state: 'settled' })
  })

  test('relay-gone: nothing is sent or looked up, and everything works once the relay is back', async () => {
    await service.wallet.setFault('relay-gone')
    const invoice = await service.challenge()
    expect(await pay(invoice)).toEqual({ outcome: 'not-paid', code: 'wallet/unreachable' })
    expect(await lookUp(invoice)).toEqual({ state: 'unreachable' })
    await service.wallet.setFault(null)
    expect(await pay(invoice)).toMatchObject({ outcome: 'paid' })
  })

  test('relay-gone while a payment is held: the reply comes through the restored relay', async () => {
    await service.wallet.setFault('held')
    const invoice = await service.challenge()
    const paid = pay(invoice)
    await vi.waitFor(() => expect(service.wallet.payments()[0]?.state).toBe('accepted'), { timeout: 60_000 })
    await service.wallet.setFault('relay-gone')
    await service.wallet.setFault(null)
    // The wallet may have answered before this line is connected again. In that case, a lookup finds the payment.
    await vi.waitFor(async () => expect(await lookUp(invoice)).toMatchObject({ state: 'settled' }), {
      timeout: 60_000,
    })
    await service.nwc[Symbol.asyncDispose]()
    expect(['paid', 'unknown']).toContain((await paid).outcome)
  })

  test('is set by the owner of a sandbox that runs separately', async () => {
    await using standalone = await startService({ controlToken: 'token' })
    const order = async (body: object) =>
      (await standalone.call('POST', '/_sandbox/control', {
        headers: { 'x-sandbox-control': 'token' },
        body,
      })) as unknown as { status: number; body: Record<string, unknown> }
    expect((await order({ do: 'wallet-fault', fault: 'quota' })).status).toBe(200)
    expect((await order({ do: 'wallet-fault', fault: 'constructor' })).status).toBe(404)
    const { body } = await order({ do: 'wallet' })
    expect(body).toMatchObject({ fault: 'quota', balance_msat: '500000000', payments: [] })
    const wallet = createNwcWallet(readNwcConnection(String(body['connection'])), {
      now: () => standalone.clock.now,
    })
    expect(
      await wallet.pay(await challengeOf(standalone), {
        expiresAt: standalone.clock.now + 60_000,
        signal: open,
      }),
    ).toMatchObject({ code: 'wallet/budget-exceeded' })
    await wallet[Symbol.asyncDispose]()
    expect((await order({ do: 'wallet' })).body['payments']).toMatchObject([{ state: 'failed', asked: 1 }])
  })
})

describe('the automatic top-up', () => {
  const balance = async (from: NwcWalletService, apiKey: string) =>
    (await from.call('POST', '/credits/balance', { headers: bearer(apiKey) })).body.balance

  test('charges the wallet through its own connection', async () => {
    const { account } = service
    service.control.setBalance(account.creditId, 6n * dollar)
    expect(
      (
        await service.call('POST', '/nwc-auto-topup/connect', {
          headers: creditId(account.creditId),
          body: { nwc_url: service.wallet.connection('service'), threshold_usd: 6, topup_amount_usd: 10 },
        })
      ).status,
    ).toBe(200)
    await service.call('POST', '/chat/completions', { headers: bearer(account.apiKey), body: question })
    await expect.poll(() => balance(service, account.apiKey)).toBeGreaterThan(15)
    expect(service.wallet.payments()).toMatchObject([
      { connection: 'service', state: 'settled', amountMsat: 12_500_000n },
    ])
    expect(service.control.unbalanced()).toEqual([])
  })

  test('finds the wallet after a restart, at its new port', async () => {
    const folder = await sandboxFolder()
    const first = await startWithWallet({ folder, ledger: 'file' })
    const { account } = first
    await first.call('POST', '/nwc-auto-topup/connect', {
      headers: creditId(account.creditId),
      body: { nwc_url: first.wallet.connection('service'), threshold_usd: 5, topup_amount_usd: 10 },
    })
    await first[Symbol.asyncDispose]()
    // While the wallet is down, another service takes its port.
    const again = await startService({ folder, ledger: 'file' })
    try {
      again.control.setBalance(account.creditId, 4n * dollar)
      await again.call('POST', '/chat/completions', { headers: bearer(account.apiKey), body: question })
      await expect
        .poll(
          async () =>
            (await again.call('POST', '/credits/balance', { headers: bearer(account.apiKey) })).body.balance,
        )
        .toBeGreaterThan(13)
    } finally {
      await again[Symbol.asyncDispose]()
    }
  })
})

describe('the relay', () => {
  test('refuses connections from browser pages', async () => {
    const relay = new URL(readNwcConnection(service.wallet.connection('sotto')).relays[0] ?? '')
    expect(relay.hostname).toBe('127.0.0.1')
    const refused = await new Promise<number | undefined>((resolve) => {
      const socket = new WebSocket(relay, { origin: 'https://evil.example' })
      socket.on('unexpected-response', (_request, response) => resolve(response.statusCode))
      socket.on('error', () => undefined)
      socket.on('open', () => resolve(undefined))
    })
    expect(refused).toBe(401)
  })

  test('continues after a malformed message', async () => {
    const socket = new WebSocket(readNwcConnection(service.wallet.connection('sotto')).relays[0] ?? '')
    const notice = new Promise<string>((resolve) =>
      socket.on('message', (data: Buffer) => resolve(data.toString())),
    )
    socket.on('open', () => socket.send('{"'))
    expect(await notice).toContain('NOTICE')
    socket.terminate()
    expect(await service.nwc.balance()).toBe(start)
  })
})

describe('an invoice', () => {
  test('is read with the same result as another decoder', async () => {
    for (let round = 0; round < 5; round++) {
      const invoice = await service.challenge()
      const { msat, paymentHash } = readInvoice(invoice)
      expect(readPayable(invoice.toUpperCase())).toEqual({ invoice, paymentHash, amountMsat: msat })
    }
  })

  test.each(['', 'lnbcrt', 'lnbc1', 'lnbcrt1qqqq', `lnbcrt10u1${'q'.repeat(200)}`])(
    'is refused if it is malformed: %s',
    (text) => expect(readPayable(text)).toBeUndefined(),
  )
})

describe('the SDK of another maker', () => {
  test('has a client that the wallet answers', async () => {
    const quiet = vi.spyOn(console, 'error').mockImplementation(() => undefined)
    // This wallet uses the machine's clock.
    await using now = await startWithWallet({ now: Date.now })
    const client = new NWCClient({ nostrWalletConnectUrl: now.wallet.connection('sotto') })
    expect(await client.getWalletServiceInfo()).toMatchObject({
      encryptions: ['nip44_v2'],
      capabilities: expect.arrayContaining(['pay_invoice', 'lookup_invoice']) as string[],
    })
    expect(await client.getInfo()).toMatchObject({ network: 'regtest', pubkey: now.wallet.publicKey })
    expect(await client.getBalance()).toEqual({ balance: Number(start) })
    expect(await client.getBudget()).toMatchObject({ used_budget: 0, renewal_period: 'monthly' })
    const invoice = await now.challenge()
    const { preimage, fees_paid: fee } = await client.payInvoice({ invoice })
    expect([proves(preimage, invoice), fee]).toEqual([true, 504])
    expect(await client.lookupInvoice({ invoice })).toMatchObject({
      state: 'settled',
      preimage,
      payment_hash: hashOf(invoice),
      amount: 504_000,
    })
    await expect(client.lookupInvoice({ payment_hash: '00'.repeat(32) })).rejects.toMatchObject({
      code: 'NOT_FOUND',
    })
    await expect(client.payInvoice({ invoice })).rejects.toMatchObject({ code: 'OTHER' })
    await expect(client.payInvoice({ invoice: await now.challenge(), amount: 1 })).rejects.toMatchObject({
      code: 'OTHER',
    })
    await expect(client.signMessage({ message: 'x' })).rejects.toMatchObject({ code: 'NOT_IMPLEMENTED' })
    await now.wallet.setFault('quota')
    await expect(client.payInvoice({ invoice: await now.challenge() })).rejects.toMatchObject({
      code: 'QUOTA_EXCEEDED',
    })
    client.close()
    quiet.mockRestore()
  })

  test('has a wallet that answers our client', async () => {
    const quiet = vi.spyOn(console, 'warn').mockImplementation(() => undefined)
    const relay = new LocalRelay(Date.now)
    await relay.open()
    const [walletKey, clientKey] = [randomBytes(32).toString('hex'), randomBytes(32)]
    const { invoice, preimage } = mintInvoice({ timestamp: Math.floor(Date.now() / 1000) })
    const asked: unknown[] = []
    const theirs = new NWCWalletService({ relayUrls: [relay.url] })
    await theirs.publishWalletServiceInfoEvent(
      walletKey,
      ['get_info', 'pay_invoice', 'lookup_invoice', 'get_balance'],
      [],
    )
    const unsubscribe = await theirs.subscribe(
      new NWCWalletServiceKeyPair(walletKey, publicKeyOf(clientKey)),
      {
        getInfo: () =>
          Promise.resolve({
            result: {
              alias: 'Theirs',
              color: '',
              pubkey: '',
              network: 'regtest',
              block_height: 1,
              block_hash: '',
              methods: ['get_info', 'pay_invoice', 'lookup_invoice', 'get_balance'],
            },
            error: undefined,
          }),
        getBalance: () => Promise.resolve({ result: { balance: 42 }, error: undefined }),
        payInvoice: (request) => {
          asked.push(request)
          return Promise.resolve(
            request.invoice === invoice
              ? { result: { preimage, fees_paid: 7 }, error: undefined }
              : { result: undefined, error: { code: 'INSUFFICIENT_BALANCE', message: 'no' } },
          )
        },
        lookupInvoice: ({ payment_hash: hash = '' }) =>
          Promise.resolve({
            result: {
              type: 'outgoing',
              state: 'failed',
              invoice: invoice,
              description: '',
              description_hash: '',
              preimage: '',
              payment_hash: hash,
              amount: 1,
              fees_paid: 0,
              settled_at: 0,
              created_at: 0,
              expires_at: 0,
            },
            error: undefined,
          }),
      },
    )
    const ours = createNwcWallet(
      readNwcConnection(
        `nostr+walletconnect://${publicKeyOf(Buffer.from(walletKey, 'hex'))}?relay=${encodeURIComponent(relay.url)}&secret=${clientKey.toString('hex')}`,
      ),
      { now: Date.now },
    )
    expect(await ours.capabilities()).toEqual({
      methods: ['get_info', 'pay_invoice', 'lookup_invoice', 'get_balance'],
      canLookUp: true,
      alias: 'Theirs',
      network: 'regtest',
    })
    expect(await ours.balance()).toBe(42n)
    expect(await ours.budget()).toBeUndefined()
    const until = { expiresAt: Date.now() + 60_000, signal: open }
    expect(await ours.pay(invoice, until)).toEqual({ outcome: 'paid', preimage, feeMsat: 7n })
    expect(await ours.pay('lnbcrt2', until)).toEqual({
      outcome: 'refused',
      code: 'wallet/insufficient-balance',
    })
    expect(asked).toEqual([{ invoice: invoice }, { invoice: 'lnbcrt2' }])
    expect(await ours.lookUp('cd'.repeat(32), open)).toEqual({ state: 'failed' })
    await ours[Symbol.asyncDispose]()
    unsubscribe()
    // The library ends the process if it is closed before the relay has acknowledged the last event.
    await theirs.publishWalletServiceInfoEvent(walletKey, ['pay_invoice'], [])
    theirs.close()
    await relay.close()
    quiet.mockRestore()
  })
})
