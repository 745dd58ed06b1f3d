import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  endpointJson,
  estimateJson,
  jobJson,
  keyJson,
  matchJson,
  modelJson,
  purchaseJson,
  voiceModelJson,
  walletJson,
} from '../../src/cli/json-amounts.ts'
import { jsonLine, jsonListEnd, jsonListStart } from '../../src/cli/json-output.ts'
import { failure } from '../../src/cli/with-client.ts'
import type { Job } from '../../src/shared/job.ts'
import { msg } from '../../src/shared/localized-text.ts'
import { parseUsd } from '../../src/shared/money.ts'
import type { Purchase } from '../../src/shared/purchase.ts'

const purchase: Purchase = {
  id: 'p',
  at: 1,
  caller: { kind: 'cli' },
  host: 'sandbox',
  endpoint: 'data',
  subject: 'x',
  state: 'paid',
  amountMsat: '21000',
  worth: '20000000000',
  listed: '10000000000',
  paymentHash: '0',
  expiresAt: 2,
  asks: [],
  payable: true,
  attempts: 1,
  files: [],
}

describe('the JSON form', () => {
  it('has the data and the schema', () => {
    expect(jsonLine({ a: 1 })).toBe('{"data":{"a":1},"schema":1}')
    expect(jsonLine([])).toBe('{"data":[],"schema":1}')
  })
  it('has no data with an error, and its texts are in English', () => {
    expect(
      JSON.parse(jsonLine(null, failure('vault/locked', msg('Line {count}', { count: 2 })))),
    ).toMatchObject({
      data: null,
      error: { code: 'vault/locked', detail: 'Line 2' },
      schema: 1,
    })
  })
  it('is the same for a list in pieces', () => {
    expect(JSON.parse(`${jsonListStart}\n1,\n2${jsonListEnd()}`)).toEqual({ data: [1, 2], schema: 1 })
    expect(JSON.parse(`${jsonListStart}${jsonListEnd()}`)).toEqual({ data: [], schema: 1 })
    const failed = failure('vault/locked', msg('Line {count}', { count: 2 }))
    expect(JSON.parse(`${jsonListStart}\n1${jsonListEnd(failed)}`)).toMatchObject({
      data: [1],
      error: { code: 'vault/locked', detail: 'Line 2' },
      schema: 1,
    })
  })
})

describe('amounts name their unit', () => {
  it('of a key', () => {
    expect(
      keyJson(
        {
          id: 'k',
          name: 'Editor',
          first: false,
          createdAt: 1,
          state: 'live',
          limits: { budget: { picoUsd: '2500000000000', period: 'week' }, models: ['a'] },
          spent: '1',
          held: '1000000000000',
          increase: { picoUsd: '500000000000', until: 9 },
          requests: 0,
        },
        3n,
      ),
    ).toEqual({
      id: 'k',
      name: 'Editor',
      first: false,
      createdAt: 1,
      state: 'live',
      limits: { budget: { usd: '2.5', period: 'week' }, models: ['a'] },
      spentUsd: '0.000000000001',
      reservedUsd: '1',
      remainingUsd: '0.000000000003',
      increase: { usd: '0.5', until: 9 },
      requests: 0,
    })
  })
  it('of a purchase, a match, an estimate, a lookup and a voice', () => {
    const { worth: _w, listed: _l, ...others } = purchase
    expect(purchaseJson(purchase)).toEqual({ ...others, worthUsd: '0.02', listedUsd: '0.01' })
    expect(matchJson({ at: 1, model: 'm', cost: '1000000000000' })).toEqual({
      at: 1,
      model: 'm',
      costUsd: '1',
    })
    expect(estimateJson({ cost: { least: '0', most: '1000000000000' }, unknown: [] })).toEqual({
      cost: { leastUsd: '0', mostUsd: '1' },
      unknown: [],
    })
    expect(estimateJson({ cost: null, unknown: ['price'] })).toEqual({ cost: null, unknown: ['price'] })
    expect(endpointJson({ method: 'GET', path: '/a', price: '23000000000' })).toMatchObject({
      priceUsd: '0.023',
    })
    expect(voiceModelJson({ id: 'v', name: 'V', price: { amount: '1000000000000', per: 'minute' } })).toEqual(
      {
        id: 'v',
        name: 'V',
        price: { usd: '1', per: 'minute' },
      },
    )
  })
  it('of a job, and not in what its request or its owner wrote', () => {
    const job = {
      id: 'j',
      ask: { kind: 'data', method: 'GET', path: '/a', input: { cost: '5', most: '6' } },
      estimate: { least: '0', most: '1' },
      cost: '1000000000000',
      paidMsat: '5',
      purchase,
    } as unknown as Job
    expect(jobJson(job)).toMatchObject({
      ask: { input: { cost: '5', most: '6' } },
      estimate: { leastUsd: '0', mostUsd: '0.000000000001' },
      costUsd: '1',
      paidMsat: '5',
      purchase: { worthUsd: '0.02', amountMsat: '21000' },
    })
    expect(jobJson(job)).not.toHaveProperty('cost')
    expect(
      jobJson({ ...job, ask: { kind: 'batch', most: '1000000000000' } } as unknown as Job),
    ).toMatchObject({
      ask: { kind: 'batch', mostUsd: '1' },
    })
  })
  it('of a model and its price table', () => {
    expect(
      modelJson({
        id: 'm',
        name: 'M',
        private: true,
        inputPerMillion: '1000000000000',
        mediaPrice: {
          base: '20000000000',
          tables: [{ by: 'size', of: { large: '30000000000', small: { of: {} } } }],
        },
      }),
    ).toEqual({
      id: 'm',
      name: 'M',
      private: true,
      inputUsdPerMillion: '1',
      mediaPrice: {
        baseUsd: '0.02',
        tables: [{ by: 'size', of: { large: { usd: '0.03' }, small: { of: {} } } }],
      },
    })
  })
  it('of the wallet', () => {
    expect(
      walletJson({
        connection: null,
        limits: { perPayment: '1', perDay: '2', perHostAndDay: '3', automaticUpTo: '4' },
        spent: { day: '5', held: '6' },
        hosts: [{ host: 'h', spentInDay: '7', firstPaidAt: 8 }],
        rate: { picoUsdPerSat: '1000000000', learnedAt: 9 },
      }),
    ).toEqual({
      connection: null,
      limits: { perPaymentMsat: '1', perDayMsat: '2', perHostAndDayMsat: '3', automaticUpToMsat: '4' },
      spent: { dayMsat: '5', heldMsat: '6' },
      hosts: [{ host: 'h', spentInDayMsat: '7', firstPaidAt: 8 }],
      rate: { usdPerSat: '0.001', learnedAt: 9 },
    })
  })
  it('and lose nothing', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 10n ** 24n }), (amount) => {
        const { costUsd } = matchJson({ at: 1, model: 'm', cost: String(amount) }) as { costUsd: string }
        expect(parseUsd(costUsd)).toBe(amount)
      }),
    )
  })
})
