import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { readConnectionString } from '../../src/sandbox/nwc/connection-string.ts'
import { publicKeyOf } from '../../src/sandbox/nwc/event.ts'
import { conversationKey, decrypt, encrypt } from '../../src/sandbox/nwc/nip44.ts'
import { startNostrWallet, type NostrWallet, type WalletOptions } from './nostr-wallet.ts'
import { sandboxFolder } from './cached-roots.ts'
import { bearer, creditId, dollar, question, startService, type Service } from './service-client.ts'

let service: Service
let ownHeaders: Record<string, string>
beforeEach(async () => {
  service = await startService()
  ownHeaders = creditId(service.account.creditId)
})
afterEach(() => service[Symbol.asyncDispose]())

const payFrom = async (invoice: string) => {
  const paid = await service.control.pay(invoice)
  return 'preimage' in paid ? paid : { code: 'PAYMENT_FAILED' }
}
const wallet = (options: Partial<WalletOptions> = {}) => startNostrWallet({ pay: payFrom, ...options })
const connect = (body: object) =>
  service.call('POST', '/nwc-auto-topup/connect', { headers: ownHeaders, body })
const settings = async () =>
  (await service.call('GET', '/nwc-auto-topup', { headers: ownHeaders })).body.data as unknown
const disconnect = () => service.call('DELETE', '/nwc-auto-topup/connection', { headers: ownHeaders })
const balance = async () =>
  (await service.call('POST', '/credits/balance', { body: { credit_id: service.account.creditId } })).body
    .balance
const ask = () =>
  service.call('POST', '/chat/completions', { headers: bearer(service.account.apiKey), body: question })

describe('the connection of a wallet', () => {
  test('saves the settings with their defaults, and never shows the secret', async () => {
    await using nostr = await wallet()
    const { status, body } = await connect({ nwc_url: nostr.url })
    expect([status, body]).toEqual([
      200,
      {
        status: 'success',
        data: {
          nwc_url: nostr.url.replace(/secret=.*/, 'secret=********'),
          threshold_usd: 10,
          topup_amount_usd: 10,
        },
      },
    ])
    expect(await settings()).toEqual(body.data)
    await connect({ nwc_url: nostr.url, threshold_usd: 5, topup_amount_usd: 25 })
    expect(await settings()).toMatchObject({ threshold_usd: 5, topup_amount_usd: 25 })
    expect((await service.call('GET', '/v1/nwc-auto-topup', { headers: ownHeaders })).body.data).toEqual(
      await settings(),
    )
  })

  test.each([
    ['nwc_url', {}],
    ['nwc_url', { nwc_url: '' }],
    ['nwc_url', { nwc_url: 'https://example.com' }],
    ['threshold_usd', { nwc_url: 'x', threshold_usd: 4.99 }],
    ['topup_amount_usd', { nwc_url: 'x', topup_amount_usd: 0 }],
    ['topup_amount_usd', { nwc_url: 'x', topup_amount_usd: 1001 }],
  ])('returns 400 and names %s for %j', async (field, body) => {
    const answer = await connect(body)
    expect([answer.status, answer.body.field]).toEqual([400, field])
    expect(await settings()).toBeNull()
  })

  test('returns 422 for a wallet that can’t pay, doesn’t support NIP-44, has no info event, or is unreachable', async () => {
    const wallets: NostrWallet[] = [
      await wallet({ capabilities: 'get_balance' }),
      await wallet({ encryption: 'nip04' }),
      await wallet({ capabilities: null }),
      await wallet(),
    ]
    await wallets[3]?.[Symbol.asyncDispose]()
    for (const { url } of wallets) expect((await connect({ nwc_url: url })).status).toBe(422)
    expect(await settings()).toBeNull()
    for (const nostr of wallets.slice(0, 3)) await nostr[Symbol.asyncDispose]()
  })

  test('uses only relays on loopback, and refuses a malformed connection string', () => {
    const [key, secret] = [publicKeyOf(Buffer.alloc(32, 1)), '11'.repeat(32)]
    const good = `nostr+walletconnect://${key}?relay=ws%3A%2F%2F127.0.0.1%3A7000&secret=${secret}`
    expect(readConnectionString(good)).toMatchObject({ walletPublicKey: key, relay: 'ws://127.0.0.1:7000' })
    expect(readConnectionString(good.replace('127.0.0.1', '%5B%3A%3A1%5D'))).toMatchObject({
      relay: 'ws://[::1]:7000',
    })
    const bad = [
      good.replace('127.0.0.1', '10.0.0.1'),
      good.replace('127.0.0.1', '127.0.0.1.evil.example'),
      good.replace('127.0.0.1', 'localhost'),
      good.replace('ws%3A', 'wss%3A'),
      good.replace(/relay=[^&]+&/, ''),
      good.replace(/&secret=.*/, ''),
      `${good}&secret=${secret}`,
      good.replace(secret, '00'.repeat(32)),
      good.replace(key, 'ff'.repeat(32)),
      good.replace(key, key.slice(2)),
    ]
    for (const url of bad) {
      const read = readConnectionString(url)
      expect(read, url).toHaveProperty('fault')
      expect(JSON.stringify(read)).not.toContain(secret)
    }
  })
})

describe('the automatic charge', () => {
  test('tops up a balance below the threshold from the wallet, and is recorded', async () => {
    await using nostr = await wallet()
    service.control.setBalance(service.account.creditId, 6n * dollar)
    await connect({ nwc_url: nostr.url, threshold_usd: 6, topup_amount_usd: 10 })
    expect([await balance(), nostr.asked]).toEqual([6, []])
    expect((await ask()).status).toBe(200)
    await expect.poll(balance).toBeGreaterThan(15)
    expect(nostr.asked).toHaveLength(1)
    expect(await ask().then(() => nostr.asked)).toHaveLength(1)
    expect(service.control.unbalanced()).toEqual([])
  })

  test('happens once, even if many requests reduce the balance', async () => {
    let release: () => void = () => undefined
    const released = new Promise<void>((resolve) => (release = resolve))
    await using nostr = await wallet({ pay: (invoice) => released.then(() => payFrom(invoice)) })
    service.control.setBalance(service.account.creditId, 5n * dollar)
    await connect({ nwc_url: nostr.url, threshold_usd: 5, topup_amount_usd: 10 })
    await Promise.all(Array.from({ length: 20 }, ask))
    await expect.poll(() => nostr.asked.length).toBe(1)
    release()
    await expect.poll(balance).toBeGreaterThan(14)
    expect(nostr.asked).toHaveLength(1)
  })

  test('happens on connection if the balance is already below the threshold', async () => {
    await using nostr = await wallet()
    service.control.setBalance(service.account.creditId, 0n)
    await connect({ nwc_url: nostr.url })
    await expect.poll(balance).toBe(10)
  })

  test.each([
    ['refuses', () => Promise.resolve({ code: 'QUOTA_EXCEEDED' })],
    ['gives a preimage that proves nothing', () => Promise.resolve({ preimage: '00'.repeat(32) })],
    ['gives none', () => Promise.resolve({ preimage: '' })],
  ])('from a wallet that %s credits nothing, and is retried after a minute', async (_, pay) => {
    await using nostr = await wallet({ pay })
    service.control.setBalance(service.account.creditId, 4n * dollar)
    await connect({ nwc_url: nostr.url, threshold_usd: 5 })
    await expect.poll(() => nostr.asked.length).toBe(1)
    await expect
      .poll(async () => {
        await ask()
        service.clock.now += 60_000
        return nostr.asked.length
      })
      .toBeGreaterThan(1)
    expect(await balance()).toBeLessThan(4)
    expect(service.control.unbalanced()).toEqual([])
  })

  test('stops when the wallet is disconnected', async () => {
    await using nostr = await wallet()
    service.control.setBalance(service.account.creditId, 6n * dollar)
    await connect({ nwc_url: nostr.url, threshold_usd: 6 })
    const ended = await disconnect()
    expect([ended.status, ended.body.status]).toEqual([200, 'success'])
    expect(await settings()).toBeNull()
    await ask()
    expect([(await balance()) < 6, nostr.asked]).toEqual([true, []])
    expect((await disconnect()).status).toBe(404)
  })

  test('continues after a restart', async () => {
    const folder = await sandboxFolder()
    const after: { service?: Service } = {}
    await using nostr = await startNostrWallet({
      pay: async (invoice) => {
        const paid = await after.service?.control.pay(invoice)
        return paid && 'preimage' in paid ? paid : { code: 'OTHER' }
      },
    })
    const first = await startService({ ledger: 'file', folder })
    const { account } = first
    const connected = await first.call('POST', '/nwc-auto-topup/connect', {
      headers: creditId(account.creditId),
      body: { nwc_url: nostr.url },
    })
    await first[Symbol.asyncDispose]()
    const again = await startService({ ledger: 'file', folder })
    after.service = again
    try {
      expect(
        (await again.call('GET', '/nwc-auto-topup', { headers: creditId(account.creditId) })).body.data,
      ).toEqual(connected.body.data)
      await again.call('POST', '/chat/completions', { headers: bearer(account.apiKey), body: question })
      const left = async () =>
        (await again.call('POST', '/credits/balance', { headers: bearer(account.apiKey) })).body.balance
      await expect.poll(left).toBeGreaterThan(19)
    } finally {
      await again[Symbol.asyncDispose]()
    }
  })
})

test('all three routes require the account’s ID', async () => {
  for (const headers of [{}, bearer(service.account.apiKey), creditId('nobody')]) {
    for (const [method, path] of [
      ['POST', '/nwc-auto-topup/connect'],
      ['GET', '/nwc-auto-topup'],
      ['DELETE', '/nwc-auto-topup/connection'],
    ] as const)
      expect((await service.call(method, path, { headers })).status).toBe(401)
  }
})

describe('NIP-44', () => {
  const [first, second] = [
    Buffer.from(`${'00'.repeat(31)}01`, 'hex'),
    Buffer.from(`${'00'.repeat(31)}02`, 'hex'),
  ]
  const key = conversationKey(first, publicKeyOf(second))

  // The first vector of the published test vectors (nip44.vectors.json).
  test('matches the published vector', () => {
    expect(Buffer.from(key).toString('hex')).toBe(
      'c41c775356fd92eadc63ff5a0dc1da211b268cbea22316767095b2871ea1412d',
    )
    expect(encrypt('a', key, first)).toBe(
      'AgAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAABee0G5VSK0/9YypIObAtDKfYEAjD35uVkHyB0F4DwrcNaCXlCWZKaArsGrY6M9wnuTMxWfp1RTN9Xga8no+kF5Vsb',
    )
  })

  test('decrypts its own output, and refuses any changed text', () => {
    fc.assert(
      fc.property(
        fc.string({ minLength: 1, maxLength: 2000, unit: 'grapheme' }),
        fc.uint8Array({ minLength: 32, maxLength: 32 }),
        fc.nat(),
        (text, nonce, at) => {
          const payload = encrypt(text, key, nonce)
          expect(decrypt(payload, conversationKey(second, publicKeyOf(first)))).toBe(text)
          const bytes = Buffer.from(payload, 'base64')
          bytes.writeUInt8(bytes.readUInt8(at % bytes.length) ^ 1, at % bytes.length)
          expect(() => decrypt(bytes.toString('base64'), key)).toThrow()
        },
      ),
      { numRuns: 50 },
    )
    expect(() => decrypt('', key)).toThrow()
  })
})
