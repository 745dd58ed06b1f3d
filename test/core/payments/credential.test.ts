import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { credentialFor, CredentialForms } from '../../../src/core/payments/credential.ts'
import { parsePaymentChallenge } from '../../../src/core/gateway/service/http/payment-challenge.ts'
import type { PaymentChallenge } from '../../../src/shared/payment-challenge.ts'
import { startPayableService, type PayableService } from '../../sandbox/payable-service.ts'
import { request } from '../../sandbox/service-client.ts'
import { MemoryPayments } from './memory-payments.ts'

const preimage = 'ab'.repeat(32)
const challenge: PaymentChallenge = {
  scheme: 'payment',
  invoice: `lnbcrt1${'q'.repeat(30)}`,
  token: 'AGIA+/==',
  stated: {},
  echo: {
    id: 'the-id',
    realm: 'r',
    method: 'lightning',
    intent: 'charge',
    request: 'e30',
    expires: '2026-10-02T16:49:01.399Z',
    description: 'Data: “search”',
    digest: 'sha-256=:AA==:',
    opaque: 'o',
  },
}

describe('a credential', () => {
  test('for L402 is the token, a colon and the preimage', () => {
    expect(credentialFor('l402', challenge, preimage)).toBe(`L402 AGIA+/==:${preimage}`)
  })

  test('for Payment echoes every parameter unchanged, in base64url without padding', () => {
    const [scheme, value = ''] = credentialFor('payment', challenge, preimage)!.split(' ')
    expect([scheme, value]).toEqual(['Payment', expect.stringMatching(/^[\w-]+$/)])
    expect(JSON.parse(Buffer.from(value, 'base64url').toString())).toEqual({
      challenge: challenge.echo,
      payload: { preimage },
    })
  })

  test('for Payment is not created from an L402 challenge', () => {
    const { echo: _, ...l402 } = challenge
    expect(credentialFor('payment', l402, preimage)).toBeUndefined()
  })

  test('for an unknown host tries L402 first', () => {
    expect(new CredentialForms(new MemoryPayments()).of('any.example')).toEqual(['l402', 'payment'])
  })
})

describe('the sandbox', () => {
  let service: PayableService
  beforeEach(async () => {
    service = await startPayableService()
  })
  afterEach(() => service[Symbol.asyncDispose]())
  const ask = (headers: Record<string, string>) =>
    request(`${service.baseUrl}/v1/data/api/websearch/search`, 'POST', { q: 'cellos' }, headers)

  test.each(['l402', 'payment'] as const)('accepts %s, once', async (form) => {
    const demand = parsePaymentChallenge((await ask({})).headers.get('www-authenticate') ?? '')!
    const paid = await service.control.pay(demand.invoice)
    if (!('preimage' in paid)) throw new Error(paid.failed)
    const authorization = credentialFor(form, demand, paid.preimage)!
    expect((await ask({ authorization: credentialFor(form, demand, '00'.repeat(32))! })).status).toBe(402)
    expect((await ask({ authorization })).status).toBe(200)
    expect((await ask({ authorization })).status).toBe(402)
  })
})
