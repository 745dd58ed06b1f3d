import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { PaymentOutcome } from '../../../src/core/payments/index.ts'
import { HOST, never, payerWorld, START, type PayerWorld } from './payer-world.ts'
import { settled } from './virtual-clock.ts'

const DAY = 24 * 3_600_000

let world: PayerWorld

beforeEach(() => {
  world = payerWorld()
  world.journal.hosts.set(HOST, START)
})
afterEach(async () => {
  await world[Symbol.asyncDispose]()
})

describe('a quoted payment', () => {
  test('expires on time, also after more than a day', async () => {
    world.service.minting = { expirySeconds: (3 * DAY) / 1000 }
    const { id } = await world.quoted()
    await world.clock.pass(3 * DAY - 1000)
    expect(world.record(id).state).toBe('quoted')
    await world.clock.pass(3000)
    expect(world.record(id).state).toBe('expired')
    expect(world.wallet.asked).toEqual([])
  })

  test('loses its content a day after its expiry, also after the clock was set back', async () => {
    await world.quoted()
    world.clock.time -= 10 * DAY
    const { id } = await world.quoted()
    await world.clock.pass(2 * DAY)
    await world.quoted()
    expect(world.record(id).purpose).not.toHaveProperty('challenge')
  })
})

describe('a payment in progress', () => {
  test('continues when the payer is resumed again', async () => {
    const wallet = Promise.withResolvers<PaymentOutcome>()
    world.wallet.pays = () => wallet.promise
    const { id, invoice } = await world.quoted()
    const paying = world.payer.pay(id, { asks: 'tool' }, never)
    await settled()
    world.payer.resume()
    await settled()
    expect(world.record(id).state).toBe('paying')
    wallet.resolve(world.service.paid(invoice))
    expect(await world.clock.through(paying)).toMatchObject({ state: 'delivered' })
    expect(world.wallet.asked).toEqual([invoice])
  })

  test('is not looked up when the payer is resumed while its reservation is being saved', async () => {
    const { id } = await world.quoted()
    // Another replica saves the journal too.
    const saved = Promise.withResolvers<undefined>()
    Object.assign(world.journal, { durable: () => saved.promise })
    const paying = world.payer.pay(id, { asks: 'tool' }, never)
    await settled()
    world.payer.resume()
    await settled()
    expect(world.record(id).state).toBe('paying')
    saved.resolve(undefined)
    expect(await world.clock.through(paying)).toMatchObject({ state: 'delivered' })
    expect(world.wallet.asked).toHaveLength(1)
  })
})
