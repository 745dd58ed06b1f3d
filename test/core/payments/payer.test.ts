import { createHash } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { PaymentRecord } from '../../../src/core/payments/index.ts'
import { SottoError } from '../../../src/shared/errors.ts'
import type { PaymentChallenge } from '../../../src/shared/payment-challenge.ts'
import { mintInvoice } from './mint-invoice.ts'
import {
  HOST,
  json,
  never,
  payerWorld,
  searchRequest,
  START,
  WALLET_KEY,
  type PayerWorld,
} from './payer-world.ts'
import { settled } from './virtual-clock.ts'

const code = (name: string): unknown => expect.objectContaining({ code: name })

let world: PayerWorld
beforeEach(() => {
  world = payerWorld()
})
afterEach(() => world[Symbol.asyncDispose]())

describe('a quote', () => {
  test('is requested with neither a key nor a proof, and saves the request byte for byte', async () => {
    const record = await world.quoted()
    expect(world.service.sent).toEqual([{ request: searchRequest, idempotencyKey: record.id }])
    expect(record).toMatchObject({
      state: 'quoted',
      host: HOST,
      amountMsat: 14_000n,
      attempts: 0,
      at: START,
      expiresAt: START + 300_000,
      purpose: {
        kind: 'request',
        request: searchRequest,
        subject: 'websearch/search',
        description: 'Data: search',
      },
    })
    expect(world.record(record.id)).toEqual(record)
    expect(world.wallet.asked).toEqual([])
  })

  test('returns a response that needs no payment, and leaves no record', async () => {
    world.service.demand = () => json({ free: true })
    const quoted = await world.payer.quote(searchRequest, { caller: { kind: 'window' }, subject: 's' }, never)
    expect(quoted).toMatchObject({ kind: 'answer', status: 200 })
    expect(world.payer.list(10)).toEqual([])
  })

  test('expires automatically, and can’t be paid after that', async () => {
    const { id } = await world.quoted()
    await world.clock.pass(302_000)
    expect(world.record(id)).toMatchObject({ state: 'expired', failure: { code: 'payment/expired' } })
    await expect(world.pay(id)).rejects.toThrow(code('payment/expired'))
    expect(world.wallet.asked).toEqual([])
  })

  test('has a payment link for a wallet’s camera only until a wallet is asked to pay', async () => {
    const quote = await world.quoted()
    expect(world.payer.uriOf(quote)).toBe(`LIGHTNING:${quote.invoice.toUpperCase()}`)
    let answer = (): void => undefined
    world.wallet.pays = (invoice) =>
      new Promise((resolve) => {
        answer = () => resolve(world.service.paid(invoice))
      })
    const paying = world.payer.pay(quote.id, { asks: 'person', from: 'window' }, never)
    expect(world.payer.uriOf(world.record(quote.id))).toBeUndefined()
    await settled()
    expect(world.record(quote.id).state).toBe('paying')
    expect(world.payer.uriOf(world.record(quote.id))).toBeUndefined()
    // Even an outdated copy of the record gives no URI.
    expect(world.payer.uriOf(quote)).toBeUndefined()
    answer()
    await world.clock.through(paying)
    expect(world.payer.uriOf(world.record(quote.id))).toBeUndefined()
    const late = await world.quoted()
    world.clock.time += 300_000
    expect(world.payer.uriOf(late)).toBeUndefined()
  })
})

describe('a payment', () => {
  test('is saved before the wallet is asked, and the proof before it is sent', async () => {
    const record = await world.purchase()
    expect(world.log).toEqual([
      'asked for the price',
      'put quoted',
      'put paying',
      'wallet asked',
      'put paid',
      'put paid',
      'sent L402',
      'put paid',
      'put delivered',
    ])
    expect(record).toMatchObject({
      state: 'delivered',
      feeMsat: 1000n,
      wallet: WALLET_KEY,
      reservedAt: START,
      paidAt: START,
      attempts: 1,
      credential: 'l402',
      delivered: { status: 200, files: [{ contentType: 'application/json', bytes: 18 }] },
    })
    expect(Buffer.from((await world.files.read(record.id, 0))!).toString()).toBe('{"found":"cellos"}')
  })

  test('sends the same bytes with the same Idempotency-Key, and the proof of this payment', async () => {
    const { id } = await world.purchase()
    const [asked, paid] = world.service.sent
    expect(paid).toEqual({ ...asked, authorization: `L402 challenge-1:${world.service.issued[0]!.preimage}` })
    expect([asked!.idempotencyKey, paid!.idempotencyKey]).toEqual([id, id])
  })

  test('that was delivered keeps only the hash of its secrets', async () => {
    const record = await world.purchase()
    const { preimage, paymentHash } = world.service.issued[0]!
    expect(record.paymentHash).toBe(paymentHash)
    const text = JSON.stringify(record, (_, value: unknown) =>
      typeof value === 'bigint' ? value.toString() : value,
    )
    for (const secret of [preimage, 'challenge-1', 'cellos', 'deep=1']) expect(text).not.toContain(secret)
    expect(record.purpose).toMatchObject({ request: { body: new Uint8Array(0) } })
    expect(world.payer.proof(record.id)).not.toContain(preimage)
  })

  test('is proven by its preimage: with any other result of the wallet it is unknown, and counts as spent', async () => {
    for (const preimage of ['', '00'.repeat(32), 'paid', mintInvoice().preimage]) {
      world.wallet.pays = () => Promise.resolve({ outcome: 'paid', preimage })
      const record = await world.purchase()
      expect(record).toMatchObject({ state: 'unknown', failure: { code: 'payment/unresolved' } })
      expect(record).not.toHaveProperty('preimage')
    }
    expect(world.payer.spent()).toMatchObject({ day: 0n, reserved: 56_000n })
    expect(world.service.sent.every(({ authorization }) => authorization === undefined)).toBe(true)
  })

  test('that is requested again while it is in progress is paid once', async () => {
    const { id } = await world.quoted()
    const records = await Promise.all([world.pay(id), world.pay(id), world.pay(id, 'tool')])
    expect(records.map(({ state }) => state)).toEqual(['delivered', 'delivered', 'delivered'])
    expect([world.wallet.asked.length, world.asked.length]).toEqual([1, 1])
    await expect(world.pay(id)).rejects.toThrow(code('payment/already-paid'))
  })

  test('is refused if another record has asked a wallet to pay the same hash, in any quote', async () => {
    const preimage = Buffer.alloc(32, 5)
    world.service.minting = { preimage }
    const [first, second] = [await world.quoted(), await world.quoted()]
    expect((await world.pay(first.id)).state).toBe('delivered')
    await expect(world.pay(second.id)).rejects.toThrow(code('payment/already-paid'))
    await expect(world.quoted()).rejects.toThrow(code('payment/already-paid'))
    expect(world.wallet.asked).toHaveLength(1)
  })

  test('is refused if its challenge may have been paid, even with another invoice', async () => {
    world.service.changeChallenge = (challenge) => ({ ...challenge, token: 'one-token' })
    const [first, second] = [await world.quoted(), await world.quoted()]
    world.wallet.pays = () => Promise.resolve({ outcome: 'unknown' })
    expect((await world.pay(first.id)).state).toBe('unknown')
    await expect(world.pay(second.id)).rejects.toThrow(code('payment/already-paid'))
    expect(world.wallet.asked).toHaveLength(1)
  })

  test.each<[string, (challenge: PaymentChallenge) => PaymentChallenge]>([
    ['token', (challenge) => ({ ...challenge, token: 'one-token' })],
    ['id', (challenge) => ({ ...challenge, echo: { ...challenge.echo!, id: 'one-id' } })],
  ])(
    'is refused if the %s of its challenge was paid, also after the delivery and after a restart',
    async (_, changeChallenge) => {
      const send = world.service.send.bind(world.service)
      world.service.send = (request, credential) =>
        credential.authorization === undefined
          ? send(request, credential)
          : Promise.resolve(json({ found: 'cellos' }))
      world.service.changeChallenge = changeChallenge
      // A payment that certainly failed doesn't block the challenge.
      const { pays } = world.wallet
      world.wallet.pays = () => Promise.resolve({ outcome: 'not-paid', code: 'wallet/refused' })
      expect((await world.purchase()).state).toBe('failed')
      world.wallet.pays = pays
      const [first, second] = [await world.quoted(), await world.quoted()]
      expect((await world.pay(first.id)).state).toBe('delivered')
      await expect(world.pay(second.id)).rejects.toThrow(code('payment/already-paid'))
      await expect(world.quoted()).rejects.toThrow(code('payment/already-paid'))
      await world.restart()
      await expect(world.quoted()).rejects.toThrow(code('payment/already-paid'))
      expect(world.wallet.asked).toHaveLength(2)
    },
  )

  test('that has certainly failed can be quoted again', async () => {
    world.wallet.pays = () => Promise.resolve({ outcome: 'not-paid', code: 'wallet/insufficient-balance' })
    world.service.minting = { preimage: Buffer.alloc(32, 5) }
    expect(await world.purchase()).toMatchObject({
      state: 'failed',
      failure: { code: 'wallet/insufficient-balance' },
    })
    world.wallet.pays = (invoice) => Promise.resolve(world.service.paid(invoice))
    expect(await world.purchase()).toMatchObject({ state: 'delivered' })
  })

  test('without a wallet, or that can’t be saved, asks no wallet and pays nothing', async () => {
    const { id } = await world.quoted()
    world.connected = false
    await expect(world.pay(id)).rejects.toThrow(code('wallet/not-connected'))
    world.connected = true
    world.journal.refuses = 1
    await expect(world.pay(id)).rejects.toThrow(code('store/unwritable'))
    expect([world.wallet.asked, world.record(id).state]).toEqual([[], 'quoted'])
    await expect(world.pay('nothing')).rejects.toThrow(code('payment/unknown'))
  })

  test('is refused while the journal may lack records, also if this is found during confirmation', async () => {
    let checks = 0
    await using strict = payerWorld({
      requireIntact: () => {
        if (++checks > 1) throw new SottoError('store/rows-changed')
      },
    })
    const { id } = await strict.quoted()
    for (const asks of ['person', 'tool'] as const)
      await expect(strict.pay(id, asks)).rejects.toThrow(code('store/rows-changed'))
    expect([strict.wallet.asked, strict.record(id).state]).toEqual([[], 'quoted'])
  })

  test('continues if its caller leaves after the wallet was asked, and is canceled before that', async () => {
    const { id } = await world.quoted()
    const caller = new AbortController()
    world.wallet.pays = async (invoice) => {
      caller.abort()
      await world.clock.wait(1000, never)
      return world.service.paid(invoice)
    }
    expect((await world.pay(id, 'person', caller.signal)).state).toBe('paying')
    await world.clock.until(() => world.record(id).state === 'delivered')

    const other = await world.quoted()
    await expect(world.pay(other.id, 'person', AbortSignal.abort())).rejects.toThrow(code('request/canceled'))
    expect(world.record(other.id).state).toBe('quoted')
  })
})

describe('the owner', () => {
  test('is asked before the first payment to a host, and not again up to the automatic limit', async () => {
    const first = await world.quoted()
    expect(world.payer.asksFor(first)).toEqual(['first-host'])
    await world.pay(first.id)
    expect(world.asked).toEqual([
      `Pay 14 sats plus the wallet’s fee over Lightning to ${HOST} for data: websearch/search? The amount in dollars is unknown. The service’s description is “Data: search”. This is the first payment to ${HOST} from Sotto. Payments are final and can’t be reversed.`,
    ])
    expect(world.payer.asksFor(world.record(first.id))).toEqual([])
    await world.purchase()
    expect(world.asked).toHaveLength(1)
    world.limits.automaticUpTo = 13_999n
    expect(world.payer.asksFor(await world.quoted())).toEqual(['above-automatic'])
    await world.purchase()
    expect(world.asked[1]).toContain('above your limit for paying without confirmation')
    world.journal.forgetHost(HOST)
    world.wallet.canLookUp = false
    expect(world.payer.asksFor(await world.quoted())).toEqual(['first-host', 'above-automatic', 'no-lookup'])
  })

  test('who doesn’t confirm has paid nothing, and can be asked again', async () => {
    const { id } = await world.quoted()
    world.approval = false
    await expect(world.pay(id)).rejects.toThrow(code('payment/refused'))
    expect([world.wallet.asked, world.record(id).state]).toEqual([[], 'quoted'])
    world.approval = true
    expect((await world.pay(id)).state).toBe('delivered')
  })

  test('sees a question that the service can’t change', async () => {
    world.service.changeChallenge = (challenge) => ({
      ...challenge,
      description: `nice\u001b[2J\n\u202etnemyap ${'x'.repeat(300)}`,
    })
    const { record } = (await world.payer.quote(
      searchRequest,
      { caller: { kind: 'window' }, subject: 'a\r\nPay 1 sat?' },
      never,
    )) as { record: PaymentRecord }
    await world.pay(record.id)
    expect(world.asked[0]).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u)
    expect(world.asked[0]!.length).toBeLessThan(500)
    expect(world.asked[0]).toContain('Payments are final')
  })

  test('who answers late has all conditions checked again', async () => {
    const slow = async (act: () => void): Promise<Promise<PaymentRecord>> => {
      const { id } = await world.quoted()
      let msg = (_yes: boolean): void => undefined
      world.approval = new Promise((resolve) => {
        msg = resolve
      })
      const paying = world.payer.pay(id, { asks: 'person', from: 'window' }, never)
      await settled()
      act()
      msg(true)
      return paying
    }
    await expect(
      slow(() => {
        world.clock.time += 271_000
      }),
    ).rejects.toThrow(code('payment/expired'))
    await expect(
      slow(() => {
        world.limits.perPayment = 0n
      }),
    ).rejects.toThrow(code('payment/over-limit'))
    world.limits.perPayment = 1_000_000n
    await expect(
      slow(() => {
        world.connected = false
      }),
    ).rejects.toThrow(code('wallet/not-connected'))
    world.connected = true
    await expect(
      slow(() => {
        world.payer.decline('payment-4')
      }),
    ).rejects.toThrow(code('payment/in-progress'))
    expect(world.wallet.asked).toEqual([])
  })

  test('is never asked by a tool: a payment that needs confirmation is refused', async () => {
    const { id } = await world.quoted()
    await expect(world.pay(id, 'tool')).rejects.toThrow(code('payment/confirmation-required'))
    await world.pay(id)
    expect((await world.pay((await world.quoted()).id, 'tool')).state).toBe('delivered')
    world.limits.automaticUpTo = 0n
    await expect(world.pay((await world.quoted()).id, 'tool')).rejects.toThrow(
      code('payment/confirmation-required'),
    )
    world.limits.automaticUpTo = 14_000n
    world.wallet.canLookUp = false
    await expect(world.pay((await world.quoted()).id, 'tool')).rejects.toThrow(
      code('payment/confirmation-required'),
    )
    expect(world.asked).toHaveLength(1)
  })
})

describe('limits', () => {
  test('of zero allow nothing', async () => {
    for (const limit of ['perPayment', 'perDay', 'perHostAndDay'] as const) {
      const before = world.limits[limit]
      world.limits[limit] = 0n
      await expect(world.purchase()).rejects.toThrow(code('payment/over-limit'))
      world.limits[limit] = before
    }
    expect([world.wallet.asked, world.asked]).toEqual([[], []])
  })

  test('apply to concurrent payments: only one gets the remaining amount', async () => {
    await world.purchase()
    world.limits.perDay = 29_000n
    const quotes = await Promise.all(Array.from({ length: 6 }, () => world.quoted()))
    const outcomes = await Promise.allSettled(quotes.map(({ id }) => world.pay(id, 'tool')))
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect(world.wallet.asked).toHaveLength(2)
    expect(world.payer.spent().day).toBe(30_000n)
  })

  test('count fees, and payments with an unknown outcome, for 24 hours', async () => {
    await world.purchase()
    world.wallet.pays = () => Promise.resolve({ outcome: 'unknown' })
    world.wallet.looks = () => ({ state: 'pending' })
    await world.purchase()
    expect(world.payer.spent()).toEqual({
      day: 15_000n,
      reserved: 14_000n,
      hosts: [{ host: HOST, inDay: 29_000n, firstPaidAt: START }],
    })
    world.limits.perHostAndDay = 42_000n
    await expect(world.purchase()).rejects.toThrow(code('payment/over-limit'))
    await world.clock.pass(24 * 3_600_000 + 1)
    // A held payment counts for as long as it is held.
    expect(world.payer.spent()).toMatchObject({ day: 0n, reserved: 14_000n })
    world.wallet.looks = () => ({ state: 'failed' })
    await world.clock.pass(300_000)
    expect(world.payer.spent()).toMatchObject({ day: 0n, reserved: 0n })
  })

  test('count the same payments after the clock was set back and forward again, and after a restart', async () => {
    world.limits.perDay = 29_000n
    world.payer.spent()
    world.clock.time -= 30 * 3_600_000
    await world.purchase()
    await world.restart()
    await world.purchase()
    world.clock.time += 30 * 3_600_000
    await expect(world.purchase()).rejects.toThrow(code('payment/over-limit'))
    expect(world.payer.spent().day).toBe(30_000n)
    await world.clock.pass(24 * 3_600_000 + 1)
    await world.purchase()
  })

  test('slow down a tool that pays without end', async () => {
    await world.purchase()
    for (let count = 1; count < 30; count++) await world.pay((await world.quoted()).id, 'tool')
    await expect(world.pay((await world.quoted()).id, 'tool')).rejects.toThrow(code('payment/over-limit'))
    world.clock.time += 60_001
    expect((await world.pay((await world.quoted()).id, 'tool')).state).toBe('delivered')
  })

  test('slow down a tool that starts many payments at once', async () => {
    await world.purchase()
    const quotes = await Promise.all(Array.from({ length: 40 }, () => world.quoted()))
    const outcomes = await Promise.allSettled(quotes.map(({ id }) => world.pay(id, 'tool')))
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(29)
    expect(world.wallet.asked).toHaveLength(30)
  })
})

describe('a preimage from another wallet', () => {
  test('delivers the purchase without a connected wallet, and counts toward no limit', async () => {
    world.connected = false
    const { id } = await world.quoted()
    await expect(world.payer.prove(id, '00'.repeat(32), never)).rejects.toThrow(
      code('payment/invalid-preimage'),
    )
    expect(world.record(id).state).toBe('quoted')
    const record = await world.clock.through(world.payer.prove(id, world.service.issued[0]!.preimage, never))
    expect(record).toMatchObject({ state: 'delivered', attempts: 1 })
    expect(record).not.toHaveProperty('wallet')
    expect(world.payer.spent()).toMatchObject({ day: 0n, reserved: 0n })
  })

  test('is accepted for an unknown payment, and for an invoice that expired or was declined', async () => {
    world.wallet.pays = () => Promise.resolve({ outcome: 'unknown' })
    const unknown = await world.purchase()
    expect(
      await world.clock.through(world.payer.prove(unknown.id, world.service.issued[0]!.preimage, never)),
    ).toMatchObject({ state: 'delivered' })
    const declined = await world.quoted()
    expect(world.payer.decline(declined.id).state).toBe('declined')
    expect(
      await world.clock.through(world.payer.prove(declined.id, world.service.issued[1]!.preimage, never)),
    ).toMatchObject({ state: 'delivered' })
    const late = await world.quoted()
    await world.clock.pass(400_000)
    expect(world.record(late.id).state).toBe('expired')
    expect(
      await world.clock.through(world.payer.prove(late.id, world.service.issued[2]!.preimage, never)),
    ).toMatchObject({ state: 'delivered' })
  })

  test('delivers nothing once its request is no longer saved, and the state shows this', async () => {
    const { id } = await world.quoted()
    await world.clock.pass(26 * 3_600_000)
    await world.quoted()
    expect(world.record(id).purpose).toMatchObject({
      request: { body: new Uint8Array(0), path: '/v1/data/api/websearch/search' },
    })
    expect(
      await world.clock.through(world.payer.prove(id, world.service.issued[0]!.preimage, never)),
    ).toMatchObject({ state: 'undelivered' })
  })
})

test('a quote can be declined, and a payment that may have been sent can’t', async () => {
  const { id } = await world.quoted()
  expect(world.payer.decline(id).state).toBe('declined')
  expect(world.payer.decline(id).state).toBe('declined')
  await expect(world.pay(id)).rejects.toThrow(code('payment/expired'))
  const { id: paid } = await world.purchase()
  expect(() => world.payer.decline(paid)).toThrow(code('payment/already-paid'))
  world.wallet.pays = () => Promise.resolve({ outcome: 'unknown' })
  const { id: unknown } = await world.purchase()
  expect(() => world.payer.decline(unknown)).toThrow(code('payment/in-progress'))
  await expect(world.payer.retry(unknown, never)).rejects.toThrow(code('payment/nothing-delivered'))
  expect(world.payer.inUse(WALLET_KEY)).toBe(true)
  expect(world.payer.inUse('cd'.repeat(32))).toBe(false)
})

describe('a top-up', () => {
  const topup = (
    minting = {},
  ): { topupId: string; invoice: string; expectedMsat: bigint; caller: { kind: 'window' }; from: string } => {
    const minted = mintInvoice({ timestamp: START / 1000, expirySeconds: 900, amount: '10u', ...minting })
    world.service.issued.push(minted)
    return {
      topupId: 'topup-1',
      invoice: minted.invoice,
      expectedMsat: 1_000_000n,
      caller: { kind: 'window' },
      from: 'window',
    }
  }
  const pay = (asked: ReturnType<typeof topup>): Promise<PaymentRecord> =>
    world.clock.through(world.payer.payInvoice(asked, never))

  test('follows the same rules, and keeps its proof until it is credited', async () => {
    const record = await pay(topup())
    expect(record).toMatchObject({
      state: 'paid',
      amountMsat: 1_000_000n,
      feeMsat: 1000n,
      purpose: { kind: 'topup', topupId: 'topup-1' },
    })
    expect(world.asked[0]).toContain('for an account top-up')
    expect(world.payer.proof(record.id)).toContain(world.service.issued[0]!.preimage)
    expect(world.service.sent).toEqual([])
    world.payer.credited('another')
    expect(world.record(record.id).state).toBe('paid')
    world.payer.credited('topup-1')
    expect(world.record(record.id).state).toBe('delivered')
    expect(world.payer.proof(record.id)).not.toContain(world.service.issued[0]!.preimage)
  })

  test('with another amount, network or expiry is refused, and so is one that was paid', async () => {
    await expect(pay(topup({ amount: '11u' }))).rejects.toThrow(code('payment/wrong-amount'))
    await expect(pay(topup({ amount: '' }))).rejects.toThrow(code('payment/no-amount'))
    await expect(pay(topup({ prefix: 'lnbc' }))).rejects.toThrow(code('payment/wrong-network'))
    await expect(pay(topup({ expirySeconds: 20 }))).rejects.toThrow(code('payment/expired'))
    await expect(pay({ ...topup(), invoice: 'lnbcrt1nothing' })).rejects.toThrow(
      code('payment/invoice-invalid'),
    )
    const asked = topup()
    await pay(asked)
    await expect(pay(asked)).rejects.toThrow(code('payment/already-paid'))
    world.limits.perPayment = 999_999n
    await expect(pay(topup())).rejects.toThrow(code('payment/over-limit'))
    expect(world.wallet.asked).toHaveLength(1)
    expect(world.journal.open().map(({ state }) => state)).toEqual(['paid'])
  })

  test('requested twice at once is paid once, and one that failed can be paid again', async () => {
    const asked = topup()
    await Promise.all([pay(asked), pay(asked)])
    expect(world.wallet.asked).toHaveLength(1)
    world.wallet.pays = () => Promise.resolve({ outcome: 'not-paid', code: 'wallet/budget-exceeded' })
    const poor = topup()
    expect(await pay(poor)).toMatchObject({ state: 'failed', failure: { code: 'wallet/budget-exceeded' } })
    world.wallet.pays = (invoice) => Promise.resolve(world.service.paid(invoice))
    expect((await pay(poor)).state).toBe('paid')
  })
})

test('a watcher sees each change until it leaves', async () => {
  const watcher = new AbortController()
  const seen: string[] = []
  const watching = (async () => {
    for await (const { state } of world.payer.changes(watcher.signal)) seen.push(state)
  })()
  const { id } = await world.quoted()
  await settled()
  await world.pay(id)
  await settled()
  watcher.abort()
  await watching
  expect(seen[0]).toBe('quoted')
  expect(seen.at(-1)).toBe('delivered')
  await world.purchase()
  expect(seen.filter((state) => state === 'delivered')).toHaveLength(1)
})

test('a purchase that is awaited settles with its answer, or is reported as it is after an abort', async () => {
  const { id } = await world.quoted()
  expect((await world.payer.settled(id)).state).toBe('quoted')
  const pending = Promise.withResolvers<undefined>()
  world.wallet.pays = (invoice) => pending.promise.then(() => world.service.paid(invoice))
  const paying = world.pay(id)
  await settled()
  const leaving = new AbortController()
  const [aborted, awaited] = [world.payer.settled(id, leaving.signal), world.payer.settled(id)]
  leaving.abort()
  expect((await aborted).state).toBe('paying')
  pending.resolve(undefined)
  expect(await awaited).toMatchObject({ delivered: { status: 200 } })
  await paying
})

test('the proof of an undelivered payment has all the data for a claim', async () => {
  world.service.answers = [
    () => {
      throw new Error('the service fell over')
    },
  ]
  const record = await world.purchase()
  expect(record.state).toBe('undelivered')
  const proof = JSON.parse(world.payer.proof(record.id)) as Record<string, string>
  expect(proof).toMatchObject({
    paidTo: HOST,
    invoice: record.invoice,
    paymentHash: record.paymentHash,
    amount: '14 sats',
    fee: '1 sat',
    challengeId: 'challenge-1',
    state: 'undelivered',
    paidAt: new Date(START).toISOString(),
  })
  expect(createHash('sha256').update(Buffer.from(proof['preimage']!, 'hex')).digest('hex')).toBe(
    record.paymentHash,
  )
})

describe('a payment without a delivery', () => {
  beforeEach(() => {
    world.service.answers = [
      () => {
        throw new SottoError('service/rejected')
      },
    ]
  })

  test('can be abandoned: nothing sends it again, and its proof remains', async () => {
    const { id, paymentHash } = await world.purchase()
    const sent = world.service.sent.length
    expect(world.payer.abandon(id)).toMatchObject({
      state: 'given-up',
      preimage: world.service.issued[0]!.preimage,
      purpose: { request: { path: '/v1/data/api/websearch/search', body: new Uint8Array(0) } },
    })
    await expect(world.payer.retry(id, never)).rejects.toThrow(code('payment/abandoned'))
    await world.restart()
    await world.clock.pass(3_600_000)
    expect(world.service.sent).toHaveLength(sent)
    expect(world.record(id).state).toBe('given-up')
    const proof = JSON.parse(world.payer.proof(id)) as unknown
    expect(proof).toMatchObject({
      paymentHash,
      preimage: world.service.issued[0]!.preimage,
      state: 'given-up',
      why: 'payment/undelivered',
      challengeId: 'challenge-1',
    })
  })

  test('counts as spent after it is abandoned, and its hash and challenge are never paid again', async () => {
    world.service.minting = { preimage: Buffer.alloc(32, 6) }
    const { id } = await world.purchase()
    world.payer.abandon(id)
    expect(world.payer.spent()).toMatchObject({ day: 15_000n, reserved: 0n, hosts: [{ host: HOST }] })
    await expect(world.quoted()).rejects.toThrow(code('payment/already-paid'))
    world.service.minting = {}
    world.service.changeChallenge = (challenge) => ({ ...challenge, token: 'challenge-1' })
    await expect(world.quoted()).rejects.toThrow(code('payment/already-paid'))
    expect(() => world.payer.decline(id)).toThrow(code('payment/already-paid'))
  })

  test('can be closed if its outcome remains unknown: it leaves the limits and the wallet, isn’t paid again, and a late proof counts', async () => {
    world.wallet.pays = () => Promise.resolve({ outcome: 'unknown' })
    // The wallet reports it as settled, but without a preimage.
    world.wallet.looks = () => ({ state: 'settled' })
    const { id, paymentHash } = await world.purchase()
    await world.clock.pass(2 * 3_600_000)
    expect(world.record(id).state).toBe('unknown')
    expect([world.payer.spent().reserved, world.payer.inUse(WALLET_KEY)]).toEqual([14_000n, true])
    expect(world.payer.abandon(id)).toMatchObject({
      state: 'closed',
      failure: { code: 'payment/closed-by-user' },
    })
    expect([world.payer.spent().reserved, world.payer.spent().day, world.payer.inUse(WALLET_KEY)]).toEqual([
      0n,
      0n,
      false,
    ])
    expect(() => world.payer.abandon(id)).toThrow(code('payment/cannot-close'))
    // After a restart, the payer makes no lookup for it and refuses the same invoice.
    const looked = world.wallet.lookedUp.length
    await world.restart()
    await world.clock.pass(3_600_000)
    expect([world.record(id).state, world.wallet.lookedUp.length, world.wallet.asked.length]).toEqual([
      'closed',
      looked,
      1,
    ])
    await expect(world.pay(id)).rejects.toThrow(code('payment/expired'))
    world.service.answers = [() => json({})]
    expect(
      await world.clock.through(world.payer.prove(id, world.service.preimageOf(paymentHash), never)),
    ).toMatchObject({ state: 'delivered' })
  })

  test('can be abandoned only in this state', async () => {
    const quoted = await world.quoted()
    expect(() => world.payer.abandon(quoted.id)).toThrow(code('payment/cannot-close'))
    const { id } = await world.pay(quoted.id)
    world.payer.abandon(id)
    expect(() => world.payer.abandon(id)).toThrow(code('payment/cannot-close'))
    expect(() => world.payer.abandon('none')).toThrow(code('payment/unknown'))
    world.service.answers = [() => json({})]
    const delivered = await world.purchase()
    expect(() => world.payer.abandon(delivered.id)).toThrow(code('payment/cannot-close'))
    const again = world.payer.retry(delivered.id, never)
    expect(await again).toMatchObject({ state: 'delivered' })
  })
})
