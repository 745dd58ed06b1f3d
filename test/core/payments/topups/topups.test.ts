import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { createTopups } from '../../../../src/core/payments/topups/topups.ts'
import { checkAnswer, type Asked } from '../../../../src/core/payments/topups/invoice-check.ts'
import { pause } from '../../../../src/core/payments/topups/topup-poll.ts'
import type { Topups } from '../../../../src/core/payments/topups/topups.ts'
import { createPayer, type LightningWallet, type Payer } from '../../../../src/core/payments/index.ts'
import { coinsOf } from '../../../../src/core/payments/uri.ts'
import type { TopupInvoice } from '../../../../src/core/gateway/service/account/topup-invoice.ts'
import { SkippedEntries } from '../../../../src/core/gateway/relay/index.ts'
import { createStore, type Store } from '../../../../src/core/storage/index.ts'
import { createOutboundFetch } from '../../../../src/host/outbound-fetch.ts'
import { startSandbox, type Sandbox, type SandboxControl } from '../../../../src/sandbox/index.ts'
import { SottoError } from '../../../../src/shared/errors.ts'
import type { Fetch } from '../../../../src/shared/fetch.ts'
import type { Topup } from '../../../../src/shared/topup.ts'
import { mintInvoice } from '../mint-invoice.ts'
import { limitClockOf } from '../scripted-clock.ts'
import { sandboxFolder } from '../../../sandbox/cached-roots.ts'

const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE
const KEY = new Uint8Array(32).fill(7)
const HEX_A = 'a1'.repeat(32)

const network = createOutboundFetch()
const clock = { ahead: 0 }
const now = () => Date.now() + clock.ahead

let folder = ''
let sandbox: Sandbox
let control: SandboxControl
let account: { creditId: string; apiKey: string }
let store: Store
let topups: Topups
/** Replaces the service's answers. Receives the path and the original answer. */
let lie: ((path: string, original: Record<string, unknown>) => object | number | undefined) | undefined
/** `METHOD /path key` of every request. */
const sent: string[] = []
let active: string | null = 'first'
const keys = new Map<string, string>()
let wallet: LightningWallet | null = null
let confirms = true
let payer: Payer

const lying: Fetch = async (url, init) => {
  const { pathname } = new URL(url)
  const headers: Readonly<Record<string, string | undefined>> = init.headers
  sent.push(`${init.method} ${pathname} ${(headers['authorization'] ?? '-').replace('Bearer ', '')}`)
  const response = await network.fetch(url, init)
  if (!lie) return response
  const parts: Uint8Array[] = []
  for await (const part of response.body ?? []) parts.push(part)
  const text = Buffer.concat(parts).toString()
  const change = lie(pathname, JSON.parse(text === '' ? '{}' : text) as Record<string, unknown>)
  const status = typeof change === 'number' ? change : response.status
  async function* body(): AsyncGenerator<Uint8Array, void> {
    await Promise.resolve()
    yield Buffer.from(typeof change === 'object' ? JSON.stringify(change) : text)
  }
  return { status, headers: response.headers, body: body() }
}

beforeEach(() => {
  clock.ahead = 0
  lie = undefined
  wallet = null
  confirms = true
  active = 'first'
  sent.length = 0
  folder = mkdtempSync(join(tmpdir(), 'sotto-topups-'))
  store = createStore({ folder: null, key: KEY, now })
})
afterEach(async () => {
  await topups[Symbol.asyncDispose]()
  await payer[Symbol.asyncDispose]()
  store.close()
  await sandbox.close()
  rmSync(folder, { recursive: true, force: true })
})

async function begin(revision: 'A' | 'B' = 'B'): Promise<void> {
  sandbox = await startSandbox({
    folder: await sandboxFolder(),
    pace: 'none',
    ledger: 'memory',
    revision,
    now,
  })
  control = await sandbox.control()
  account = control.createAccount(0n)
  keys.clear()
  keys.set('first', account.apiKey)
  open()
}

function open(): void {
  payer = createPayer({
    journal: store.payments,
    files: store.deliveredFiles,
    wallet: () => wallet,
    transport: {
      send: () => Promise.reject(new Error('not here')),
      fetchOwn: () => Promise.reject(new Error('not here')),
    },
    service: { host: new URL(sandbox.baseUrl).host, lightningNetwork: 'regtest', kind: 'sandbox' },
    limits: () => ({
      perPayment: 10n ** 12n,
      perDay: 10n ** 12n,
      perHostAndDay: 10n ** 12n,
      automaticUpTo: 0n,
    }),
    confirm: {
      ask: () => Promise.resolve(confirms),
      pending: () => null,
      answer: () => ({ accepted: false }),
    },
    now,
    limitClock: limitClockOf(now),
    monotonic: now,
    requireIntact: () => undefined,
    resumedAt: { read: () => 0, write: () => undefined },
  })
  const access = (id: string | null) => {
    const apiKey = id === null ? undefined : keys.get(id)
    if (id !== null && apiKey === undefined) throw new SottoError('account/unknown')
    return { baseUrl: sandbox.baseUrl, ...(apiKey !== undefined && { apiKey }) }
  }
  topups = createTopups({
    store,
    payer,
    fetch: lying,
    now,
    accounts: { activeId: () => active, accessOf: access, access: () => access(active) },
    service: { name: 'A & B', kind: 'sandbox', lightningNetwork: 'regtest' },
    skipped: new SkippedEntries(),
    pause: () => 5,
  })
}

async function restart(): Promise<void> {
  await topups[Symbol.asyncDispose]()
  await payer[Symbol.asyncDispose]()
  store.close()
  store = createStore({ folder, key: KEY, now })
  open()
}

const asked = (method: Asked['method'], amount: string, currency: Asked['currency']): Asked => ({
  method,
  amount,
  currency,
})
const code = (expected: string): unknown => expect.objectContaining({ code: expected })
const invoiceId = (topup: Topup) => store.topups.get(topup.id)?.invoiceId ?? expect.unreachable()
const stateOf = (topup: Topup) => topups.list().find(({ id }) => id === topup.id)?.state
const created = () => sent.filter((line) => line.startsWith('POST')).length

/** Follows the top-ups; `seen` collects the updates. */
function follow(): { seen: Topup[][]; stop: () => Promise<void> } {
  const stopped = new AbortController()
  const seen: Topup[][] = []
  const reading = (async () => {
    for await (const list of topups.watch(stopped.signal)) seen.push(list)
  })()
  return { seen, stop: () => (stopped.abort(), reading) }
}

describe.each(['A', 'B'] as const)('top-ups, Revision %s', (revision) => {
  beforeEach(() => begin(revision))

  test('offer the methods with their current limits', async () => {
    const methods = await topups.methods()
    expect(methods.map(({ method }) => method)).toEqual(['btc-lightning', 'btc', 'ltc', 'lbtc', 'xmr'])
    expect(methods[0]).toEqual({
      method: 'btc-lightning',
      displayName: 'Bitcoin Lightning',
      currencies: [
        { currency: 'SATS', min: '100', max: '1000000' },
        { currency: 'BTC', min: '0.000001', max: '0.01' },
        { currency: 'USD', min: '0.1', max: '1000' },
      ],
    })
  })

  test.each([
    [asked('btc-lightning', '12345', 'SATS'), /^LIGHTNING:LNBCRT123450N1[0-9A-Z]+$/, '0.00012345'],
    [asked('btc-lightning', '0.0001', 'BTC'), /^LIGHTNING:LNBCRT/, '0.0001'],
    [asked('btc-lightning', '1', 'USD'), /^LIGHTNING:LNBCRT/, '0.0000125'],
    [asked('btc', '10', 'USD'), /^bitcoin:bcrt1[0-9a-z]+\?amount=0\.000125&label=A%20%26%20B$/, '0.000125'],
    [asked('btc', '20000', 'SATS'), /^bitcoin:bcrt1[0-9a-z]+\?amount=0\.0002&label=A%20%26%20B$/, '0.0002'],
    [asked('ltc', '2.5', 'USD'), /^litecoin:rltc1[0-9a-z]+\?amount=0\.025&label=A%20%26%20B$/, '0.025'],
    [
      asked('lbtc', '2', 'USD'),
      /^liquidnetwork:ert1[0-9a-z]+\?amount=0\.000025&assetid=[0-9a-f]{64}&label=A%20%26%20B$/,
      '0.000025',
    ],
    [
      asked('xmr', '5', 'USD'),
      /^monero:5[0-9A-Za-z]{94}\?tx_amount=0\.015625&recipient_name=A%20%26%20B$/,
      '0.015625',
    ],
  ])('are created and shown for payment: %o', async (wanted, uri, coinAmount) => {
    const topup = await topups.create(wanted)
    expect(topup).toMatchObject({
      ...wanted,
      accountId: 'first',
      state: 'new',
      payable: false,
      coinAmount,
      uri: expect.stringMatching(uri) as string,
    })
    expect(topup.expiresAt).toBeGreaterThan(now() + 14 * MINUTE)
    expect(topup.problem).toBeUndefined()
    expect(wanted.method === 'btc-lightning' ? topup.lightningInvoice : topup.address).toBeDefined()
    expect(topups.list()).toEqual([topup])
    expect(await control.settleTopup(invoiceId(topup))).toBe('settled')
    expect(await topups.check(topup.id)).toMatchObject({ state: 'settled' })
  })
})

describe('top-ups', () => {
  beforeEach(() => begin())

  test.each([
    asked('btc-lightning', '99', 'SATS'),
    asked('btc-lightning', '1000001', 'SATS'),
    asked('btc-lightning', '100.5', 'SATS'),
    asked('btc-lightning', '0', 'SATS'),
    asked('btc-lightning', '0.099', 'USD'),
    asked('btc', '9.99', 'USD'),
    asked('xmr', '10000.01', 'USD'),
    asked('btc-lightning', '1.001', 'USD'),
    asked('btc-lightning', '0.000000999', 'BTC'),
    asked('btc-lightning', '999999999999.99999999', 'BTC'),
  ])('outside the limits are refused before they are requested: %o', async (wanted) => {
    await expect(topups.create(wanted)).rejects.toEqual(code('topup/amount-out-of-range'))
    expect([created(), store.topups.list()]).toEqual([0, []])
  })

  test('follow changed limits, and need the method and its currency', async () => {
    lie = (path, original) =>
      path.endsWith('/payment-methods')
        ? {
            supported_methods: [
              {
                method: 'btc-lightning',
                supported_currencies: ['SATS', 'EUR'],
                limits: { SATS: { min: '500', max: 6e2 } },
              },
              { method: 'doge', supported_currencies: ['USD'], limits: {} },
            ],
          }
        : original
    expect(await topups.methods()).toEqual([
      {
        method: 'btc-lightning',
        displayName: 'btc-lightning',
        currencies: [{ currency: 'SATS', min: '500', max: '600' }],
      },
    ])
    for (const wanted of [
      asked('btc-lightning', '499', 'SATS'),
      asked('btc-lightning', '601', 'SATS'),
      asked('btc-lightning', '1', 'USD'),
      asked('btc', '10', 'USD'),
    ])
      await expect(topups.create(wanted)).rejects.toEqual(code('topup/amount-out-of-range'))
    expect(created()).toBe(0)
    expect(await topups.create(asked('btc-lightning', '600', 'SATS'))).toMatchObject({ state: 'new' })
  })

  test('need an account, and are checked with its key', async () => {
    active = null
    await expect(topups.create(asked('btc-lightning', '100', 'SATS'))).rejects.toEqual(
      code('service/no-account'),
    )
    active = 'first'
    const topup = await topups.create(asked('btc-lightning', '100', 'SATS'))
    keys.set('second', control.createAccount(0n).apiKey)
    active = 'second'
    sent.length = 0
    expect(await topups.check(topup.id)).toMatchObject({ state: 'new', accountId: 'first' })
    // The background task checks it as well.
    expect(new Set(sent)).toEqual(new Set([`GET /topup/status/${invoiceId(topup)} ${account.apiKey}`]))
    keys.delete('first')
    await expect(topups.check(topup.id)).rejects.toEqual(code('account/unknown'))
    expect(() => topups.forget(topup.id)).toThrow(code('topup/pending'))
    clock.ahead += 16 * MINUTE
    topups.forget(topup.id)
    expect(topups.list()).toEqual([])
  })

  test('that are unknown are refused with their code', async () => {
    await expect(topups.check('none')).rejects.toEqual(code('topup/unknown'))
    await expect(
      topups.payFromWallet('none', { caller: { kind: 'window' }, from: 'window', signal: undefined }),
    ).rejects.toEqual(code('topup/unknown'))
    expect(() => topups.forget('none')).toThrow(code('topup/unknown'))
  })

  test('are reported to a watch when they are paid, expire or are removed', async () => {
    const { seen, stop } = follow()
    await vi.waitFor(() => expect(seen).toEqual([[]]))
    const paid = await topups.create(asked('btc-lightning', '100', 'SATS'))
    const unpaid = await topups.create(asked('ltc', '5', 'USD'))
    expect(() => topups.forget(paid.id)).toThrow(code('topup/pending'))
    await control.pay(paid.lightningInvoice ?? '')
    await vi.waitFor(() =>
      expect(seen.flat().findLast(({ id }) => id === paid.id)).toMatchObject({ state: 'settled' }),
    )
    expect(stateOf(unpaid)).toBe('new')
    clock.ahead += 61 * MINUTE
    await vi.waitFor(() =>
      expect(seen.flat().findLast(({ id }) => id === unpaid.id)).toMatchObject({ state: 'expired' }),
    )
    const last = topups.list()
    for (const topup of last)
      for (const member of ['uri', 'lightningInvoice', 'address']) expect(topup).not.toHaveProperty(member)
    // The settled one is final. Money can still arrive for the expired one, so its status is requested until the
    // service has deleted it.
    sent.length = 0
    await vi.waitFor(() => expect(sent.length).toBeGreaterThan(1))
    expect(new Set(sent)).toEqual(new Set([`GET /topup/status/${invoiceId(unpaid)} ${account.apiKey}`]))
    clock.ahead += 4 * DAY
    await vi.waitFor(() =>
      expect(seen.flat().findLast(({ id }) => id === unpaid.id)).toEqual(
        last.find(({ id }) => id === unpaid.id),
      ),
    )
    await stop()
    await vi.waitFor(() => expect(store.topups.get(unpaid.id)?.missingSince).toBeDefined())
    sent.length = 0
    const again = follow()
    await vi.waitFor(() => expect(again.seen).toEqual([last]))
    await again.stop()
    expect(sent).toEqual([])
    topups.forget(paid.id)
    expect(topups.list().map(({ id }) => id)).toEqual([unpaid.id])
  })

  test('are not shown for payment after their expiry, whatever the service reports', async () => {
    const topup = await topups.create(asked('btc-lightning', '100', 'SATS'))
    lie = (_path, original) => ({ ...original, status: 'New' })
    clock.ahead = (topup.expiresAt ?? 0) - Date.now() - 5_000
    expect(topups.list()[0]?.uri).toBe(topup.uri)
    clock.ahead += 5_000
    expect(topups.list()[0]).not.toHaveProperty('uri')
    expect(topups.list()[0]).not.toHaveProperty('lightningInvoice')
    await expect(
      topups.payFromWallet(topup.id, { caller: { kind: 'window' }, from: 'window', signal: undefined }),
    ).rejects.toEqual(code('payment/expired'))
  })

  test.each([
    ['Processing', 'processing'],
    ['Invalid', 'invalid'],
    ['Paid by carrier pigeon', 'unknown'],
    [undefined, 'unknown'],
  ])('of the state %j are not shown for payment', async (status, state) => {
    const topup = await topups.create(asked('btc', '10', 'USD'))
    lie = (_path, original) => ({ ...original, status })
    const looked = await topups.check(topup.id)
    expect(looked).toMatchObject({ state })
    expect(looked).not.toHaveProperty('uri')
    expect(looked).not.toHaveProperty('address')
    lie = undefined
    expect(await topups.check(topup.id)).toEqual(topup)
  })

  test('survive a restart, and are checked by the next process', async () => {
    store.moveTo(folder, KEY)
    const topup = await topups.create(asked('btc-lightning', '100', 'SATS'))
    await topups[Symbol.asyncDispose]()
    await control.pay(topup.lightningInvoice ?? '')
    await restart()
    expect(topups.list()).toMatchObject([{ id: topup.id }])
    sent.length = 0
    topups.resume()
    await vi.waitFor(() => expect(topups.list()).toMatchObject([{ state: 'settled' }]))
    expect(sent.length).toBeGreaterThan(0)
  })

  test('are stored before they are reported, and not reported if the store refuses them', async () => {
    const put = vi.spyOn(store.topups, 'put').mockImplementation(() => {
      throw new SottoError('store/unwritable')
    })
    await expect(topups.create(asked('btc-lightning', '100', 'SATS'))).rejects.toEqual(
      code('store/unwritable'),
    )
    put.mockRestore()
    expect(topups.list()).toEqual([])
  })

  test('that the service doesn’t know can’t be paid, and expire some days after their end', async () => {
    const topup = await topups.create(asked('btc-lightning', '100', 'SATS'))
    lie = (path, original) => (path.includes('/status/') ? 404 : original)
    const missing = await topups.check(topup.id)
    expect(missing).toMatchObject({ state: 'unknown' })
    expect(missing).not.toHaveProperty('uri')
    expect(() => topups.forget(topup.id)).toThrow(code('topup/pending'))
    lie = undefined
    expect(await topups.check(topup.id)).toEqual(topup)
    // The sandbox deletes it automatically, three days after its end.
    clock.ahead += 15 * MINUTE + 3 * DAY + 1_000
    expect(await topups.check(topup.id)).toMatchObject({ state: 'expired' })
    topups.forget(topup.id)
  })

  test('stay unchanged if their check fails', async () => {
    const topup = await topups.create(asked('btc-lightning', '100', 'SATS'))
    lie = (_path, original) => ({ ...original, invoice_id: 'another' })
    await expect(topups.check(topup.id)).rejects.toEqual(code('service/response-invalid'))
    lie = () => 401
    await expect(topups.check(topup.id)).rejects.toEqual(code('service/key-refused'))
    expect(topups.list()).toEqual([topup])
  })

  test('keep their verified values, whatever the service reports later', async () => {
    const topup = await topups.create(asked('btc-lightning', '100', 'SATS'))
    const other = mintInvoice({ amount: '9m', timestamp: Math.floor(now() / 1000) }).invoice
    lie = (_path, original) => ({
      ...original,
      lightning_invoice: other,
      amount: 900_000,
      expires_at: Math.floor((now() + DAY) / 1000),
    })
    expect(await topups.check(topup.id)).toEqual(topup)
    wallet = walletThat((invoice) => expect(invoice).toBe(topup.lightningInvoice))
    await topups.payFromWallet(topup.id, { caller: { kind: 'window' }, from: 'window', signal: undefined })
    expect(walletAsked).toEqual([topup.lightningInvoice])
  })

  test('stay settled until the service reports a refund', async () => {
    const topup = await topups.create(asked('btc-lightning', '100', 'SATS'))
    await control.pay(topup.lightningInvoice ?? '')
    await topups.check(topup.id)
    lie = (_path, original) => ({ ...original, status: 'New' })
    expect(await topups.check(topup.id)).toMatchObject({ state: 'settled' })
    lie = (_path, original) => ({ ...original, status: 'Refunded' })
    expect(await topups.check(topup.id)).toMatchObject({ state: 'refunded' })
    expect(topups.list()).toMatchObject([{ id: topup.id, state: 'refunded' }])
  })

  const lies: [string, Asked, (original: Record<string, unknown>) => object, string][] = [
    [
      'another amount in the invoice',
      asked('btc-lightning', '100', 'SATS'),
      (original) => ({ ...original, lightning_invoice: minted('2u') }),
      'payment/wrong-amount',
    ],
    [
      'a thousandth of a satoshi more',
      asked('btc-lightning', '100', 'SATS'),
      (original) => ({ ...original, lightning_invoice: minted('1000010p') }),
      'payment/wrong-amount',
    ],
    [
      'no amount in the invoice',
      asked('btc-lightning', '100', 'SATS'),
      (original) => ({ ...original, lightning_invoice: minted('') }),
      'payment/no-amount',
    ],
    [
      'no amount, asked in dollars',
      asked('btc-lightning', '1', 'USD'),
      (original) => ({ ...original, lightning_invoice: minted('') }),
      'payment/no-amount',
    ],
    [
      'an invoice of the real network',
      asked('btc-lightning', '100', 'SATS'),
      (original) => ({ ...original, lightning_invoice: minted('1u', 'lnbc') }),
      'payment/wrong-network',
    ],
    [
      'an invoice that has run out',
      asked('btc-lightning', '100', 'SATS'),
      (original) => ({ ...original, lightning_invoice: minted('1u', 'lnbcrt', -3_600) }),
      'payment/expired',
    ],
    [
      'an end that has passed',
      asked('btc-lightning', '100', 'SATS'),
      (original) => ({ ...original, expires_at: Math.floor(now() / 1000) - 1 }),
      'payment/expired',
    ],
    [
      'a broken checksum',
      asked('btc-lightning', '100', 'SATS'),
      (original) => ({
        ...original,
        lightning_invoice: minted('1u').replace(/.$/, (last) => (last === 'q' ? 'p' : 'q')),
      }),
      'payment/invoice-invalid',
    ],
    [
      'no invoice',
      asked('btc-lightning', '100', 'SATS'),
      ({ lightning_invoice: _, ...original }) => original,
      'payment/invoice-invalid',
    ],
    [
      'an address in place of the invoice',
      asked('btc-lightning', '100', 'SATS'),
      ({ lightning_invoice: _, ...original }) => ({
        ...original,
        payment_address: 'bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080',
      }),
      'payment/invoice-invalid',
    ],
    [
      'another amount beside it',
      asked('btc-lightning', '100', 'SATS'),
      (original) => ({ ...original, amount: 1000 }),
      'payment/wrong-amount',
    ],
    [
      'another currency beside it',
      asked('btc-lightning', '100', 'SATS'),
      (original) => ({ ...original, currency: 'USD' }),
      'payment/wrong-amount',
    ],
    [
      'an address of the real network',
      asked('btc', '10', 'USD'),
      (original) => ({ ...original, payment_address: 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4' }),
      'payment/wrong-network',
    ],
    [
      'an address of another coin',
      asked('ltc', '5', 'USD'),
      (original) => ({ ...original, payment_address: 'bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080' }),
      'payment/wrong-network',
    ],
    [
      'an address with a slip in it',
      asked('btc', '10', 'USD'),
      (original) => ({ ...original, payment_address: 'bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt081' }),
      'payment/invoice-invalid',
    ],
    [
      'no address',
      asked('xmr', '5', 'USD'),
      ({ payment_address: _, ...original }) => original,
      'payment/invoice-invalid',
    ],
    [
      'no amount of the coin',
      asked('xmr', '5', 'USD'),
      ({ crypto_amount_due: _, ...original }) => original,
      'payment/no-amount',
    ],
    [
      'nothing of the coin',
      asked('ltc', '5', 'USD'),
      (original) => ({ ...original, crypto_amount_due: '0' }),
      'payment/no-amount',
    ],
    [
      'finer than the coin',
      asked('ltc', '5', 'USD'),
      (original) => ({ ...original, crypto_amount_due: '1e-9' }),
      'payment/no-amount',
    ],
    [
      'ten times as many bitcoin',
      asked('btc', '20000', 'SATS'),
      (original) => ({ ...original, crypto_amount_due: '0.002' }),
      'payment/wrong-amount',
    ],
    [
      'fewer than were asked for',
      asked('btc', '20000', 'SATS'),
      (original) => ({ ...original, crypto_amount_due: '0.0001' }),
      'payment/wrong-amount',
    ],
  ]
  test.each(lies)(
    'that differ from the request are saved with their problem, and never shown for payment: %s',
    async (_what, wanted, change, problem) => {
      lie = (path, original) => (path.includes('/create/') ? change(original) : original)
      await expect(topups.create(wanted)).rejects.toEqual(code('topup/invoice-invalid'))
      const [stored] = topups.list()
      expect(stored).toMatchObject({ ...wanted, problem, state: 'invalid' })
      for (const member of ['uri', 'lightningInvoice', 'address']) expect(stored).not.toHaveProperty(member)
      await expect(
        topups.payFromWallet(stored?.id ?? '', {
          caller: { kind: 'window' },
          from: 'window',
          signal: undefined,
        }),
      ).rejects.toEqual(code('topup/invoice-invalid'))
      // The service still reports it as new, which changes nothing.
      expect(await topups.check(stored?.id ?? '')).toEqual(stored)
      topups.forget(stored?.id ?? '')
      expect(topups.list()).toEqual([])
    },
  )
})

function minted(amount: string, prefix = 'lnbcrt', ahead = 0): string {
  return mintInvoice({ amount, prefix, timestamp: Math.floor(now() / 1000) + ahead, expirySeconds: 900 })
    .invoice
}

const walletAsked: string[] = []
/** A wallet that pays through the sandbox. */
function walletThat(look: (invoice: string) => void = () => undefined): LightningWallet {
  walletAsked.length = 0
  return {
    publicKey: HEX_A,
    canLookUp: true,
    async pay(invoice) {
      walletAsked.push(invoice)
      look(invoice)
      const paid = await control.pay(invoice)
      return 'preimage' in paid
        ? { outcome: 'paid', preimage: paid.preimage, feeMsat: 7n }
        : { outcome: 'not-paid', code: 'wallet/payment-failed' }
    },
    lookUp: () => Promise.resolve({ state: 'not-found' }),
  }
}

test('a partial payment is shown with the missing amount, and the rest settles the top-up', async () => {
  await begin()
  const topup = await topups.create(asked('btc', '20000', 'SATS'))
  expect(await control.receiveTopup(invoiceId(topup), 15_000n)).toBe('New')
  const part = await topups.check(topup.id)
  expect(part).toMatchObject({
    state: 'new',
    coinAmount: '0.0002',
    received: { paid: '0.00015', covers: 'part', due: '0.00005' },
    uri: expect.stringContaining('amount=0.00005&') as string,
  })
  expect(topups.list()).toEqual([part])
  expect(await control.receiveTopup(invoiceId(topup), 6_000n)).toBe('Settled')
  expect(await topups.check(topup.id)).toMatchObject({
    state: 'settled',
    received: { paid: '0.00021', covers: 'more' },
  })

  const late = await topups.create(asked('ltc', '5', 'USD'))
  await control.expireTopup(invoiceId(late))
  await topups.check(late.id)
  expect(await control.receiveTopup(invoiceId(late), 5_000_000n)).toBe('Expired')
  await vi.waitFor(() =>
    expect(topups.get(late.id)).toMatchObject({
      state: 'expired',
      received: { paid: '0.05', covers: 'whole' },
    }),
  )
})

describe('paying from the wallet', () => {
  beforeEach(() => begin())

  test('pays the invoice once, and drops the proof when the account is credited', async () => {
    wallet = walletThat()
    const { seen, stop } = follow()
    const topup = await topups.create(asked('btc-lightning', '2000', 'SATS'))
    const paid = await topups.payFromWallet(topup.id, {
      caller: { kind: 'window' },
      from: 'window',
      signal: undefined,
    })
    expect(['paid', 'delivered']).toContain(paid.payment)
    expect(paid).toMatchObject({ feeMsat: '7' })
    expect(paid).not.toHaveProperty('uri')
    expect(paid).not.toHaveProperty('lightningInvoice')
    await vi.waitFor(() => expect(seen.flat().at(-1)).toMatchObject({ id: topup.id, state: 'settled' }))
    await vi.waitFor(() =>
      expect(store.payments.list(10)).toMatchObject([
        { state: 'delivered', amountMsat: 2_000_000n, purpose: { kind: 'topup', topupId: topup.id } },
      ]),
    )
    expect(store.payments.list(10)[0]).not.toHaveProperty('preimage')
    await expect(
      topups.payFromWallet(topup.id, { caller: { kind: 'window' }, from: 'window', signal: undefined }),
    ).rejects.toEqual(code('payment/already-paid'))
    expect(walletAsked).toHaveLength(1)
    await stop()
  })

  test('needs a wallet and a confirmation; without them another wallet may still pay', async () => {
    const topup = await topups.create(asked('btc-lightning', '100', 'SATS'))
    await expect(
      topups.payFromWallet(topup.id, { caller: { kind: 'window' }, from: 'window', signal: undefined }),
    ).rejects.toEqual(code('wallet/not-connected'))
    wallet = walletThat()
    confirms = false
    await expect(
      topups.payFromWallet(topup.id, { caller: { kind: 'window' }, from: 'window', signal: undefined }),
    ).rejects.toBeInstanceOf(SottoError)
    expect(walletAsked).toEqual([])
    expect(topups.list()).toEqual([topup])
  })

  test('hides the payment code while it is in progress or unknown, and checks with the service', async () => {
    const outcome = Promise.withResolvers<{ outcome: 'unknown' }>()
    wallet = { ...walletThat(), pay: () => outcome.promise }
    const topup = await topups.create(asked('btc-lightning', '100', 'SATS'))
    const paying = topups.payFromWallet(topup.id, {
      caller: { kind: 'window' },
      from: 'window',
      signal: undefined,
    })
    await vi.waitFor(() => expect(topups.list()).toMatchObject([{ payment: 'paying' }]))
    expect(topups.list()[0]).not.toHaveProperty('uri')
    expect(topups.list()[0]).not.toHaveProperty('lightningInvoice')
    outcome.resolve({ outcome: 'unknown' })
    await paying
    expect(topups.list()).toMatchObject([{ state: 'new', payment: 'unknown' }])
    expect(topups.list()[0]).not.toHaveProperty('uri')
    // Expired at the service: it stays on the list, because money may still arrive.
    await control.expireTopup(invoiceId(topup))
    await topups.check(topup.id)
    expect(topups.list()).toMatchObject([{ state: 'expired' }])
    expect(() => topups.forget(topup.id)).toThrow(code('topup/pending'))
    await expect(
      topups.payFromWallet(topup.id, { caller: { kind: 'window' }, from: 'window', signal: undefined }),
    ).rejects.toEqual(code('payment/already-paid'))
  })

  test('leaves the invoice unpaid if a person closes it, and removable after its expiry', async () => {
    wallet = { ...walletThat(), pay: () => Promise.resolve({ outcome: 'unknown' }) }
    const topup = await topups.create(asked('btc-lightning', '100', 'SATS'))
    expect(topups.paymentOf(topup.id)).toBeUndefined()
    await topups.payFromWallet(topup.id, { caller: { kind: 'window' }, from: 'window', signal: undefined })
    payer.abandon(topups.paymentOf(topup.id)?.id ?? '')
    expect(topups.get(topup.id)).toMatchObject({ state: 'new', payment: 'closed' })
    expect(topups.get(topup.id)).not.toHaveProperty('uri')
    await expect(
      topups.payFromWallet(topup.id, { caller: { kind: 'window' }, from: 'window', signal: undefined }),
    ).rejects.toEqual(code('payment/already-paid'))
    expect(() => topups.forget(topup.id)).toThrow(code('topup/pending'))
    await control.expireTopup(invoiceId(topup))
    expect(await topups.check(topup.id)).toMatchObject({ state: 'expired' })
    topups.forget(topup.id)
    expect(topups.list()).toEqual([])
  })

  test('that surely failed leaves the top-up payable in another way', async () => {
    wallet = {
      ...walletThat(),
      pay: () => Promise.resolve({ outcome: 'not-paid', code: 'wallet/insufficient-balance' }),
    }
    const topup = await topups.create(asked('btc-lightning', '100', 'SATS'))
    expect(
      await topups.payFromWallet(topup.id, { caller: { kind: 'window' }, from: 'window', signal: undefined }),
    ).toEqual({ ...topup, payment: 'failed' })
  })

  test('is only possible for Lightning invoices', async () => {
    wallet = walletThat()
    const topup = await topups.create(asked('ltc', '5', 'USD'))
    await expect(
      topups.payFromWallet(topup.id, { caller: { kind: 'window' }, from: 'window', signal: undefined }),
    ).rejects.toEqual(code('topup/invoice-invalid'))
    expect(walletAsked).toEqual([])
  })

  test('whose process ended before the proof was dropped is completed by the next process', async () => {
    store.moveTo(folder, KEY)
    wallet = walletThat()
    const topup = await topups.create(asked('btc-lightning', '100', 'SATS'))
    await topups.payFromWallet(topup.id, { caller: { kind: 'window' }, from: 'window', signal: undefined })
    await topups[Symbol.asyncDispose]()
    const record = store.topups.get(topup.id) ?? expect.unreachable()
    const [payment] = store.payments.list(1)
    store.topups.put({ ...record, state: 'settled' })
    store.payments.put({ ...(payment ?? expect.unreachable()), state: 'paid', preimage: HEX_A })
    await restart()
    topups.resume()
    await vi.waitFor(() => expect(store.payments.list(1)).toMatchObject([{ state: 'delivered' }]))
  })
})

describe('the price of a top-up in dollars', () => {
  const answer = (sat: bigint): TopupInvoice => ({
    id: 'x',
    lightningInvoice: minted(`${String(sat * 10n)}n`),
  })
  const check = (sat: bigint, rate?: bigint) =>
    checkAnswer(asked('btc-lightning', '10', 'USD'), answer(sat), { network: 'regtest', now: now(), rate })
      .problem
  beforeEach(() => begin())

  test('must match a known rate within a quarter and 2,000 sat', () => {
    // At 80,000 USD for a bitcoin, ten dollars are 12,500 satoshi.
    const rate = 800_000_000n
    expect([
      check(12_500n, rate),
      check(1n, rate),
      check(17_625n, rate),
      check(17_626n, rate),
      check(125_000n, rate),
    ]).toEqual([undefined, undefined, undefined, 'payment/wrong-amount', 'payment/wrong-amount'])
    expect([check(125_000n), check(125_000n, 0n)]).toEqual([undefined, undefined])
  })

  test('is checked for on-chain bitcoin, too', () => {
    const onChain = (sat: bigint): TopupInvoice => ({
      id: 'x',
      paymentAddress: 'bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080',
      cryptoAmountDue: coinsOf('btc', sat),
    })
    const problem = (sat: bigint, rate?: bigint) =>
      checkAnswer(asked('btc', '10', 'USD'), onChain(sat), { network: 'regtest', now: now(), rate }).problem
    expect([problem(17_625n, 800_000_000n), problem(17_626n, 800_000_000n), problem(17_626n)]).toEqual([
      undefined,
      'payment/wrong-amount',
      undefined,
    ])
  })
})

test('new top-ups are checked often while someone watches, and older ones less often', async () => {
  await begin()
  const record = { createdAt: 0 } as Parameters<typeof pause>[0]
  const ages = [0, MINUTE, 5 * MINUTE, 60 * MINUTE, 5 * 60 * MINUTE, 2 * DAY]
  const watched = ages.map((age) => pause(record, age, true))
  expect(watched).toEqual(watched.toSorted((a, b) => a - b))
  expect(watched[0]).toBeLessThanOrEqual(5_000)
  expect(ages.map((age) => pause(record, age, false)).every((ms) => ms >= 2 * MINUTE)).toBe(true)
})
