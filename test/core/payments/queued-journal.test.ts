import { expect, test } from 'vitest'
import { SottoError } from '../../../src/shared/errors.ts'
import { MemoryPayments } from './memory-payments.ts'
import { payerWorld, type PayerWorld } from './payer-world.ts'
import { settled } from './virtual-clock.ts'

/** A journal whose records become durable when the test decides. */
class QueuedPayments extends MemoryPayments {
  /** Resolves or rejects the current wait; undefined while nothing waits. */
  decide: PromiseWithResolvers<void> | undefined
  queues = true

  durable = (): Promise<void> => {
    if (!this.queues) return Promise.resolve()
    this.decide ??= Promise.withResolvers()
    return this.decide.promise
  }
}

function queuedWorld(): { readonly world: PayerWorld; readonly journal: QueuedPayments } {
  const log: string[] = []
  const journal = new QueuedPayments(log)
  return { world: payerWorld({ journal }), journal }
}

test('a wallet is asked only after the reservation is durable', async () => {
  const { world, journal } = queuedWorld()
  journal.queues = false
  const { id } = await world.quoted()
  journal.queues = true
  const paying = world.pay(id)
  await settled()
  expect([journal.get(id)?.state, world.wallet.asked.length]).toEqual(['paying', 0])
  journal.queues = false
  journal.decide?.resolve()
  expect(await paying).toMatchObject({ state: 'delivered' })
  expect(world.wallet.asked).toHaveLength(1)
  await world[Symbol.asyncDispose]()
})

test('a wallet isn’t asked if the reservation can’t be written', async () => {
  const { world, journal } = queuedWorld()
  journal.queues = false
  const { id } = await world.quoted()
  journal.queues = true
  const paying = world.pay(id)
  await settled()
  journal.decide?.reject(new SottoError('store/unwritable'))
  await expect(paying).rejects.toMatchObject({ code: 'store/unwritable' })
  expect(world.wallet.asked).toEqual([])
  await world[Symbol.asyncDispose]()
})

test('a payment isn’t begun if Sotto closes while the reservation is written', async () => {
  const { world, journal } = queuedWorld()
  journal.queues = false
  const { id } = await world.quoted()
  journal.queues = true
  const paying = world.pay(id)
  await settled()
  await world[Symbol.asyncDispose]()
  journal.decide?.resolve()
  await expect(paying).rejects.toMatchObject({ code: 'request/canceled' })
  expect(world.wallet.asked).toEqual([])
})

test('a proof is sent only after its attempt is durable', async () => {
  const { world, journal } = queuedWorld()
  journal.queues = false
  const { id } = await world.quoted()
  world.wallet.pays = (invoice) => {
    journal.queues = true
    return Promise.resolve(world.service.paid(invoice))
  }
  const paying = world.pay(id)
  await world.clock.until(() => journal.get(id)?.attempts === 1)
  expect(world.service.sent.filter(({ authorization }) => authorization !== undefined)).toEqual([])
  journal.queues = false
  journal.decide?.resolve()
  expect(await paying).toMatchObject({ state: 'delivered' })
  await world[Symbol.asyncDispose]()
})
