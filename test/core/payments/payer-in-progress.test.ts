import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { payerWorld, type PayerWorld } from './payer-world.ts'

const DAY = 24 * 3_600_000

let world: PayerWorld

beforeEach(() => {
  world = payerWorld()
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
})
