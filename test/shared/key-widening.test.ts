import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  budgetPeriods,
  keyGrants,
  keyLimitsTextSchema,
  readKeyLimits,
  writeKeyLimits,
  type KeyLimits,
} from '../../src/shared/key-limits.ts'
import { widenings } from '../../src/shared/key-widening.ts'
import { renderEnglish } from '../../src/shared/localized-text.ts'
import { keyNameSchema, sameKeyName } from '../../src/shared/local-key.ts'
import { allowsModel } from '../../src/shared/model-pattern.ts'

const DOLLAR = 10n ** 12n
const dollars = (amount: number, period: (typeof budgetPeriods)[number]): KeyLimits => ({
  budget: { picoUsd: BigInt(amount) * DOLLAR, period },
})

const soft = ({ budget }: KeyLimits): KeyLimits => ({ ...(budget && { budget: { ...budget, soft: true } }) })

describe('limits that allow more', () => {
  it.each<[string, KeyLimits, KeyLimits, string[]]>([
    ['a higher budget', dollars(1, 'day'), dollars(2, 'day'), ['spend up to $2.00 per day']],
    ['no budget', dollars(1, 'total'), {}, ['spend without a budget']],
    ['a budget for a shorter period', dollars(5, 'month'), dollars(1, 'day'), ['spend up to $1.00 per day']],
    [
      'a month’s budget for a week’s, since a week can lie in two months',
      dollars(1, 'week'),
      dollars(1, 'month'),
      ['spend up to $1.00 per month'],
    ],
    [
      'unknown prices',
      dollars(1, 'day'),
      { ...dollars(1, 'day'), allowUnpriced: true },
      ['make requests of unknown price'],
    ],
    ['a later end', { expiresAt: 0 }, { expiresAt: 86_400_000 }, ['remain valid until 1970-01-02']],
    ['no end', { expiresAt: 0 }, {}, ['never expire']],
    ['requests in the open', { atLeast: 'sealed' }, {}, ['send requests that the service can read']],
    [
      'requests in the open after relayed ones',
      { atLeast: 'relayed' },
      {},
      ['send requests that the service can read'],
    ],
    [
      'relayed requests',
      { atLeast: 'sealed' },
      { atLeast: 'relayed' },
      ['send requests that a model’s provider can read'],
    ],
    ['any model', { models: ['private/*'] }, {}, ['use any model']],
    [
      'a wider pattern',
      { models: ['private/a*'] },
      { models: ['private/*'] },
      ['use models named private/*'],
    ],
    [
      'two more patterns',
      { models: ['a'] },
      { models: ['a', 'b', 'c*'] },
      ['use models matching 2 more patterns, including b'],
    ],
    ['a higher rate', { requestsPerMinute: 5 }, { requestsPerMinute: 6 }, ['make 6 requests per minute']],
    ['any rate', { requestsPerMinute: 5 }, {}, ['make unlimited requests per minute']],
    ['more tokens', { tokensPerMinute: 5 }, { tokensPerMinute: 6 }, ['use 6 tokens per minute']],
    ['any number of tokens', { tokensPerMinute: 5 }, {}, ['use unlimited tokens per minute']],
    [
      'another parallel request',
      { parallelRequests: 1 },
      { parallelRequests: 2 },
      ['make 2 parallel requests'],
    ],
    ['any number of parallel requests', { parallelRequests: 1 }, {}, ['make unlimited parallel requests']],
    [
      'a soft budget',
      dollars(1, 'day'),
      soft(dollars(1, 'day')),
      ['exceed its budget with parallel requests and requests of unknown price'],
    ],
    [
      'a soft budget of more',
      dollars(1, 'day'),
      soft(dollars(2, 'day')),
      ['spend up to $2.00 per day', 'exceed its budget with parallel requests and requests of unknown price'],
    ],
    [
      'an alias of a model that is not private',
      {},
      { aliases: [{ pattern: 'gpt-*', model: 'open/x' }] },
      ['send requests for gpt-* to a model that isn’t private'],
    ],
    [
      'another model of an alias',
      { aliases: [{ pattern: 'gpt-*', model: 'private/x' }] },
      { aliases: [{ pattern: 'gpt-*', model: 'open/x' }] },
      ['send requests for gpt-* to a model that isn’t private'],
    ],
    [
      'an alias less that came before',
      {
        aliases: [
          { pattern: 'gpt-4', model: 'private/x' },
          { pattern: 'gpt-*', model: 'open/x' },
        ],
      },
      { aliases: [{ pattern: 'gpt-*', model: 'open/x' }] },
      [
        'send requests for gpt-4 to a model that isn’t private',
        'send requests for gpt-* to a model that isn’t private',
      ],
    ],
    [
      'an alias that comes later',
      {
        aliases: [
          { pattern: 'gpt-4', model: 'private/x' },
          { pattern: 'gpt-*', model: 'open/x' },
        ],
      },
      {
        aliases: [
          { pattern: 'gpt-*', model: 'open/x' },
          { pattern: 'gpt-4', model: 'private/x' },
        ],
      },
      ['send requests for gpt-* to a model that isn’t private'],
    ],
    [
      'an origin',
      { origins: ['app://a'] },
      { origins: ['app://a', 'https://b.example'] },
      ['be used by web pages of https://b.example'],
    ],
    ['a grant', { grants: ['metrics'] }, { grants: ['metrics', 'balance'] }, ['read the balance']],
    [
      'a server tool',
      { serverTools: { webSearch: true } },
      { serverTools: { webSearch: true, knowledge: 'p1' } },
      ['let models read the documents of the project “p1”, and ask you first'],
    ],
    [
      'another project and web search',
      { serverTools: { knowledge: 'p1' } },
      { serverTools: { webSearch: true, knowledge: 'p2' } },
      [
        'let models search the web, and ask you about each query',
        'let models read the documents of the project “p2”, and ask you first',
      ],
    ],
  ])('%s', (_, from, to, expected) => {
    expect(widenings(from, to).map((each) => renderEnglish([each]))).toEqual(expected)
  })

  it.each<[string, KeyLimits, KeyLimits]>([
    [
      'the same',
      {
        ...dollars(1, 'day'),
        allowUnpriced: true,
        expiresAt: 5,
        atLeast: 'sealed',
        models: ['a*'],
        requestsPerMinute: 3,
        grants: ['metrics'],
      },
      {
        ...dollars(1, 'day'),
        allowUnpriced: true,
        expiresAt: 5,
        atLeast: 'sealed',
        models: ['a*'],
        requestsPerMinute: 3,
        grants: ['metrics'],
      },
    ],
    [
      'a hard budget after a soft one, even with unknown prices',
      soft(dollars(1, 'day')),
      { ...dollars(1, 'day'), allowUnpriced: true },
    ],
    [
      'an alert, or none',
      { budget: { picoUsd: 1n, period: 'day', alertPercent: 50 } },
      { budget: { picoUsd: 1n, period: 'day' } },
    ],
    [
      'fewer tokens and parallel requests',
      { tokensPerMinute: 6, parallelRequests: 2 },
      { tokensPerMinute: 5, parallelRequests: 1 },
    ],
    ['a first budget, even with unknown prices', {}, { ...dollars(1, 'day'), allowUnpriced: true }],
    ['a budget of a longer period', dollars(1, 'day'), dollars(1, 'month')],
    ['an earlier end', { expiresAt: 5 }, { expiresAt: 4 }],
    ['a pattern within another', { models: ['*', 'b'] }, { models: ['a*c', 'b'] }],
    [
      'another private model of an alias, and one more',
      { aliases: [{ pattern: 'gpt-*', model: 'private/x' }] },
      {
        aliases: [
          { pattern: 'gpt-*', model: 'private/y' },
          { pattern: 'o*', model: 'private/x' },
        ],
      },
    ],
    [
      'an alias less of a key for private models',
      { aliases: [{ pattern: 'gpt-*', model: 'private/x' }] },
      { atLeast: 'sealed' },
    ],
    ['fewer origins', { origins: ['app://a', 'app://b'] }, { origins: ['app://b'] }],
    [
      'fewer server tools',
      { serverTools: { webSearch: true, knowledge: 'p1' } },
      { serverTools: { webSearch: true } },
    ],
    ['fewer grants', { grants: ['metrics', 'balance'] }, { grants: ['balance'] }],
  ])('don’t include: %s', (_, from, to) => {
    expect(widenings(from, to)).toEqual([])
  })

  const text = fc.string({ unit: fc.constantFrom('a', 'b', '*'), minLength: 1, maxLength: 5 })
  it('are found if another model becomes usable', () => {
    fc.assert(
      fc.property(
        fc.array(text, { minLength: 1, maxLength: 3 }),
        fc.array(text, { minLength: 1, maxLength: 3 }),
        fc.string({ unit: fc.constantFrom('a', 'b'), maxLength: 6 }),
        (from, to, id) => {
          fc.pre(allowsModel({ models: to }, id) && !allowsModel({ models: from }, id))
          expect(widenings({ models: from }, { models: to })).not.toEqual([])
        },
      ),
      { numRuns: 300 },
    )
  })
})

describe('limits as text', () => {
  const limits: fc.Arbitrary<KeyLimits> = fc.record(
    {
      budget: fc.record(
        {
          picoUsd: fc.bigInt({ min: 0n, max: 10n ** 29n }),
          period: fc.constantFrom(...budgetPeriods),
          soft: fc.constant(true as const),
          alertPercent: fc.integer({ min: 1, max: 99 }),
        },
        { requiredKeys: ['picoUsd', 'period'] },
      ),
      allowUnpriced: fc.boolean(),
      expiresAt: fc.integer({ min: 0, max: 8_640_000_000_000_000 }),
      atLeast: fc.constantFrom('sealed' as const, 'relayed' as const),
      models: fc.array(fc.string({ minLength: 1, maxLength: 200 }), { minLength: 1, maxLength: 5 }),
      requestsPerMinute: fc.integer({ min: 1, max: 1_000_000 }),
      tokensPerMinute: fc.integer({ min: 1, max: 999_999_999 }),
      parallelRequests: fc.integer({ min: 1, max: 999 }),
      grants: fc.subarray([...keyGrants]),
    },
    { requiredKeys: [] },
  )

  it('are parsed from the format before relayed requests', () => {
    expect(readKeyLimits(keyLimitsTextSchema.parse({ privateOnly: true }))).toEqual({ atLeast: 'sealed' })
    // The stricter one counts.
    expect(readKeyLimits(keyLimitsTextSchema.parse({ privateOnly: true, atLeast: 'relayed' }))).toEqual({
      atLeast: 'sealed',
    })
    expect(readKeyLimits(keyLimitsTextSchema.parse({ privateOnly: false }))).toEqual({})
  })

  it('are hard if they were saved before soft budgets existed', () => {
    expect(readKeyLimits(keyLimitsTextSchema.parse({ budget: { picoUsd: '5', period: 'day' } }))).toEqual({
      budget: { picoUsd: 5n, period: 'day' },
    })
  })

  it('are parsed back as they were written', () => {
    fc.assert(
      fc.property(limits, (each) => {
        expect(
          readKeyLimits(keyLimitsTextSchema.parse(JSON.parse(JSON.stringify(writeKeyLimits(each))))),
        ).toEqual(each)
        expect(widenings(each, each)).toEqual([])
      }),
      { numRuns: 300 },
    )
  })

  it.each([
    [{ budget: { picoUsd: '-1', period: 'day' } }],
    [{ budget: { picoUsd: '01', period: 'day' } }],
    [{ budget: { picoUsd: '1.5', period: 'day' } }],
    [{ budget: { picoUsd: 1, period: 'day' } }],
    [{ budget: { picoUsd: '1', period: 'year' } }],
    [{ expiresAt: -1 }],
    [{ expiresAt: 8_640_000_000_000_001 }],
    [{ models: [] }],
    [{ models: [''] }],
    [{ budget: { picoUsd: '1', period: 'day', soft: 'yes' } }],
    [{ budget: { picoUsd: '1', period: 'day', alertPercent: 0 } }],
    [{ budget: { picoUsd: '1', period: 'day', alertPercent: 100 } }],
    [{ tokensPerMinute: 0 }],
    [{ tokensPerMinute: 1_000_000_001 }],
    [{ parallelRequests: 0 }],
    [{ parallelRequests: 1_000 }],
    [{ requestsPerMinute: 0 }],
    [{ requestsPerMinute: 1.5 }],
    [{ grants: ['everything'] }],
    [{ serverTools: {} }],
    [{ serverTools: { websearch: true } }],
    [{ serverTools: { webSearch: false } }],
    [{ serverTools: { knowledge: '../p1' } }],
    [{ serverTools: { knowledge: 'p'.repeat(65) } }],
    [{ privateOnly: 'yes' }],
  ])('are refused: %j', (value) => {
    expect(keyLimitsTextSchema.safeParse(value).success).toBe(false)
  })
})

describe('the name of a key', () => {
  it.each([['Editor'], [' Zed '], ['Mein Gerät №2 🙂'], ['a'.repeat(60)]])('can be %s', (name) => {
    expect(keyNameSchema.parse(name)).toBe(name.trim())
  })
  it.each([
    [''],
    ['  '],
    ['a'.repeat(61)],
    ['a\nb'],
    ['a\u001b[2Jb'],
    ['a\u202eb'],
    ['a\u200bb'],
    ['a\u2028b'],
    ['\ud800'],
  ])('is refused: %j', (name) => {
    expect(keyNameSchema.safeParse(name).success).toBe(false)
  })
  it('is in use if only case or composition differs', () => {
    expect(sameKeyName('Zoë', 'ZOE\u0308')).toBe(true)
    expect(sameKeyName('Zed', 'Zed 2')).toBe(false)
  })
})
