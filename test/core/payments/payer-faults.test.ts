import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { PaymentOutcome } from '../../../src/core/payments/index.ts'
import type { ErrorCode } from '../../../src/shared/error-codes.ts'
import { SottoError } from '../../../src/shared/errors.ts'
import { msg } from '../../../src/shared/localized-text.ts'
import { mintInvoice } from './mint-invoice.ts'
import { json, never, payerWorld, searchRequest, START, WALLET_KEY, type PayerWorld } from './payer-world.ts'
import { settled } from './virtual-clock.ts'

const code = (name: ErrorCode): unknown => expect.objectContaining({ code: name })
const unknown = (): Promise<PaymentOutcome> => Promise.resolve({ outcome: 'unknown' })
const GRACE = 10 * 60_000

let world: PayerWorld
beforeEach(() => {
  world = payerWorld()
})
afterEach(() => world[Symbol.asyncDispose]())

const preimage = (): string => world.service.issued[0]!.preimage

describe('a wallet', () => {
  test('that doesn’t respond is queried for the payment, and asked to pay only once', async () => {
    world.wallet.pays = () => new Promise(() => undefined)
    const { id } = await world.quoted()
    const paying = world.payer.pay(id, { asks: 'person', from: 'window' }, never)
    await world.clock.pass(19_000)
    expect([world.record(id).state, world.wallet.lookedUp.length]).toEqual(['paying', 0])
    await world.clock.pass(60_000)
    // The wallet finds no payment, which proves nothing while the pay request is still open.
    expect(world.wallet.lookedUp.length).toBeGreaterThan(1)
    expect(world.record(id).state).toBe('paying')
    world.wallet.looks = () => ({ state: 'settled', preimage: preimage(), feeMsat: 2000n })
    expect(await world.clock.through(paying)).toMatchObject({ state: 'delivered', feeMsat: 2000n })
    expect(world.wallet.asked).toHaveLength(1)
  })

  test('whose response is late leaves the payment unknown, until a lookup reports its outcome', async () => {
    world.wallet.pays = unknown
    world.wallet.looks = () => ({ state: 'pending' })
    const record = await world.purchase()
    expect(record).toMatchObject({ state: 'unknown', failure: { code: 'payment/unresolved' } })
    await world.clock.pass(72_000)
    expect(world.record(record.id).state).toBe('unknown')
    world.wallet.looks = () => ({ state: 'settled', preimage: preimage() })
    await world.clock.until(() => world.record(record.id).state === 'delivered')
    expect(world.wallet.asked).toHaveLength(1)
  })

  test('whose relay is unreachable is queried again later', async () => {
    world.wallet.pays = unknown
    world.wallet.looks = () => ({ state: 'unreachable' })
    const { id } = await world.purchase()
    // A missing answer never decides the outcome, even after hours.
    await world.clock.pass(6 * 3_600_000)
    expect(world.record(id).state).toBe('unknown')
    world.wallet.looks = () => ({ state: 'settled', preimage: preimage() })
    await world.clock.until(() => world.record(id).state === 'delivered')
  })

  const refusals = [
    'wallet/insufficient-balance',
    'wallet/budget-exceeded',
    'wallet/refused',
    'wallet/rate-limited',
  ] as const
  test.each<ErrorCode>(refusals)(
    'that reports %s is looked up before the payment counts as failed',
    async (code) => {
      world.wallet.pays = () => Promise.resolve({ outcome: 'refused', code })
      let looks = 0
      world.wallet.looks = () => {
        looks++
        return { state: 'pending' }
      }
      const record = await world.purchase()
      // The caller gets the result after the first lookup.
      expect(looks).toBeGreaterThan(0)
      expect(record).toMatchObject({ state: 'unknown', failure: { code: 'payment/unresolved' } })
      expect(world.payer.spent().reserved).toBe(14_000n)
      world.wallet.looks = () => ({ state: 'failed' })
      await world.clock.until(() => world.record(record.id).state === 'failed')
      expect(world.record(record.id)).toMatchObject({ failure: { code } })
      expect(world.payer.spent()).toMatchObject({ day: 0n, reserved: 0n })
    },
  )

  test.each<ErrorCode>(refusals)(
    'that reports %s and has no pending payment has paid nothing',
    async (code) => {
      world.wallet.pays = () => Promise.resolve({ outcome: 'refused', code })
      expect(await world.purchase()).toMatchObject({ state: 'failed', failure: { code } })
      expect(world.wallet.lookedUp).toHaveLength(1)
    },
  )

  test.each<ErrorCode>(refusals)(
    'that reports %s but paid is overruled by a proof, from a lookup or a later response',
    async (code) => {
      world.wallet.pays = () => Promise.resolve({ outcome: 'refused', code })
      world.wallet.looks = () => ({ state: 'settled', preimage: preimage() })
      expect(await world.purchase()).toMatchObject({ state: 'delivered' })

      let later: ((proof: { preimage: string }) => void) | undefined
      world.wallet.pays = (_, { onLater }) => {
        later = onLater
        return Promise.resolve({ outcome: 'refused', code })
      }
      world.wallet.looks = () => ({ state: 'pending' })
      const { id } = await world.purchase()
      expect(world.record(id).state).toBe('unknown')
      later?.({ preimage: world.service.issued[1]!.preimage })
      await world.clock.until(() => world.record(id).state === 'delivered')
    },
  )

  test('that pays after the payment was closed or failed still gets it delivered', async () => {
    let later: ((proof: { preimage: string }) => void) | undefined
    world.wallet.pays = (_, { onLater }) => {
      later = onLater
      return Promise.resolve({ outcome: 'unknown' })
    }
    world.wallet.looks = () => ({ state: 'pending' })
    const closed = await world.purchase()
    world.payer.abandon(closed.id)
    await world.clock.pass(120_000)
    later?.({ preimage: '00'.repeat(32) })
    expect(world.record(closed.id).state).toBe('closed')
    later?.({ preimage: world.service.issued[0]!.preimage })
    await world.clock.until(() => world.record(closed.id).state === 'delivered')

    world.wallet.looks = () => ({ state: 'failed' })
    const failed = await world.purchase()
    expect(failed.state).toBe('failed')
    await world.clock.pass(120_000)
    later?.({ preimage: world.service.issued[1]!.preimage })
    await world.clock.until(() => world.record(failed.id).state === 'delivered')
  })

  test('that refuses and can’t look up payments is trusted after the invoice has expired', async () => {
    world.wallet.canLookUp = false
    world.wallet.pays = () => Promise.resolve({ outcome: 'refused', code: 'wallet/insufficient-balance' })
    const { id } = await world.purchase()
    await world.clock.pass(300_000 + GRACE - 120_000)
    expect(world.record(id).state).toBe('unknown')
    await world.clock.until(() => world.record(id).state === 'failed')
    expect(world.record(id)).toMatchObject({ failure: { code: 'wallet/insufficient-balance' } })
  })

  test('that holds the money leaves the payment held and reserved', async () => {
    world.wallet.pays = () => new Promise(() => undefined)
    world.wallet.looks = () => ({ state: 'held' })
    const record = await world.purchase()
    expect(record).toMatchObject({ state: 'held', failure: { code: 'payment/unresolved' } })
    await world.clock.pass(3_600_000)
    // The invoice expired long ago, but the wallet accepted the payment in time and may still settle it.
    expect(world.record(record.id).state).toBe('held')
    expect([world.payer.spent().reserved, world.payer.inUse(WALLET_KEY)]).toEqual([14_000n, true])
    expect(() => world.payer.decline(record.id)).toThrow(code('payment/in-progress'))
    await expect(world.pay(record.id)).rejects.toThrow(code('payment/in-progress'))
    world.wallet.looks = () => ({ state: 'settled', preimage: preimage() })
    await world.clock.until(() => world.record(record.id).state === 'delivered')
    expect(world.wallet.asked).toHaveLength(1)
  })

  test('that returns held money makes the payment fail when it reports the failure', async () => {
    world.wallet.pays = unknown
    world.wallet.looks = () => ({ state: 'held' })
    const { id } = await world.purchase()
    world.wallet.looks = () => ({ state: 'failed' })
    await world.clock.until(() => world.record(id).state === 'failed')
    expect(world.record(id)).toMatchObject({ failure: { code: 'wallet/payment-failed' } })
    expect(world.payer.spent().reserved).toBe(0n)
  })

  test('that reports a settlement without a valid preimage leaves the payment unknown', async () => {
    world.wallet.pays = unknown
    world.wallet.looks = () => ({ state: 'settled' })
    const { id } = await world.purchase()
    await world.clock.pass(100_000)
    world.wallet.looks = () => ({ state: 'settled', preimage: '00'.repeat(32) })
    await world.clock.pass(100_000)
    expect(world.record(id)).toMatchObject({ state: 'unknown' })
    expect(world.payer.spent().reserved).toBe(14_000n)
    world.wallet.looks = () => ({ state: 'settled', preimage: preimage() })
    await world.clock.until(() => world.record(id).state === 'delivered')
  })

  test.each(['not-found', 'expired'] as const)(
    'that reports %s decides nothing until a grace period after the invoice’s expiry',
    async (state) => {
      world.wallet.pays = unknown
      world.wallet.looks = () => ({ state })
      const { id } = await world.purchase()
      await world.clock.pass(300_000 + GRACE - 1)
      expect(world.record(id)).toMatchObject({ state: 'unknown' })
      await expect(world.quoted().then(({ id: other }) => world.pay(other))).resolves.toMatchObject({
        state: 'unknown',
      })
      await world.clock.until(() => world.record(id).state !== 'unknown')
      expect(world.record(id)).toMatchObject({ state: 'expired', failure: { code: 'payment/expired' } })
      expect(world.payer.spent().reserved).toBe(14_000n)
      // If the lookup was wrong, a proof still counts.
      expect(await world.clock.through(world.payer.prove(id, preimage(), never))).toMatchObject({
        state: 'delivered',
      })
    },
  )

  test('must be queried for the whole grace period, even if the clock jumps ahead', async () => {
    world.wallet.pays = unknown
    const { id } = await world.purchase()
    world.clock.time += 48 * 3_600_000
    await world.clock.pass(GRACE - 70_000)
    expect(world.record(id).state).toBe('unknown')
    await world.clock.until(() => world.record(id).state === 'expired')
  })

  test('that can’t look up payments leaves it unknown until a person proves it', async () => {
    world.wallet.canLookUp = false
    world.wallet.pays = unknown
    const { id } = await world.purchase()
    await world.clock.pass(24 * 3_600_000 - 1)
    expect([world.record(id).state, world.wallet.lookedUp]).toEqual(['unknown', []])
    expect(await world.clock.through(world.payer.prove(id, preimage(), never))).toMatchObject({
      state: 'delivered',
    })
  })

  test('that replaced the paying one is not queried', async () => {
    world.wallet.pays = unknown
    const { id } = await world.purchase()
    const asked = world.wallet.lookedUp.length
    Object.assign(world.wallet, { publicKey: 'cd'.repeat(32) })
    await world.clock.pass(24 * 3_600_000 - 1)
    expect([world.record(id).state, world.wallet.lookedUp.length]).toEqual(['unknown', asked])
  })

  test('that throws leaves the payment unknown', async () => {
    world.wallet.pays = () => Promise.reject(new Error('a bug'))
    world.wallet.looks = () => Promise.reject(new Error('another'))
    const { id, state } = await world.purchase()
    expect(state).toBe('unknown')
    world.wallet.looks = () => ({ state: 'settled', preimage: preimage() })
    await world.clock.until(() => world.record(id).state === 'delivered')
  })

  test('whose outcome can’t be saved isn’t asked again; the outcome is saved later', async () => {
    world.wallet.pays = (invoice) => {
      world.journal.refuses = 3
      return Promise.resolve(world.service.paid(invoice))
    }
    world.wallet.canLookUp = false
    const { id } = await world.quoted()
    const paying = world.payer.pay(id, { asks: 'person', from: 'window' }, never)
    await settled()
    expect(world.record(id).state).toBe('paying')
    expect(await world.clock.through(paying)).toMatchObject({ state: 'delivered' })
    expect(world.wallet.asked).toHaveLength(1)
  })
})

describe('a payment demand', () => {
  test.each<[string, () => void, ErrorCode]>([
    [
      'of no amount',
      () => {
        world.service.minting = { amount: '' }
      },
      'payment/no-amount',
    ],
    [
      'that ran out',
      () => {
        world.service.minting = { timestamp: START / 1000 - 3600 }
      },
      'payment/expired',
    ],
    [
      'of 2017, on another network, without an amount',
      () => {
        world.service.minting = { prefix: 'lnbc', amount: '', timestamp: 1_496_314_658 }
      },
      'payment/wrong-network',
    ],
    [
      'whose header says less than the invoice',
      () => {
        world.service.minting = { amount: '420n' }
      },
      'payment/wrong-amount',
    ],
    [
      'whose header names another hash',
      () => {
        world.service.changeChallenge = (challenge) => ({
          ...challenge,
          stated: { paymentHash: '00'.repeat(32) },
        })
      },
      'payment/wrong-hash',
    ],
    [
      'whose header names another network',
      () => {
        world.service.changeChallenge = (challenge) => ({ ...challenge, stated: { network: 'mainnet' } })
      },
      'payment/wrong-network',
    ],
    [
      'whose header ended in 2020',
      () => {
        world.service.changeChallenge = (challenge) => ({ ...challenge, expiresAt: Date.UTC(2020, 0) })
      },
      'payment/expired',
    ],
    [
      'for another body',
      () => {
        world.service.changeChallenge = (challenge) => ({
          ...challenge,
          digest: 'sha-256=:47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=:',
        })
      },
      'payment/wrong-digest',
    ],
    [
      'that comes with 200',
      () => {
        world.service.status = 200
      },
      'service/challenge-invalid',
    ],
    [
      'that comes with 401',
      () => {
        world.service.status = 401
      },
      'service/challenge-invalid',
    ],
    [
      'whose invoice no key signed',
      () => {
        world.service.minting = { tamper: () => Buffer.alloc(65) }
      },
      'payment/invoice-invalid',
    ],
  ])('%s is refused before any question, and leaves nothing behind', async (_, change, refusal) => {
    change()
    await expect(world.quoted()).rejects.toThrow(code(refusal))
    expect([world.wallet.asked, world.asked, world.payer.list(10)]).toEqual([[], [], []])
  })

  test('above the listed price is refused if a rate is known', async () => {
    await using other = payerWorld({ rate: () => 800_000_000n })
    const quote = (listed: bigint): Promise<unknown> =>
      other.payer.quote(searchRequest, { caller: { kind: 'window' }, subject: 's', listed }, never)
    await expect(quote(5_000_000_000n)).rejects.toThrow(code('payment/above-listing'))
    await expect(quote(11_500_000_000n)).resolves.toMatchObject({ kind: 'quoted' })
  })

  test('of a service whose clock is an hour off is paid before its expiry, and not after', async () => {
    world.service.minting = { timestamp: START / 1000 - 3600 }
    world.service.date = START - 3_600_000
    const record = await world.quoted()
    expect(record.expiresAt).toBe(START + 300_000)
    expect((await world.pay(record.id)).state).toBe('delivered')
    const late = await world.quoted()
    world.clock.time += 271_000
    await expect(world.pay(late.id)).rejects.toThrow(code('payment/expired'))
  })

  test('from a clock an hour behind gives the wallet the invoice’s own expiry, and expires here by local time', async () => {
    world.service.minting = { timestamp: START / 1000 - 3600, expirySeconds: 1800 }
    world.service.date = START - 3_600_000
    let payOptions: object = {}
    world.wallet.pays = (_, options) => {
      payOptions = options
      return unknown()
    }
    const { id, expiresAt } = await world.purchase()
    expect(expiresAt).toBe(START + 1_800_000)
    expect(payOptions).toMatchObject({ expiresAt: START - 1_800_000, sendBefore: START + 1_800_000 })
    await world.clock.pass(1_800_000 + GRACE - 1)
    expect(world.record(id).state).toBe('unknown')
    await world.clock.until(() => world.record(id).state === 'expired')
  })

  test.each<[string, ErrorCode]>([
    ['a 402 of an account that is empty', 'service/challenge-invalid'],
    ['a redirect', 'service/failed'],
    ['a demand that cannot be read', 'service/challenge-invalid'],
  ])('that is replaced by %s creates no payment', async (_, thrown) => {
    world.service.send = () => Promise.reject(new SottoError(thrown))
    await expect(world.quoted()).rejects.toThrow(code(thrown))
    expect(world.payer.list(10)).toEqual([])
  })

  test('with a redirect after payment is not followed; the request is sent again to the original address', async () => {
    world.service.answers = [
      () => {
        throw new SottoError('service/failed', {
          detail: msg('The service returned status {status} with a redirect, which Sotto doesn’t follow.', {
            status: 302,
          }),
        })
      },
      () => json({ found: 'cellos' }),
    ]
    expect((await world.purchase()).state).toBe('delivered')
    expect(world.wallet.asked).toHaveLength(1)
  })

  test('after a payment of unknown outcome is refused, and the first token is preserved', async () => {
    world.wallet.pays = unknown
    const { id } = await world.purchase()
    world.service.changeChallenge = (challenge) => ({ ...challenge, token: 'challenge-1' })
    await expect(world.quoted()).rejects.toThrow(code('payment/already-paid'))
    expect(world.record(id)).toMatchObject({
      state: 'unknown',
      purpose: { challenge: { token: 'challenge-1' } },
    })
  })
})

describe('the circuit breaker', () => {
  test('pauses after three paid and undelivered requests, also after a restart, until a person resumes', async () => {
    await world.purchase()
    world.service.answers = [
      () => {
        throw new SottoError('service/rejected')
      },
    ]
    for (let count = 0; count < 3; count++) {
      expect(world.payer.paused()).toBeNull()
      await world.pay((await world.quoted()).id, 'tool')
    }
    expect(world.payer.paused()).toEqual({ reason: 'undelivered' })
    await world.restart()
    const next = await world.quoted()
    expect(world.payer.asksFor(next)).toEqual(['paused'])
    await expect(world.pay(next.id, 'tool')).rejects.toThrow(code('payment/paused'))
    // A person may pay, after confirming.
    await world.pay(next.id)
    expect(world.asked.at(-1)).toContain('Recent payments failed')
    world.clock.time += 1
    world.payer.resumeAfterPause()
    expect(world.payer.paused()).toBeNull()
    await world.pay((await world.quoted()).id, 'tool')
    expect(world.wallet.asked).toHaveLength(6)
  })

  test('counts abandoned payments, too', async () => {
    await world.purchase()
    world.service.answers = [
      () => {
        throw new SottoError('service/rejected')
      },
    ]
    for (let count = 0; count < 3; count++)
      world.payer.abandon((await world.pay((await world.quoted()).id, 'tool')).id)
    expect(world.payer.paused()).toEqual({ reason: 'undelivered' })
    await world.restart()
    await expect(world.pay((await world.quoted()).id, 'tool')).rejects.toThrow(code('payment/paused'))
    world.clock.time += 1
    world.payer.resumeAfterPause()
    expect(world.payer.paused()).toBeNull()
  })

  test('pauses after five wallet failures in ten minutes, and resumes automatically afterwards', async () => {
    await world.purchase()
    world.wallet.pays = () => Promise.resolve({ outcome: 'not-paid', code: 'wallet/refused' })
    for (let count = 0; count < 5; count++) {
      expect(world.payer.paused()).toBeNull()
      world.clock.time += 60_000
      await world.pay((await world.quoted()).id, 'tool')
    }
    expect(world.payer.paused()).toEqual({ reason: 'wallet', until: START + 60_000 + GRACE })
    await expect(world.pay((await world.quoted()).id, 'tool')).rejects.toThrow(code('payment/paused'))
    await world.restart()
    expect(world.payer.paused()).toMatchObject({ reason: 'wallet' })
    world.clock.time = START + 60_000 + GRACE
    expect(world.payer.paused()).toBeNull()
  })
})

describe('a restart', () => {
  test('looks up payments in progress, delivers paid ones, and pays nothing', async () => {
    world.wallet.pays = () => new Promise(() => undefined)
    const asked = await world.quoted()
    void world.payer.pay(asked.id, { asks: 'person', from: 'window' }, never)
    await settled()
    expect(world.record(asked.id).state).toBe('paying')
    world.wallet.looks = () => ({ state: 'settled', preimage: world.service.preimageOf(asked.paymentHash) })
    await world.restart()
    await world.clock.until(() => world.record(asked.id).state === 'delivered')
    expect(world.wallet.asked).toHaveLength(1)
  })

  test('finds a response that was saved but not yet recorded, although its proof is used up', async () => {
    let [stop, release] = [(): void => undefined, (): void => undefined]
    const released = new Promise<void>((resolve) => {
      release = resolve
    })
    const stopped = new Promise<void>((resolve) => {
      stop = resolve
    })
    const save = world.files.save.bind(world.files)
    world.files.save = async (id, index, body) => {
      const bytes = await save(id, index, body)
      stop()
      await released
      return bytes
    }
    const { id } = await world.quoted()
    void world.payer.pay(id, { asks: 'person', from: 'window' }, never)
    await world.clock.through(stopped)
    expect(world.record(id)).toMatchObject({ state: 'paid', attempts: 1 })
    expect(world.record(id)).not.toHaveProperty('delivered')
    // The old payer stops here, as if it had been killed.
    world.files.save = save
    world.service.answers = [
      () => world.service.demand(402, 'https://paymentauth.org/problems/lightning/unknown-challenge'),
    ]
    await using next = world.open()
    next.resume()
    await world.clock.until(() => world.record(id).state === 'delivered')
    expect([world.service.sent.length, world.wallet.asked.length]).toEqual([2, 1])
    release()
  })

  test('lets a quoted payment expire', async () => {
    const { id } = await world.quoted()
    await world.payer[Symbol.asyncDispose]()
    world.clock.time += 400_000
    await world.restart()
    expect(world.record(id).state).toBe('expired')
    expect(world.wallet.asked).toEqual([])
  })

  test('leaves paid top-ups unchanged, and settles those of unknown outcome', async () => {
    const minted = mintInvoice({ timestamp: START / 1000, expirySeconds: 900, amount: '10u' })
    world.service.issued.push(minted)
    world.wallet.pays = unknown
    const record = await world.clock.through(
      world.payer.payInvoice(
        { topupId: 't', invoice: minted.invoice, caller: { kind: 'window' }, from: 'window' },
        never,
      ),
    )
    expect(record.state).toBe('unknown')
    world.wallet.looks = () => ({ state: 'settled', preimage: minted.preimage })
    await world.restart()
    await world.clock.until(() => world.record(record.id).state === 'paid')
    await world.restart()
    await world.clock.pass(60_000)
    expect([world.record(record.id).state, world.service.sent]).toEqual(['paid', []])
  })

  test.each(['closed', 'failed'] as const)(
    'delivers a %s payment once its proof arrives, without paying again',
    async (state) => {
      world.wallet.pays = unknown
      const { id, paymentHash } = await world.purchase()
      if (state === 'failed') world.wallet.looks = () => ({ state: 'failed' })
      else world.payer.abandon(id)
      await world.clock.until(() => world.record(id).state === state)
      await world.restart()
      await world.clock.pass(2 * 60_000)
      expect(world.record(id).state).toBe(state)
      world.wallet.looks = () => ({ state: 'settled', preimage: world.service.preimageOf(paymentHash) })
      await world.clock.until(() => world.record(id).state === 'delivered')
      expect([
        world.wallet.asked.length,
        world.service.sent.filter(({ authorization }) => authorization !== undefined).length,
      ]).toEqual([1, 1])
    },
  )

  test.each<[string, () => void]>([
    [
      'a wallet that reports no proof',
      () => {
        world.wallet.looks = () => ({ state: 'settled', preimage: '00'.repeat(32) })
      },
    ],
    [
      'no wallet',
      () => {
        world.connected = false
      },
    ],
    [
      'a lookup after its time',
      () => {
        world.clock.time = START + 300_000 + GRACE
        world.wallet.looks = (paymentHash) => ({
          state: 'settled',
          preimage: world.service.preimageOf(paymentHash),
        })
      },
    ],
  ])('leaves a closed payment closed with %s, and stops its lookups', async (_, change) => {
    world.wallet.pays = unknown
    const { id } = await world.purchase()
    world.payer.abandon(id)
    await world.payer[Symbol.asyncDispose]()
    change()
    await world.restart()
    await world.clock.pass(30 * 60_000)
    expect(world.record(id).state).toBe('closed')
    const looked = world.wallet.lookedUp.length
    await world.clock.pass(30 * 60_000)
    expect([world.wallet.lookedUp.length, world.wallet.asked.length]).toEqual([looked, 1])
  })
})
