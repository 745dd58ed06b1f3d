import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { estimateImages, estimateVideo } from '../../../../src/core/gateway/pricing/index.ts'
import { listDataEndpoints } from '../../../../src/core/gateway/service/inference/data.ts'
import { readMediaPrice } from '../../../../src/core/gateway/service/inference/media-price.ts'
import { listModels } from '../../../../src/core/gateway/service/inference/models.ts'
import { modelSchema } from '../../../../src/shared/model.ts'
import type { PriceTable } from '../../../../src/shared/price-table.ts'
import { mediaPriceSchema } from '../../../../src/shared/price-table.ts'
import { scripted } from './scripted.ts'

/** What a listing may hold, right and wrong. */
const amount = fc.oneof(
  fc.double(),
  fc.integer().map(String),
  fc.constantFrom(-1, '-1', '0.1', '1e-7', '1e400', '', null, true, {}, []),
)
const name = fc.constantFrom(
  'quality',
  'size',
  'resolution',
  'duration',
  'low',
  'high',
  '1k',
  '16:9',
  '5',
  '10s',
  'base_price',
  'per_second',
  'ui',
  'api',
  'currency',
  '__proto__',
  'constructor',
  'steps',
)
const tree = fc.letrec((tie) => ({
  node: fc.oneof(
    { maxDepth: 5 },
    amount,
    fc.dictionary(name, tie('node'), { maxKeys: 4, noNullPrototype: true }),
  ),
})).node
const entry = fc.record(
  {
    id: fc.oneof(
      fc.constantFrom('a', 'private/b', 'Private/c', '', 'x'.repeat(300)),
      fc.string(),
      fc.constant(7),
    ),
    name: fc.oneof(fc.string(), fc.constant({})),
    type: fc.constantFrom('chat', 'image', 'video', 3),
    created_at: amount,
    context_length: amount,
    average_cost: amount,
    prompts_per_dollar: amount,
    architecture: fc.oneof(fc.constant({ input_modalities: ['text'] }), amount),
    pricing: fc.oneof(
      tree,
      fc.record(
        {
          currency: fc.constantFrom('USD', 'EUR', 7),
          input_per_1M_tokens: amount,
          output_per_1M_tokens: amount,
          web_search: amount,
        },
        { requiredKeys: [] },
      ),
    ),
  },
  { requiredKeys: [] },
)

describe('any listing of models', () => {
  it('is parsed to valid models with unique IDs and no negative prices', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.oneof(entry, fc.jsonValue()), { maxLength: 8 }), async (data) => {
        const { entries: models } = await listModels(scripted([{ status: 200, body: { data } }]).service)
        expect(new Set(models.map(({ id }) => id)).size).toBe(models.length)
        for (const model of models) {
          expect(modelSchema.parse(model)).toEqual(model)
          for (const price of [
            model.inputPerMillion,
            model.outputPerMillion,
            model.webSearch,
            model.averageCost,
          ])
            if (price !== undefined) expect(price).toMatch(/^\d+$/)
          expect(model.private).toBe(model.id.startsWith('private/'))
        }
      }),
      { numRuns: 200 },
    )
  })
})

describe('any media price', () => {
  it('is parsed to a valid form without negative prices, and can be used for an estimate', () => {
    const leaves = (table: PriceTable): string[] =>
      typeof table === 'string' ? [table] : Object.values(table.of).flatMap(leaves)
    fc.assert(
      fc.property(tree, (pricing) => {
        const price = readMediaPrice(pricing)
        if (!price) return
        expect(mediaPriceSchema.parse(price)).toEqual(price)
        for (const leaf of [...price.tables.flatMap(leaves), price.base ?? '0', price.perSecond ?? '0'])
          expect(leaf).toMatch(/^\d+$/)
        for (const estimate of [
          estimateImages(price, { n: 2, quality: 'low' }),
          estimateVideo(price, { duration: '5' }),
        ]) {
          if (estimate !== 'unknown')
            expect(estimate.least >= 0n && estimate.least <= estimate.most).toBe(true)
        }
      }),
      { numRuns: 1000 },
    )
  })
  it('is refused with unknown members, another currency, a negative amount or more than four levels', () => {
    expect(readMediaPrice({ base_price: 1, steps: { 20: 1 } })).toBeUndefined()
    expect(readMediaPrice({ base_price: 1, currency: 'EUR' })).toBeUndefined()
    expect(readMediaPrice({ base_price: -1 })).toBeUndefined()
    expect(readMediaPrice({ quality: { low: -1, high: 2 } })).toBeUndefined()
    expect(readMediaPrice({ quality: { a: { b: { c: { d: { e: 1 } } } } } })).toBeUndefined()
    expect(readMediaPrice({ quality: 1 })).toBeUndefined()
    expect(readMediaPrice(JSON.parse('{"quality":{"__proto__":1,"low":2}}'))).toBeUndefined()
    expect(readMediaPrice({ markup: 1.15 })).toBeUndefined()
    expect(readMediaPrice({ base_price: 1, ui: { low: 5 }, markup: 0 })).toEqual({
      base: '1000000000000',
      tables: [],
    })
    expect(readMediaPrice({ base_price: 1, ui: { low: 5 }, markup: 1.15 })).toBeUndefined()
    expect(readMediaPrice({ api: { base_price: 1 }, ui: { base_price: 2 } })).toEqual({
      base: '1000000000000',
      tables: [],
    })
    for (const pricing of [null, undefined, 7, 'free', [], {}])
      expect(readMediaPrice(pricing)).toBeUndefined()
  })
})

describe('any data catalog', () => {
  it('is parsed to paths below /v1/data, without negative prices', async () => {
    const path = fc.oneof(
      fc.constantFrom(
        '/api/a/b',
        '/x/y',
        '/api/../keys',
        '/v1/data/api/a',
        'https://evil.example/v1/data/api/a',
        '//evil',
        '/api/a?b',
        '/api//a',
        '/api/a%2f..',
        '',
      ),
      fc.string(),
      fc.constant(3),
    )
    const listed = fc.record(
      {
        path,
        endpoint: path,
        url: path,
        method: fc.constantFrom('get', 'POST', 'DELETE', 1),
        price: amount,
        pricing: fc.record({ price: amount }),
        name: fc.string(),
      },
      { requiredKeys: [] },
    )
    await fc.assert(
      fc.asyncProperty(fc.array(fc.oneof(listed, fc.jsonValue()), { maxLength: 8 }), async (data) => {
        for (const found of (await listDataEndpoints(scripted([{ status: 200, body: { data } }]).service))
          .entries) {
          expect(new URL(`https://service.example/v1/data${found.path}`).pathname).toMatch(
            /^\/v1\/data\/(?:api|x)\//,
          )
          expect(['GET', 'POST']).toContain(found.method)
          expect(found.price === undefined || found.price >= 0n).toBe(true)
        }
      }),
      { numRuns: 300 },
    )
  })
})
