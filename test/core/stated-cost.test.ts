import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Receipt } from '../../src/shared/receipt.ts'
import { OPEN_MODEL, PRIVATE_MODEL, startWorld, type World } from '../world.ts'

let world: World
beforeAll(async () => {
  world = await startWorld()
})
afterAll(() => world[Symbol.asyncDispose]())

const newest = async (): Promise<Receipt> => (await world.call('receipts/list', { limit: 1 }) as Receipt[])[0]!

describe.each([OPEN_MODEL, PRIVATE_MODEL])('the sandbox with %s', (model) => {
  it.each([true, false])('states the cost, cached and reasoning tokens if it is told to, streamed: %s', async (stream) => {
    (await world.sandbox.control()).reportUsage({ cost: true, cached: 3, reasoning: 2 })
    await (await world.post({ model, stream, messages: [{ role: 'user', content: 'Tell me about the river Po.' }] })).text()
    const { usage, cost, costStated, listedCost } = await newest()
    expect(usage).toMatchObject({ cached: 3, reasoning: 2 })
    expect({ costStated, same: cost === listedCost }).toEqual({ costStated: true, same: true })
    expect(cost).toMatch(/^[1-9]\d*$/)
  })

  it('states none of them otherwise', async () => {
    (await world.sandbox.control()).reportUsage({})
    await (await world.post({ model, messages: [{ role: 'user', content: 'Hello' }] })).text()
    const receipt = await newest()
    expect(receipt.cost).toMatch(/^[1-9]\d*$/)
    expect(receipt).not.toHaveProperty('costStated', true)
    expect(receipt.usage).not.toHaveProperty('cached')
  })
})
