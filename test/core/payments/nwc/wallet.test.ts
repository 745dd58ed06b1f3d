import fc from 'fast-check'
import { randomBytes } from 'node:crypto'
import { inspect } from 'node:util'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { lookedUpOf, outcomeOf } from '../../../../src/core/payments/nwc/answers.ts'
import {
  createNwcWallet,
  readNwcConnection,
  type NwcWallet,
  type NwcWalletOptions,
} from '../../../../src/core/payments/nwc/index.ts'
import { signEvent } from '../../../../src/sandbox/nwc/event.ts'
import { mintInvoice } from '../mint-invoice.ts'
import { startScriptedWallet, type Reply, type Script, type ScriptedWallet } from './scripted-wallet.ts'

const { invoice, preimage, paymentHash: hash } = mintInvoice({ timestamp: Math.floor(Date.now() / 1000) })
const paid: Reply = { result: { preimage, fees_paid: 21 } }
const open = new AbortController().signal
const soon = () => Date.now() + 60_000
const closing: AsyncDisposable[] = []

function walletOf(
  { connection }: Pick<ScriptedWallet, 'connection'>,
  options: Partial<NwcWalletOptions> = {},
): NwcWallet {
  const wallet = createNwcWallet(readNwcConnection(connection), { now: Date.now, ...options })
  closing.push(wallet)
  return wallet
}

async function scripted(script: Script | Script['answer'] = {}): Promise<ScriptedWallet> {
  const wallet = await startScriptedWallet(typeof script === 'function' ? { answer: script } : script)
  closing.push(wallet)
  return wallet
}

const impatient = { timeouts: { pay: 300, answer: 300 } }
const pay = (wallet: NwcWallet, signal = open) => wallet.pay(invoice, { expiresAt: soon(), signal })

const printed: unknown[][] = []
beforeEach(() => {
  printed.length = 0
  for (const name of ['log', 'info', 'warn', 'error', 'debug'] as const)
    vi.spyOn(console, name).mockImplementation((...args) => void printed.push(args))
})
afterEach(async () => {
  for (const one of closing.splice(0).reverse()) await one[Symbol.asyncDispose]()
  vi.restoreAllMocks()
  expect(printed).toEqual([])
})

describe('a payment', () => {
  test('contains the invoice and no amount, expires with the invoice, and is sealed to the wallet with NIP-44', async () => {
    const relay = await scripted(() => paid)
    const expiresAt = soon()
    expect(await walletOf(relay).pay(invoice, { expiresAt, signal: open })).toEqual({
      outcome: 'paid',
      preimage,
      feeMsat: 21n,
    })
    const [asked] = relay.asked
    expect(asked).toMatchObject({ method: 'pay_invoice', params: { invoice } })
    expect(Object.keys(asked?.params ?? {})).toEqual(['invoice'])
    const tags = Object.fromEntries(asked?.event.tags ?? []) as Record<string, string>
    expect(tags).toMatchObject({ encryption: 'nip44_v2', expiration: String(Math.floor(expiresAt / 1000)) })
    expect(asked?.event.content).not.toContain(invoice)
  })

  test('is sent on a connection that already listens, because no relay stores a reply', async () => {
    const relay = await scripted(() => paid)
    expect(await pay(walletOf(relay))).toMatchObject({ outcome: 'paid' })
    expect(relay.frames).toEqual([['REQ', 'EVENT']])
  })

  test('is sent through a relay that doesn’t send EOSE', async () => {
    const relay = await scripted({ withoutEose: true, answer: () => paid })
    expect(await pay(walletOf(relay))).toMatchObject({ outcome: 'paid' })
  })

  test('is sent to only one of several relays, and the response may come from another', async () => {
    const relay = await scripted({ relays: 3, answer: () => paid })
    for (let round = 0; round < 5; round++)
      expect(await pay(walletOf(relay))).toMatchObject({ outcome: 'paid' })
    expect(relay.asked).toHaveLength(5)
  })

  test.each([
    ['RATE_LIMITED', 'wallet/rate-limited'],
    ['NOT_IMPLEMENTED', 'wallet/cannot-pay'],
    ['INSUFFICIENT_BALANCE', 'wallet/insufficient-balance'],
    ['QUOTA_EXCEEDED', 'wallet/budget-exceeded'],
    ['RESTRICTED', 'wallet/refused'],
    ['UNAUTHORIZED', 'wallet/refused'],
    ['UNSUPPORTED_ENCRYPTION', 'wallet/encryption'],
  ])('that the wallet refuses with %s is refused with the code %s', async (code, expected) => {
    const relay = await scripted(() => ({ error: { code, message: 'no' } }))
    expect(await pay(walletOf(relay))).toEqual({ outcome: 'refused', code: expected })
  })

  test.each([
    ['PAYMENT_FAILED, which may be a timeout', { error: { code: 'PAYMENT_FAILED', message: 'timeout' } }],
    ['INTERNAL', { error: { code: 'INTERNAL', message: 'no' } }],
    ['OTHER', { error: { code: 'OTHER', message: 'already paid' } }],
    ['an error that nobody knows', { error: { code: 'constructor', message: '' } }],
    ['an empty preimage', { result: { preimage: '', fees_paid: 1 } }],
    ['no preimage', { result: {} }],
    ['half a preimage', { result: { preimage: preimage.slice(2) } }],
    ['a preimage that is no text', { result: { preimage: 7 } }],
    ['nothing', { result: null }],
    ['what is not JSON', { text: 'paid!' }],
    [
      'the answer to another question',
      { text: JSON.stringify({ result_type: 'get_balance', error: null, result: { balance: 7 } }) },
    ],
    ['another preimage', { result: { preimage: 'ab'.repeat(32) } }],
    ['what cannot be opened', { raw: 'AgAA' }],
  ] satisfies [string, Reply][])(
    'with the response %s is unknown, because it may be in flight',
    async (_, reply) => {
      const relay = await scripted(() => reply)
      expect(await pay(walletOf(relay))).toEqual({ outcome: 'unknown' })
    },
  )

  test.each<[string, object]>([
    ['beside a refusal', { error: { code: 'QUOTA_EXCEEDED', message: '' }, result: { preimage } }],
    [
      'within an error',
      { error: { code: 'PAYMENT_FAILED', message: 'timeout', data: { preimage } }, result: null },
    ],
    ['in an answer of another type', { result_type: 'get_balance', error: null, result: { preimage } }],
    ['in capitals', { result: { preimage: preimage.toUpperCase() } }],
    ['in base64', { result: { preimage: Buffer.from(preimage, 'hex').toString('base64') } }],
    ['in base64url', { result: { preimage: Buffer.from(preimage, 'hex').toString('base64url') } }],
    ['by another name', { result: { payment_preimage: `0x${preimage}`, state: 'failed' } }],
  ])('with a valid preimage %s is paid', async (_, body) => {
    const relay = await scripted(() => ({ text: JSON.stringify({ result_type: 'pay_invoice', ...body }) }))
    expect(await pay(walletOf(relay))).toEqual({ outcome: 'paid', preimage })
  })

  test('reports a preimage from a second response', async () => {
    const relay = await scripted(() => ({ error: { code: 'INSUFFICIENT_BALANCE', message: 'no' } }))
    const stop = new AbortController()
    const proof = Promise.withResolvers<unknown>()
    const wallet = walletOf(relay)
    expect(
      await wallet.pay(invoice, { expiresAt: soon(), signal: stop.signal, onLater: proof.resolve }),
    ).toEqual({ outcome: 'refused', code: 'wallet/insufficient-balance' })
    const { event } = relay.asked[0]!
    relay.broadcast(relay.reply(event, { result_type: 'pay_invoice', error: { code: 'OTHER', message: '' } }))
    relay.broadcast(relay.reply(event, { result_type: 'pay_invoice', result: { preimage, fees_paid: 3 } }))
    expect(await proof.promise).toEqual({ preimage, feeMsat: 3n })
    stop.abort()
  })

  test('with an invalid fee is still paid', async () => {
    const relay = await scripted(() => ({ result: { preimage: preimage.toUpperCase(), fees_paid: -1 } }))
    expect(await pay(walletOf(relay))).toEqual({ outcome: 'paid', preimage })
  })

  test('without a response is unknown after a timeout', async () => {
    const relay = await scripted()
    expect(await pay(walletOf(relay, impatient))).toEqual({ outcome: 'unknown' })
    expect(relay.asked).toHaveLength(1)
  })

  test('that the relay rejects is unknown, because the relay may still pass it on', async () => {
    expect(await pay(walletOf(await scripted({ rejects: true }), impatient))).toEqual({ outcome: 'unknown' })
  })

  test('is unknown if its caller aborts the wait', async () => {
    const stop = new AbortController()
    const relay = await scripted(() => {
      stop.abort()
      return undefined
    })
    expect(await pay(walletOf(relay), stop.signal)).toEqual({ outcome: 'unknown' })
  })

  test('is unknown if its wallet is closed in between', async () => {
    const current: { wallet?: NwcWallet } = {}
    const relay = await scripted(async () => {
      await current.wallet?.[Symbol.asyncDispose]()
      return undefined
    })
    current.wallet = walletOf(relay)
    expect(await pay(current.wallet)).toEqual({ outcome: 'unknown' })
    expect(await pay(current.wallet)).toMatchObject({ outcome: 'not-paid' })
    expect(relay.asked).toHaveLength(1)
  })

  test('isn’t sent if it was aborted before or its invoice has expired', async () => {
    const relay = await scripted(() => paid)
    const wallet = walletOf(relay)
    expect(await pay(wallet, AbortSignal.abort())).toEqual({ outcome: 'not-paid', code: 'request/canceled' })
    expect(await wallet.pay(invoice, { expiresAt: Date.now() - 1, signal: open })).toEqual({
      outcome: 'not-paid',
      code: 'payment/expired',
    })
    expect(relay.frames).toEqual([])
  })

  test('is sent until its own deadline, even if the clock is past the invoice’s expiration, and expires with the invoice', async () => {
    const relay = await scripted(() => paid)
    const wallet = walletOf(relay)
    const expiresAt = Date.now() - 3_600_000
    expect(await wallet.pay(invoice, { expiresAt, sendBefore: soon(), signal: open })).toMatchObject({
      outcome: 'paid',
    })
    expect(Object.fromEntries(relay.asked[0]?.event.tags ?? [])).toMatchObject({
      expiration: String(Math.floor(expiresAt / 1000)),
    })
    expect(
      await wallet.pay(invoice, { expiresAt: soon(), sendBefore: Date.now() - 1, signal: open }),
    ).toEqual({ outcome: 'not-paid', code: 'payment/expired' })
    expect(relay.asked).toHaveLength(1)
  })

  test('isn’t sent if no relay is reachable', async () => {
    const relay = await startScriptedWallet({ relays: 2, answer: () => paid })
    await relay[Symbol.asyncDispose]()
    expect(await pay(walletOf(relay))).toEqual({ outcome: 'not-paid', code: 'wallet/unreachable' })
  })

  test('gets its response after a reconnect to the relay, and is never sent twice', async () => {
    const current: { relay?: ScriptedWallet } = {}
    const relay = await scripted(async ({ event }) => {
      current.relay?.drop()
      await vi.waitFor(() => expect(current.relay?.frames).toEqual([['REQ', 'EVENT'], ['REQ']]), {
        timeout: 60_000,
      })
      current.relay?.broadcast(relay.reply(event, { result_type: 'pay_invoice', ...paid }))
      return undefined
    })
    current.relay = relay
    expect(await pay(walletOf(relay))).toMatchObject({ outcome: 'paid' })
    expect(relay.asked).toHaveLength(1)
  })

  test('accepts a response only from the wallet', async () => {
    const relay = await scripted(({ event }) => {
      const response = relay.reply(event, {
        result_type: 'pay_invoice',
        error: { code: 'QUOTA_EXCEEDED', message: '' },
        result: null,
      })
      relay.broadcast(
        signEvent(23_195, response.tags, response.content, randomBytes(32), response.created_at),
      )
      relay.broadcast({ ...response, content: relay.reply(event, { result_type: 'pay_invoice' }).content })
      relay.broadcast({ ...response, sig: '00'.repeat(64) })
      relay.broadcast({ ...response, pubkey: event.pubkey })
      // A genuine answer of the wallet, to another request.
      relay.broadcast(
        signEvent(
          23_195,
          [
            ['p', event.pubkey],
            ['e', '00'.repeat(32)],
          ],
          response.content,
          relay.walletKey,
          response.created_at,
        ),
      )
      relay.broadcast(
        signEvent(23_195, [['e', event.id]], response.content, relay.walletKey, response.created_at),
      )
      return paid
    })
    expect(await pay(walletOf(relay))).toMatchObject({ outcome: 'paid' })
  })

  test('ignores malformed messages', async () => {
    const relay = await scripted(() => paid)
    const wallet = createNwcWallet(readNwcConnection(relay.connection), {
      now: Date.now,
      dial: (address) => {
        const socket = new WebSocket(address)
        const junk = [
          '',
          '{',
          '[]',
          'null',
          '["EVENT"]',
          '["EVENT","x",{}]',
          '["OK",1]',
          '["NOTICE","secret"]',
          `["EOSE","${'x'.repeat(300_000)}"]`,
        ]
        return {
          send: (text) => socket.send(text),
          close: () => socket.close(),
          addEventListener: (type: string, listener: (event: never) => void) => {
            socket.addEventListener(type, (event) => {
              if (type === 'message')
                for (const data of [...junk, new ArrayBuffer(4)]) listener({ data } as never)
              listener(event as never)
            })
          },
        }
      },
    })
    closing.push(wallet)
    expect(await pay(wallet)).toMatchObject({ outcome: 'paid' })
  })

  test('isn’t sent if no connection can be opened', async () => {
    const relay = await scripted()
    const wallet = walletOf(relay, {
      dial: () => {
        throw new TypeError('no')
      },
    })
    expect(await pay(wallet)).toEqual({ outcome: 'not-paid', code: 'wallet/unreachable' })
    expect(await wallet.lookUp(hash, open)).toEqual({ state: 'unreachable' })
    await expect(wallet.capabilities()).rejects.toMatchObject({ code: 'wallet/unreachable' })
  })
})

describe('the lookup of a payment', () => {
  const transaction = { type: 'outgoing', payment_hash: hash, invoice, amount: 1, fees_paid: 3 }
  test.each([
    ['settled', { ...transaction, state: 'settled', preimage }, { state: 'settled', preimage, feeMsat: 3n }],
    [
      'settled in capitals',
      { ...transaction, state: 'SETTLED', preimage: preimage.toUpperCase() },
      { state: 'settled', preimage, feeMsat: 3n },
    ],
    [
      'failed, and proven',
      { ...transaction, state: 'failed', preimage },
      { state: 'settled', preimage, feeMsat: 3n },
    ],
    [
      'pending, and proven in base64',
      { ...transaction, state: 'pending', preimage: Buffer.from(preimage, 'hex').toString('base64') },
      { state: 'settled', preimage, feeMsat: 3n },
    ],
    ['Failed', { ...transaction, state: 'Failed' }, { state: 'failed' }],
    [
      'settled, with another preimage',
      { ...transaction, state: 'settled', preimage: '00'.repeat(32) },
      { state: 'settled', feeMsat: 3n },
    ],
    [
      'settled, its preimage kept back',
      { ...transaction, state: 'settled', preimage: '' },
      { state: 'settled', feeMsat: 3n },
    ],
    [
      'settled, by a wallet from before states',
      { ...transaction, settled_at: 1_700_000_000 },
      { state: 'settled', feeMsat: 3n },
    ],
    [
      'proven, by a wallet from before states',
      { ...transaction, preimage },
      { state: 'settled', preimage, feeMsat: 3n },
    ],
    ['pending', { ...transaction, state: 'pending' }, { state: 'pending' }],
    ['of no state', transaction, { state: 'pending' }],
    ['of a state that nobody knows', { ...transaction, state: 'lost' }, { state: 'pending' }],
    ['held', { ...transaction, state: 'accepted' }, { state: 'held' }],
    ['failed', { ...transaction, state: 'failed' }, { state: 'failed' }],
    ['expired', { ...transaction, state: 'expired' }, { state: 'expired' }],
    [
      'of another hash',
      { ...transaction, payment_hash: 'ee'.repeat(32), state: 'failed' },
      { state: 'unreachable' },
    ],
    [
      'an invoice of its own that ran out',
      { ...transaction, type: 'incoming', state: 'expired' },
      { state: 'not-found' },
    ],
    [
      'an invoice of its own that was paid',
      { ...transaction, type: 'incoming', state: 'settled', preimage },
      { state: 'settled', preimage, feeMsat: 3n },
    ],
    [
      'an invoice of its own that it says was paid',
      { ...transaction, type: 'incoming', state: 'settled' },
      { state: 'not-found' },
    ],
    ['nothing that can be read', { state: 7 }, { state: 'unreachable' }],
  ])('returns the state that the wallet reports: %s', async (_, result, expected) => {
    const relay = await scripted(() => ({ result }))
    expect(await walletOf(relay).lookUp(hash, open)).toEqual(expected)
    expect(relay.asked).toMatchObject([{ method: 'lookup_invoice', params: { payment_hash: hash } }])
  })

  test.each([
    ['it knows none', { error: { code: 'NOT_FOUND', message: '' } }, { state: 'not-found' }],
    ['it does not look up', { error: { code: 'NOT_IMPLEMENTED', message: '' } }, { state: 'unreachable' }],
    ['it fails', { error: { code: 'INTERNAL', message: '' } }, { state: 'unreachable' }],
    ['it says nothing', undefined, { state: 'unreachable' }],
    ['it says what cannot be read', { raw: 'x' }, { state: 'unreachable' }],
  ] satisfies [string, Reply, object][])(
    'returns not-found or unreachable if %s',
    async (_, reply, expected) => {
      expect(await walletOf(await scripted(() => reply), impatient).lookUp(hash, open)).toEqual(expected)
    },
  )

  test('is sent to every relay', async () => {
    const heard = new Set<number>()
    const relay = await scripted({
      relays: 2,
      answer: ({ relay: from }) =>
        heard.add(from).size === 2 ? { result: { state: 'pending' } } : undefined,
    })
    expect(await walletOf(relay).lookUp(hash, open)).toEqual({ state: 'pending' })
  })

  test('for any response, a payment is paid only with a valid preimage, and not paid only if it was never sent', () => {
    const refused = new Set([
      'RATE_LIMITED',
      'NOT_IMPLEMENTED',
      'INSUFFICIENT_BALANCE',
      'QUOTA_EXCEEDED',
      'RESTRICTED',
      'UNAUTHORIZED',
      'UNSUPPORTED_ENCRYPTION',
    ])
    const results = fc.oneof(
      fc.jsonValue(),
      fc.record(
        {
          preimage: fc.oneof(fc.string(), fc.constant(preimage), fc.constant('00'.repeat(32))),
          fees_paid: fc.jsonValue(),
          state: fc.string(),
          payment_hash: fc.string(),
        },
        { requiredKeys: [] },
      ),
    )
    const answer = fc.oneof(
      results.map((result) => ({
        kind: 'result' as const,
        result,
        decrypted: { result_type: 'pay_invoice', result },
      })),
      fc
        .tuple(
          fc.oneof(fc.string(), fc.constantFrom(...refused, 'PAYMENT_FAILED', 'INTERNAL', '__proto__')),
          results,
        )
        .map(([code, result]) => ({ kind: 'error' as const, code, decrypted: { error: { code }, result } })),
      results.map((value) => ({ kind: 'unreadable' as const, decrypted: value })),
      fc.constantFrom(
        { kind: 'silent' as const },
        { kind: 'unreadable' as const },
        { kind: 'unsent' as const },
      ),
    )
    fc.assert(
      fc.property(answer, (reply) => {
        const proven = 'decrypted' in reply && JSON.stringify(reply.decrypted).includes(preimage)
        const { outcome } = outcomeOf(reply, hash)
        expect(outcome === 'paid').toBe(proven)
        if (outcome === 'not-paid') expect(reply.kind).toBe('unsent')
        if (outcome === 'refused') expect(reply.kind === 'error' && refused.has(reply.code)).toBe(true)
        const { state } = lookedUpOf(reply, hash)
        expect(['settled', 'failed', 'expired', 'pending', 'held', 'not-found', 'unreachable']).toContain(
          state,
        )
        if (proven) expect(lookedUpOf(reply, hash)).toMatchObject({ state: 'settled', preimage })
      }),
      { numRuns: 2000 },
    )
  })
})

describe('the capabilities of a connection', () => {
  const info =
    (methods: string[], more: object = {}) =>
    () => ({ result: { methods, alias: 'Mine', network: 'regtest', ...more } })

  test('are those that both the wallet’s announcement and get_info list', async () => {
    const relay = await scripted({
      info: [{ content: 'pay_invoice,lookup_invoice get_balance' }],
      answer: info(['pay_invoice', 'get_balance', 'make_invoice']),
    })
    const wallet = walletOf(relay)
    expect(await wallet.capabilities()).toEqual({
      methods: ['pay_invoice', 'get_balance'],
      canLookUp: false,
      alias: 'Mine',
      network: 'regtest',
    })
    expect(wallet.canLookUp).toBe(false)
  })

  test('follow the newest announcement of the wallet', async () => {
    const relay = await scripted({
      info: [
        { content: 'pay_invoice lookup_invoice', at: 1_700_000_002 },
        { content: 'get_balance', at: 1_700_000_001 },
      ],
      answer: info(['pay_invoice', 'lookup_invoice']),
    })
    const wallet = walletOf(relay)
    expect(await wallet.capabilities()).toMatchObject({ canLookUp: true })
    expect(wallet.canLookUp).toBe(true)
  })

  test.each(['NOT_IMPLEMENTED', 'RESTRICTED'])(
    'are the announced ones if get_info returns %s',
    async (code) => {
      const relay = await scripted({ answer: () => ({ error: { code, message: '' } }) })
      expect(await walletOf(relay).capabilities()).toEqual({
        methods: ['pay_invoice', 'lookup_invoice', 'get_balance', 'get_info'],
        canLookUp: true,
      })
    },
  )

  test.each<[string, Script, string]>([
    ['speaks NIP-04 alone', { info: [{ encryption: 'nip04' }] }, 'wallet/encryption'],
    ['does not say what it speaks', { info: [{ encryption: null }] }, 'wallet/encryption'],
    ['cannot pay', { info: [{ content: 'get_balance' }] }, 'wallet/cannot-pay'],
    [
      'can do what only sounds like it',
      { info: [{ content: 'multi_pay_invoice pay_invoices' }] },
      'wallet/cannot-pay',
    ],
    ['may not pay by this connection', { answer: info(['get_balance']) }, 'wallet/cannot-pay'],
    [
      'has ended this connection',
      { answer: () => ({ error: { code: 'UNAUTHORIZED', message: '' } }) },
      'wallet/refused',
    ],
    ['has nothing to say of itself', { info: null }, 'wallet/unreachable'],
    ['answers what cannot be read', { answer: () => ({ result: { methods: 'all' } }) }, 'wallet/unreachable'],
  ])('a wallet that %s is refused', async (_, script, code) => {
    await expect(walletOf(await scripted(script)).capabilities()).rejects.toMatchObject({ code })
  })

  test('a wallet that doesn’t respond is refused after a timeout', async () => {
    await expect(walletOf(await scripted(), impatient).capabilities()).rejects.toMatchObject({
      code: 'wallet/unreachable',
    })
  })

  test('include the wallet’s name as one short line', async () => {
    const relay = await scripted({
      answer: info(['pay_invoice'], { alias: `a\n\u202Eb\u0007 ${'c'.repeat(200)}`, network: 'moon' }),
    })
    expect(await walletOf(relay).capabilities()).toEqual({
      methods: ['pay_invoice'],
      canLookUp: false,
      alias: `a b ${'c'.repeat(76)}`,
    })
  })

  test('include the balance and the budget', async () => {
    const relay = await scripted(({ method }) => ({
      result:
        method === 'get_balance'
          ? { balance: 1234 }
          : { used_budget: 5, total_budget: 6, renews_at: 1_800_000_000, renewal_period: 'daily' },
    }))
    const wallet = walletOf(relay)
    expect([await wallet.balance(), await wallet.budget()]).toEqual([
      1234n,
      { used: 5n, total: 6n, renewsAt: 1_800_000_000_000 },
    ])
  })

  test('leave the balance unknown if the wallet doesn’t report it, and fail if the wallet doesn’t respond', async () => {
    const refuses = walletOf(await scripted(() => ({ error: { code: 'RESTRICTED', message: '' } })))
    expect([await refuses.balance(), await refuses.budget()]).toEqual([undefined, undefined])
    const none = walletOf(await scripted(() => ({ result: {} })))
    expect([await none.balance(), await none.budget()]).toEqual([undefined, undefined])
    await expect(walletOf(await scripted(), impatient).balance()).rejects.toMatchObject({
      code: 'wallet/unreachable',
    })
  })
})

test('neither the wallet nor its errors show its secret', async () => {
  const relay = await scripted({ info: null })
  const wallet = walletOf(relay)
  const thrown = await wallet.capabilities().catch((error: unknown) => error)
  for (const one of [wallet, thrown, await pay(wallet, AbortSignal.abort())]) {
    expect(
      `${inspect(one, { depth: 20, showHidden: true })} ${JSON.stringify(one)} ${JSON.stringify(Object.getOwnPropertyDescriptors(one))}`,
    ).not.toContain(relay.clientSecret)
  }
  // Inspection does find the secret in the SDK's client, which reveals it when printed.
  const { NWCClient } = await import('@getalby/sdk/nwc')
  expect(inspect(new NWCClient({ nostrWalletConnectUrl: relay.connection }), { depth: 20 })).toContain(
    relay.clientSecret,
  )
})
