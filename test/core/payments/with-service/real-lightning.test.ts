import { createHash } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startLdkNodes, type RealNodes } from '../../../../src/sandbox/lightning/ldk-nodes.ts'
import { decode } from 'light-bolt11-decoder'
import type { Purchase } from '../../../../src/shared/purchase.ts'
import type { Wallet } from '../../../../src/shared/wallet.ts'
import { startWorld, type World } from '../../../world.ts'
import { HIGH } from './single-requests-world.ts'

/** No part of the payment is simulated: two Lightning nodes, a relay, the wallet's protocol, the core. */
let nodes: RealNodes
let world: World
beforeAll(async () => {
  nodes = await startLdkNodes()
  world = await startWorld({ lightning: () => Promise.resolve(nodes) })
  await world.call('accounts/disconnect')
  world.outbound.length = 0
  await world.call('wallet/setLimits', {
    perPayment: HIGH,
    perDay: HIGH,
    perHostAndDay: HIGH,
    automaticUpTo: '0',
  })
})
afterAll(() => world[Symbol.asyncDispose]())

const newest = async (): Promise<Purchase> => ((await world.call('purchases/list')) as Purchase[])[0]!
const settled = (invoice: string) => nodes.funds.pay(invoice, 0n)

it('a video is bought without an account, and its preimage proven', async () => {
  const connected = (await world.call('wallet/connect', {
    connection: (await world.sandbox.wallet()).connection('sotto'),
  })) as Wallet
  expect(connected.connection).toMatchObject({ kind: 'nwc', canLookUp: true })
  const before = nodes.funds.balance()

  const quoted = (await world.call('purchases/quote', {
    ask: {
      endpoint: 'videos',
      body: { model: 'sandbox/carosello-video', prompt: 'waves at night', duration: '5' },
    },
  })) as Purchase
  expect(quoted).toMatchObject({
    state: 'quoted',
    asks: ['first-host', 'above-automatic'],
    endpoint: 'videos',
  })
  expect(nodes.funds.balance()).toBe(before)
  const invoice = quoted.uri?.slice('lightning:'.length).toLowerCase() ?? ''
  const sections = decode(invoice).sections as { name: string; value?: unknown }[]
  expect(sections.find(({ name }) => name === 'payment_hash')?.value).toBe(quoted.paymentHash)
  expect(sections.find(({ name }) => name === 'amount')?.value).toBe(quoted.amountMsat)

  await world.call('purchases/pay', { purchaseId: quoted.id })
  await expect.poll(async () => (await newest()).state).toBe('delivered')
  expect(before - nodes.funds.balance()).toBe(BigInt(quoted.amountMsat))

  // Only the service received the preimage.
  const [, preimage = ''] =
    /"authorization":"L402 [^"]+:([0-9a-f]{64})"/.exec(Buffer.concat(world.outbound).toString()) ?? []
  expect(createHash('sha256').update(Buffer.from(preimage, 'hex')).digest('hex')).toBe(quoted.paymentHash)

  await expect.poll(async () => (await newest()).job?.status).toBe('completed')
  await expect.poll(async () => (await newest()).files).toMatchObject([{ contentType: 'video/mp4' }])
  // The service's ledger names the payment in place of an account, and no key was ever sent.
  expect(world.sandbox.ledger().at(-1)).toMatchObject({
    account: quoted.paymentHash,
    model: 'sandbox/carosello-video',
  })
  expect(Buffer.concat(world.outbound).toString()).not.toContain('Bearer')
  // The node that paid the invoice does not pay it again.
  expect(await settled(invoice)).toEqual({ failed: 'unknown' })
})

it('a payment that is held is in flight until it is claimed, and delivered then', async () => {
  nodes.hold()
  const before = nodes.funds.balance()
  const quoted = (await world.call('purchases/quote', {
    ask: { endpoint: 'data', method: 'POST', path: '/api/websearch/search', input: { query: 'otters' } },
  })) as Purchase
  const paying = world.call('purchases/pay', { purchaseId: quoted.id })
  await expect.poll(() => nodes.funds.balance()).toBe(before - BigInt(quoted.amountMsat))
  expect(await newest()).toMatchObject({ id: quoted.id, state: 'paying' })
  nodes.release()
  await paying
  await expect.poll(async () => (await newest()).state).toBe('delivered')
  expect(before - nodes.funds.balance()).toBe(BigInt(quoted.amountMsat))
})
