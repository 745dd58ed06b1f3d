import fc from 'fast-check'
import { describe, expect, test, vi } from 'vitest'
import {
  dateFieldOf,
  draftOf,
  emptyDraft,
  linesOf,
  readDraft,
  type KeyDraft,
} from '../../src/renderer/ui/keys/key-draft.ts'
import { budgetUseOf, limitWords, meterOf } from '../../src/renderer/ui/keys/key-words.ts'
import { newFeed, withLive, withPage } from '../../src/renderer/features/developer/requests/request-feed.ts'
import {
  boundlessPrice,
  freeName,
  suggestedKey,
  trialPrice,
} from '../../src/renderer/features/developer/tool-pages/suggestion.ts'
import { remoteAccessText } from '../../src/renderer/features/developer/state-panel.tsx'
import { findTool, tools } from '../../src/renderer/features/developer/tools/index.ts'
import {
  budgetPeriods,
  keyGrants,
  keyLimitsTextSchema,
  type KeyLimitsText,
} from '../../src/shared/key-limits.ts'
import type { LocalKeyView, LocalRequest } from '../../src/shared/local-key.ts'
import type { Model } from '../../src/shared/model.ts'
import { toolKeyLimits } from '../../src/shared/tools/tool-key.ts'
import { formatAdded } from '../../src/renderer/ui/format/time.ts'

vi.mock('../../src/renderer/ui/api.ts', () => ({ api: {} }))

const NOW = Date.UTC(2026, 10, 22)
const draft = (part: Partial<KeyDraft> = {}): KeyDraft => ({ ...emptyDraft, name: 'A tool', ...part })

describe('the form of a key', () => {
  test('is parsed into the limits of its fields', () => {
    expect(
      readDraft(
        draft({
          amount: '$ 2.50',
          period: 'week',
          atLeast: 'sealed',
          patterns: ' private/* \n\nprivate/*\nx',
          expires: '2099-01-02T03:04',
          requestsPerMinute: ' 30 ',
          grants: ['balance'],
          aliases: 'claude-*=private/a\n x = private/b ',
          origins: 'APP://obsidian.md\n\napp://obsidian.md',
        }),
        NOW,
      ),
    ).toEqual({
      name: 'A tool',
      limits: {
        budget: { picoUsd: '2500000000000', period: 'week' },
        atLeast: 'sealed',
        models: ['private/*', 'x'],
        expiresAt: new Date('2099-01-02T03:04').getTime(),
        requestsPerMinute: 30,
        grants: ['balance'],
        aliases: [
          { pattern: 'claude-*', model: 'private/a' },
          { pattern: 'x', model: 'private/b' },
        ],
        origins: ['app://obsidian.md'],
      },
    })
    expect(
      readDraft(draft({ hasBudget: false, allowUnpriced: true, amount: 'nothing of use' }), NOW),
    ).toEqual({ name: 'A tool', limits: {} })
  })

  test.each([
    ['name', { name: '   ' }],
    ['name', { name: 'a\u202eb' }],
    ['name', { name: 'x'.repeat(61) }],
    ['amount', { amount: '' }],
    ['amount', { amount: '2,50' }],
    ['amount', { amount: '-1' }],
    ['amount', { amount: '1'.repeat(40) }],
    ['amount', { amount: 'NaN' }],
    ['expires', { expires: '2020-01-01T00:00' }],
    ['expires', { expires: 'never' }],
    ['requestsPerMinute', { requestsPerMinute: '0' }],
    ['requestsPerMinute', { requestsPerMinute: '1.5' }],
    ['requestsPerMinute', { requestsPerMinute: '1000000' }],
    ['alertPercent', { alertPercent: '0' }],
    ['alertPercent', { alertPercent: '100' }],
    ['alertPercent', { alertPercent: '80%' }],
    ['tokensPerMinute', { tokensPerMinute: '0' }],
    ['tokensPerMinute', { tokensPerMinute: '1e3' }],
    ['parallelRequests', { parallelRequests: '1000' }],
    ['aliases', { aliases: 'claude' }],
    ['aliases', { aliases: 'a = b c' }],
    ['aliases', { aliases: 'a = private/*' }],
    ['aliases', { aliases: 'a = open/x', atLeast: 'sealed' }],
    ['aliases', { aliases: 'a = open/x', patterns: 'private/*' }],
    ['aliases', { aliases: Array.from({ length: 51 }, (_, index) => `a${index} = m`).join('\n') }],
    ['origins', { origins: 'https://*.example' }],
    ['origins', { origins: 'null' }],
    ['origins', { origins: 'https://notes.example/x' }],
    ['patterns', { patterns: 'x'.repeat(201) }],
    ['patterns', { patterns: Array.from({ length: 101 }, (_, index) => `m${index}`).join('\n') }],
  ] as const)('reports an error in the %s of %j', (field, part) => {
    const read = readDraft(draft(part), NOW)
    expect(Object.keys(read.faults ?? {})).toEqual([field])
  })

  test('of an existing key is parsed into the same key', () => {
    const limits = fc.record(
      {
        budget: fc.record(
          {
            picoUsd: fc.bigInt({ min: 0n, max: 10n ** 24n }).map(String),
            period: fc.constantFrom(...budgetPeriods),
            soft: fc.constant(true as const),
            alertPercent: fc.integer({ min: 1, max: 99 }),
          },
          { requiredKeys: ['picoUsd', 'period'] },
        ),
        atLeast: fc.constantFrom('sealed' as const, 'relayed' as const),
        models: fc.uniqueArray(fc.stringMatching(/^[a-z/*.-]{1,12}$/), { minLength: 1, maxLength: 5 }),
        // A date field has minutes, and its time may be over.
        expiresAt: fc.integer({ min: NOW - 60_000, max: 2_400_000_000_000 }),
        requestsPerMinute: fc.integer({ min: 1, max: 999_999 }),
        tokensPerMinute: fc.integer({ min: 1, max: 999_999_999 }),
        parallelRequests: fc.integer({ min: 1, max: 999 }),
        grants: fc.subarray([...keyGrants], { minLength: 1 }),
        origins: fc.uniqueArray(
          fc.constantFrom('app://obsidian.md', 'https://notes.example', 'http://localhost:3000'),
          { minLength: 1 },
        ),
      },
      { requiredKeys: [] },
    )
    fc.assert(
      fc.property(limits, (any) => {
        const key: KeyLimitsText = keyLimitsTextSchema.parse(any)
        expect(readDraft(draftOf({ name: 'A tool', limits: key }), NOW)).toEqual({
          name: 'A tool',
          limits: key,
        })
      }),
      { numRuns: 200 },
    )
  })

  test('shows its expiry in local time, and splits its lists by line', () => {
    const at = new Date(2031, 0, 2, 3, 4).getTime()
    expect(dateFieldOf(at)).toBe('2031-01-02T03:04')
    expect(linesOf(' a\r\n\n b \na')).toEqual(['a', 'b'])
  })
})

describe('a budget', () => {
  const key = (picoUsd: string, spent: string, reserved = '0') => ({
    limits: { budget: { picoUsd, period: 'day' as const } },
    spent,
    held: reserved,
  })

  test('shows the spent and reserved parts, up to all of it', () => {
    const meter = (each: Parameters<typeof budgetUseOf>[0]) => meterOf(budgetUseOf(each)!)
    expect(meter(key('1000', '250', '500'))).toEqual({ spent: 0.25, reserved: 0.5 })
    expect(meter(key('1000', '900', '500'))).toEqual({ spent: 0.9, reserved: expect.closeTo(0.1) as number })
    expect(meter({ ...key('1000', '250', '500'), increase: { picoUsd: '1000', until: NOW } })).toEqual({
      spent: 0.125,
      reserved: 0.25,
    })
    expect(meter(key('1000', '5000'))).toEqual({ spent: 1, reserved: 0 })
    expect(meter(key('0', '0'))).toEqual({ spent: 1, reserved: 0 })
    expect(budgetUseOf({ limits: {}, spent: '1', held: '0' })).toBeUndefined()
  })

  test('is shown as text together with all other limits', () => {
    const models = [{ id: 'private/a' }, { id: 'private/b' }, { id: 'open/c' }].map(({ id }): Model => ({
      id,
      name: id,
      private: id.startsWith('private/'),
    }))
    expect(
      limitWords(
        {
          budget: { picoUsd: '5000000000000', period: 'total' },
          allowUnpriced: true,
          atLeast: 'sealed',
          models: ['*/a', 'open/*'],
          requestsPerMinute: 60,
          grants: ['metrics'],
        },
        models,
      ),
    ).toEqual([
      '$5.00 total',
      'requests with unknown prices allowed',
      'private models only',
      '1 of 3 models',
      '60 requests per minute',
      'can read the metrics',
    ])
    expect(limitWords({ models: ['x'] }, undefined)).toEqual(['1 model pattern'])
    expect(limitWords({ atLeast: 'relayed' }, undefined)).toEqual(['nothing the service can read'])
    expect(limitWords({ requestsPerMinute: 1 }, undefined)).toEqual(['1 request per minute'])
    expect(
      limitWords(
        {
          budget: { picoUsd: '5000000000000', period: 'day', soft: true, alertPercent: 80 },
          tokensPerMinute: 200_000,
          parallelRequests: 1,
        },
        undefined,
      ),
    ).toEqual(['$5.00 per day (soft)', 'alert at 80%', '200,000 tokens per minute', '1 parallel request'])
    expect(limitWords({ serverTools: { webSearch: true, knowledge: 'p1' } }, undefined)).toEqual([
      'web search',
      'documents of a project',
    ])
    expect(limitWords({}, models)).toEqual([])
  })
})

describe('the list of requests', () => {
  const line = (id: string, part: Partial<LocalRequest> = {}): LocalRequest => ({
    id,
    at: 0,
    keyId: 'k',
    tool: 't',
    model: 'm',
    path: '/',
    privacy: 'sealed',
    outcome: 'complete',
    ...part,
  })
  const ids = (lines: readonly LocalRequest[] | undefined) => lines?.map(({ id }) => id)

  test('contains each request once: older ones at the end, new ones at the start', () => {
    let feed = withPage(newFeed({}), { requests: [line('3'), line('2')], next: 'c' })
    feed = withLive(feed, [line('4'), line('3')])
    feed = withPage(feed, { requests: [line('2'), line('1')], next: null })
    expect(ids(feed.lines)).toEqual(['4', '3', '2', '1'])
    expect(feed.next).toBeNull()
  })

  test('adds only requests that match its filter, and none before its first page', () => {
    const filter = { keyId: 'k', privacy: 'refused' } as const
    expect(withLive(newFeed(filter), [line('1')]).lines).toBeUndefined()
    const feed = withPage(newFeed(filter), { requests: [], next: null })
    expect(
      ids(
        withLive(feed, [
          line('1'),
          line('2', { privacy: 'refused' }),
          line('3', { privacy: 'refused', keyId: 'other' }),
        ]).lines,
      ),
    ).toEqual(['2'])
    expect(withLive(feed, [line('1')])).toBe(feed)
  })
})

describe('the suggested key of a tool', () => {
  const key = (name: string, state: LocalKeyView['state'] = 'live'): LocalKeyView => ({
    id: name,
    name,
    first: false,
    createdAt: 0,
    state,
    limits: {},
    spent: '0',
    held: '0',
    requests: 0,
  })
  const model = (part: Partial<Model> = {}): Model => ({
    id: 'private/x',
    name: 'X',
    private: true,
    contextLength: 1000,
    inputPerMillion: '1000000',
    outputPerMillion: '2000000',
    ...part,
  })

  test('is valid in the form, for every tool and model', () => {
    for (const tool of tools) {
      for (const each of [model(), model({ private: false }), undefined])
        expect(readDraft(suggestedKey(tool, each, []), 0).faults).toBeUndefined()
    }
  })

  test('may use the model it is for', () => {
    const tool = findTool('codex')!
    expect(readDraft(suggestedKey(tool, model(), []), 0)).toMatchObject({ limits: toolKeyLimits(false) })
    expect(suggestedKey(tool, model(), [])).toMatchObject({ atLeast: 'sealed', allowUnpriced: false })
    const { inputPerMillion: _, ...unpriced } = model({ private: false })
    expect(suggestedKey(tool, unpriced, [])).toMatchObject({ atLeast: 'anyone', allowUnpriced: true })
    expect(suggestedKey(tool, model({ outputPerMillion: '-1' }), [])).toMatchObject({ allowUnpriced: true })
  })

  test('maps the model names that the tool always sends to that model', () => {
    const tool = findTool('claude-code')!
    expect(suggestedKey(tool, model(), [])).toMatchObject({ aliases: `claude-* = ${model().id}` })
    expect(suggestedKey(tool, model({ id: 'private/a b' }), [])).toMatchObject({ aliases: '' })
    expect(suggestedKey(tool, undefined, [])).toMatchObject({ aliases: '' })
  })

  test('has a name that no live key has, ignoring case', () => {
    expect(freeName('Zed', [key('ZED'), key('zed 2'), key('Zed 3', 'revoked')])).toBe('Zed 3')
    expect(freeName('Zed', [key('Zed', 'expired')])).toBe('Zed 2')
  })

  test('shows the highest price, or none if no price is listed', () => {
    expect(trialPrice(model())).toBe(String(200 + 2 * 64))
    expect(boundlessPrice(model())).toBe('3000')
    expect(trialPrice(undefined)).toBeUndefined()
    expect(trialPrice(model({ inputPerMillion: '-1' }))).toBeUndefined()
    const { contextLength: _, ...endless } = model()
    expect(boundlessPrice(endless)).toBeUndefined()
  })
})

test('remote access is described by its addresses', () => {
  const baseUrl = 'http://127.0.0.1:1/v1'
  expect(remoteAccessText({ baseUrl })).toBe(
    'This computer, without TLS. This traffic never leaves the computer.',
  )
  expect(remoteAccessText({ baseUrl: 'http://[::1]:1/v1' })).toContain('This computer, without TLS')
  expect(
    remoteAccessText({ baseUrl, reach: { baseUrl: 'https://desk.example:1/v1', fingerprint: 'ab' } }),
  ).toContain('Other computers, with TLS, at https://desk.example:1/v1.')
  expect(
    remoteAccessText({ baseUrl, reach: { baseUrl: 'http://10.0.0.2:1/v1', fingerprint: null } }),
  ).toContain('can read keys, prompts, and replies')
})

test('added milliseconds have a decimal below ten', () => {
  expect(['0.0 ms', '0.8 ms', '9.9 ms', '12 ms', '1.5 s']).toEqual(
    [0.04, 0.84, 9.94, 12.4, 1500].map(formatAdded),
  )
})
