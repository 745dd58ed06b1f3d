import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { unlockVault } from '../../../../src/core/core.ts'
import type { Failure } from '../../../../src/shared/contract/sotto-contract.ts'
import type { Wallet } from '../../../../src/shared/wallet.ts'
import { startWorld, type World } from '../../../world.ts'

let world: World
let asked: string[]
let isApproved: boolean
beforeEach(async () => {
  asked = []
  isApproved = true
  world = await startWorld({
    vault: (folder) => unlockVault({ mode: 'file', folder, passphrase: 'correct horse' }),
    confirm: (question) => {
      asked.push(question)
      return isApproved
    },
  })
})
afterEach(() => world[Symbol.asyncDispose]())

const get = async (): Promise<Wallet> => (await world.call('wallet/get')) as Wallet
const connection = async (name: 'sotto' | 'service' = 'sotto'): Promise<string> =>
  (await world.sandbox.wallet()).connection(name)
/** The error code of a refused call. */
const refused = async (path: string, input?: unknown): Promise<string> =>
  ((await world.call(path, input)) as { data?: Failure }).data?.code ?? 'not refused'

describe('initially', () => {
  it('nothing is connected, and the limits are low', async () => {
    expect(await get()).toEqual({
      connection: null,
      spent: { day: '0', held: '0' },
      hosts: [],
      limits: {
        perPayment: '20000000',
        perDay: '50000000',
        perHostAndDay: '50000000',
        automaticUpTo: '1000000',
      },
    })
    expect(await refused('wallet/funds')).toBe('wallet/not-connected')
  })
})

describe('a connection', () => {
  it('is saved once it’s confirmed, with a question that names the wallet and its relays', async () => {
    const text = await connection()
    const { publicKey } = await world.sandbox.wallet()
    const relay = new URL(new URL(text).searchParams.get('relay')!).host
    expect(await world.call('wallet/connect', { connection: text })).toMatchObject({
      connection: { kind: 'nwc', publicKey, relays: [relay], canLookUp: true },
    })
    expect(asked).toHaveLength(1)
    expect(asked[0]).toContain(publicKey)
    expect(asked[0]).toContain(relay)
    const secret = new URL(text).searchParams.get('secret')!
    expect(JSON.stringify([asked, await get()])).not.toContain(secret)
    expect(await world.call('wallet/funds')).toMatchObject({
      balance: expect.stringMatching(/^\d+$/) as string,
    })
  })

  it('isn’t saved if the confirmation is refused', async () => {
    isApproved = false
    expect(await refused('wallet/connect', { connection: await connection() })).toBe('confirm/refused')
    expect((await get()).connection).toBeNull()
    expect(await world.vault.get(`wallet/${world.sandbox.profile.id}`)).toBeNull()
  })

  it.each([
    'x',
    'nostr+walletconnect://',
    `nostr+walletconnect://${'0'.repeat(64)}?relay=wss%3A%2F%2Frelay.example&secret=${'1'.repeat(64)}`,
  ])('is refused if it’s invalid, and repeated nowhere: %s', async (text) => {
    const answer = (await world.call('wallet/connect', { connection: text })) as { data: Failure }
    expect(answer.data.code).toBe('wallet/connection-invalid')
    expect(JSON.stringify(answer)).not.toContain('1'.repeat(64))
    expect(asked).toEqual([])
  })

  it('is refused if the wallet doesn’t respond', async () => {
    const text = await connection()
    await (await world.sandbox.wallet()).setFault('relay-gone')
    expect(await refused('wallet/connect', { connection: text })).toBe('wallet/unreachable')
    await (await world.sandbox.wallet()).setFault(null)
    expect((await get()).connection).toBeNull()
  }, 60_000)

  it('to the sandbox needs no confirmation, and is removed on request', async () => {
    expect(await world.call('wallet/connectSandbox')).toMatchObject({ connection: { kind: 'sandbox' } })
    expect(asked).toEqual([])
    // The address of its relay changes, so the secret that can spend is requested again each time.
    expect(
      Buffer.from((await world.vault.get(`wallet/${world.sandbox.profile.id}`))!).toString(),
    ).not.toContain('secret')
    expect(await world.call('wallet/disconnect')).toMatchObject({ connection: null })
    expect(await world.vault.get(`wallet/${world.sandbox.profile.id}`)).toBeNull()
  })

  it('can’t be removed or replaced during a payment', async () => {
    await world.call('wallet/connectSandbox')
    await (await world.sandbox.wallet()).setFault('held')
    const quoted = (await world.call('purchases/quote', {
      ask: { endpoint: 'data', method: 'POST', path: '/api/websearch/search', input: { query: 'x' } },
    })) as { id: string }
    const paid = world.call('purchases/pay', { purchaseId: quoted.id })
    await expect
      .poll(async () => ((await world.call('purchases/list')) as { state: string }[])[0]?.state)
      .toMatch(/^(paying|held)$/)
    expect(await refused('wallet/disconnect')).toBe('wallet/in-use')
    expect(await refused('wallet/connectSandbox')).toBe('wallet/in-use')
    expect((await get()).spent.held).not.toBe('0')
    await (await world.sandbox.wallet()).setFault(null)
    await paid
    await expect
      .poll(async () => ((await world.call('purchases/list')) as { state: string }[])[0]?.state, {
        timeout: 30_000,
      })
      .toBe('delivered')
    expect((await get()).spent.held).toBe('0')
    expect(await world.call('wallet/disconnect')).toMatchObject({ connection: null })
  }, 90_000)
})

describe('spending limits', () => {
  it('are lowered without a confirmation, and raised only with one', async () => {
    const { limits } = await get()
    const lower = { ...limits, perDay: '0' }
    expect(await world.call('wallet/setLimits', lower)).toMatchObject({ limits: lower })
    expect(asked).toEqual([])
    isApproved = false
    expect(await refused('wallet/setLimits', { ...limits, perPayment: '1' })).toBe('confirm/refused')
    expect((await get()).limits).toEqual(lower)
    expect(asked).toEqual([
      'Raise Sotto’s spending limits for the connected wallet: spend up to 50,000 sats in 24 hours?',
    ])
    isApproved = true
    expect(await world.call('wallet/setLimits', limits)).toMatchObject({ limits })
  })
  it('must be valid amounts', async () => {
    const { limits } = await get()
    for (const perDay of ['-1', '1.5', '1e9', '', '00'])
      expect(await world.call('wallet/setLimits', { ...limits, perDay })).toMatchObject({
        code: 'BAD_REQUEST',
      })
  })
})

describe('automatic top-up', () => {
  it('refuses the connection that this installation pays with', async () => {
    await world.call('wallet/connectSandbox')
    const ownConnection = await connection()
    for (const same of [
      ownConnection,
      ownConnection.replace('nostr+walletconnect://', 'nostrwalletconnect:'),
      `${ownConnection}&lud16=a`,
    ]) {
      expect(
        await refused('wallet/connectAutomaticTopup', { connection: same, threshold: '5', amount: '10' }),
      ).toBe('wallet/same-connection')
    }
    expect(asked).toEqual([])
  })
  it('is connected after a confirmation, and disconnected', async () => {
    expect(await world.call('wallet/automaticTopup')).toEqual({ connected: false })
    isApproved = false
    expect(
      await refused('wallet/connectAutomaticTopup', { connection: 'sandbox', threshold: '5', amount: '10' }),
    ).toBe('confirm/refused')
    expect(asked[0]).toContain((await world.sandbox.wallet()).publicKey)
    isApproved = true
    expect(
      await refused('wallet/connectAutomaticTopup', {
        connection: 'sandbox',
        threshold: '4.99',
        amount: '10',
      }),
    ).toBe('request/invalid')
    expect(
      await world.call('wallet/connectAutomaticTopup', {
        connection: await connection('service'),
        threshold: '5',
        amount: '10.50',
      }),
    ).toEqual({ connected: true, threshold: '5000000000000', amount: '10500000000000' })
    expect(await world.call('wallet/disconnectAutomaticTopup')).toEqual({ connected: false })
  })
})
