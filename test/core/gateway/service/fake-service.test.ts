import { describe, expect, it } from 'vitest'
import { createKey, updateKey } from '../../../../src/core/gateway/service/account/keys.ts'
import { connectAutomaticTopup } from '../../../../src/core/gateway/service/account/automatic-topup.ts'
import { readHistory } from '../../../../src/core/gateway/service/account/read/history.ts'
import { createTopup } from '../../../../src/core/gateway/service/account/topup.ts'
import { createFakeService, type FakeService } from './fake-service/index.ts'
import { BASE } from './fake-service/request.ts'
import { walkAccount } from './fake-service/walk-account.ts'
import { walkInference } from './fake-service/walk-inference.ts'
import { codeOf } from './scripted.ts'

const SEEDS = Array.from({ length: 20 }, (_, seed) => seed)

describe.each(['A', 'B'] as const)('a service of Revision %s with every open shape varied', (revision) => {
  it.each(SEEDS)('seed %i', async (seed) => {
    const fake = createFakeService({ seed, revision })
    await walkAccount(fake)
    await walkInference(fake)
  })

  it('is the same service for the same seed', async () => {
    const texts = await Promise.all(
      [7, 7, 8].map((seed) => sendRaw(createFakeService({ seed, revision }), 'GET', '/v1/models?type=all')),
    )
    expect(texts[0]).toEqual(texts[1])
    expect(texts[0]).not.toEqual(texts[2])
  })

  it.each<[string, (service: FakeService['service']) => Promise<unknown>]>([
    ['a key without a name', (service) => createKey(service, { name: '' })],
    ['a key with a name of 26 characters', (service) => createKey(service, { name: 'x'.repeat(26) })],
    ['a cap below a cent', (service) => createKey(service, { name: 'x', spendingCap: 0.009 })],
    ['a reset without a cap', (service) => createKey(service, { name: 'x', resetPeriod: 'daily' })],
    ['a change of nothing', (service) => updateKey(service, 'k', {})],
    ['a top-up of nothing', (service) => createTopup(service, { method: 'btc', amount: 0, currency: 'USD' })],
    [
      'an unknown method',
      (service) => createTopup(service, { method: 'doge' as 'btc', amount: 1, currency: 'USD' }),
    ],
    [
      'an unknown currency',
      (service) => createTopup(service, { method: 'btc', amount: 1, currency: 'usd' as 'USD' }),
    ],
    [
      'a threshold below 5',
      (service) =>
        connectAutomaticTopup(service, {
          connection: `nostr+walletconnect://${'a'.repeat(64)}?relay=x`,
          threshold: 4,
        }),
    ],
    ['a page of 101', (service) => readHistory(service, { pageSize: 101 })],
  ])('gets no request for %s', async (_name, call) => {
    const { service, requests } = createFakeService({ seed: 1, revision })
    expect(await codeOf(() => call(service))).toBe('request/invalid')
    expect(requests).toEqual([])
  })

  // The walk shows little if the fake service takes everything.
  it.each<[string, 'GET' | 'POST', string, object?]>([
    ['a name of 26 characters', 'POST', '/keys', { name: 'x'.repeat(26) }],
    ['a name that is taken', 'POST', '/keys', { name: 'Default' }],
    ['a cap below a cent', 'POST', '/keys', { name: 'x', usage_limit_usd: 0.001 }],
    ['a reset without a cap', 'POST', '/keys', { name: 'x', reset_period: 'daily' }],
    ['a top-up in euros', 'POST', '/topup/create/btc', { amount: 1, currency: 'EUR' }],
    ['an amount as text', 'POST', '/topup/create/btc', { amount: '1', currency: 'USD' }],
    ['an unknown method', 'POST', '/topup/create/doge', { amount: 1, currency: 'USD' }],
    ['a wallet with a low threshold', 'POST', '/nwc-auto-topup/connect', { nwc_url: 'x', threshold_usd: 4 }],
    ['a page of 101', 'GET', '/queries/history?page_count=101'],
    ['a chat without messages', 'POST', '/v1/chat/completions', { model: 'm' }],
    ['a data endpoint of nobody', 'POST', '/v1/data/api/nobody/knows', {}],
    ['an unknown path', 'GET', '/v1/nothing'],
    ['the other revision’s media list', 'GET', revision === 'A' ? '/v1/audio/voices' : '/v1/media/models'],
  ])('refuses %s', async (_name, method, path, body) => {
    const [status] = await sendRaw(createFakeService({ seed: 1, revision }), method, path, body)
    expect([400, 404, 409, 422]).toContain(status)
  })
})

async function sendRaw(
  { service, world: { meaning } }: FakeService,
  method: 'GET' | 'POST',
  path: string,
  body?: object,
): Promise<[status: number, text: string]> {
  const headers = { authorization: `Bearer ${meaning.apiKey}`, 'x-credit-id': meaning.creditId }
  const { status, body: answer } = await service.fetch(`${BASE}${path}`, {
    method,
    headers,
    redirect: 'manual',
    ...(body && { body: JSON.stringify(body) }),
  })
  return [status, Buffer.concat(await Array.fromAsync(answer ?? [])).toString()]
}
