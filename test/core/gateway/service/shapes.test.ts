import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import {
  currency,
  isUsd,
  listed,
  listedByGroup,
  memberOf,
  renamed,
  tableOf,
  wrapped,
} from '../../../../src/core/gateway/service/http/shapes.ts'

const item = z.object({ id: z.string(), provider: z.string().optional() })

describe('wrapped', () => {
  const schema = wrapped(z.object({ id: z.string() }), 'account')
  it.each([
    ['itself', { id: 'a' }],
    ['below data', { status: 'success', data: { id: 'a' } }],
    ['below another wrapper', { account: { id: 'a' } }],
    ['below both', { data: { account: { id: 'a' } } }],
    ['below data of an envelope with an ID', { id: 'envelope', data: { id: 'a' } }],
    ['beside data that is something else', { id: 'a', data: { other: 1 } }],
    ['beside data that is null', { id: 'a', data: null }],
  ])('reads the object %s', (_where, answer) => expect(schema.parse(answer)).toEqual({ id: 'a' }))
  it.each([
    null,
    [],
    'a',
    {},
    { id: 1 },
    { data: [] },
    { data: { data: { data: { id: 'too deep' } } } },
    { other: { id: 'a' } },
    [{ id: 'a' }],
  ])('refuses %j', (answer) => expect(schema.safeParse(answer).success).toBe(false))
})

describe('memberOf', () => {
  const schema = memberOf(z.string().min(2), ['api_key', 'apiKey'], 'account')
  it.each([
    { api_key: 'ok' },
    { apiKey: 'ok' },
    { data: { api_key: 'ok' } },
    { account: { api_key: 'ok' } },
    { data: { account: { apiKey: 'ok' } } },
    { data: { api_key: null }, api_key: 'ok' },
    { data: { api_key: 'x' }, account: { api_key: 'ok' } },
    { api_key: 7, apiKey: 'ok', data: [] },
  ])('finds it in %j', (answer) => expect(schema.parse(answer)).toBe('ok'))
  it.each([null, {}, [], { api_key: 'x' }, { other: { api_key: 'ok' } }, [{ api_key: 'ok' }]])(
    'does not find it in %j',
    (answer) => expect(schema.safeParse(answer).success).toBe(false),
  )
})

describe('listed', () => {
  const schema = listed(item, 2, 'models')
  it.each([
    [[{ id: 'a' }]],
    [{ data: [{ id: 'a' }] }],
    [{ models: [{ id: 'a' }] }],
    [{ data: { models: [{ id: 'a' }] } }],
    [{ data: null, models: [{ id: 'a' }] }],
  ])('reads %j', (answer) => expect(schema.parse(answer)).toEqual({ entries: [{ id: 'a' }], unreadable: 0 }))
  it('skips and counts what does not fit', () =>
    expect(schema.parse([null, { id: 'a' }])).toEqual({ entries: [{ id: 'a' }], unreadable: 1 }))
  it.each([null, {}, 'a', { data: null }, { data: {} }, { other: [] }, { openai: [{ id: 'a' }] }])(
    'refuses %j',
    (answer) => expect(schema.safeParse(answer).success).toBe(false),
  )
  it.each([[[1, 2, 3]], [{ data: [1, 2, 3] }]])('refuses more than the most: %j', (answer) =>
    expect(schema.safeParse(answer).success).toBe(false),
  )
})

describe('listedByGroup', () => {
  const schema = listedByGroup(item, 3, 'provider', 'models')
  const entries = [
    { id: 'a', provider: 'one' },
    { id: 'b', provider: 'two' },
  ]
  it.each([
    { one: [{ id: 'a' }], two: [{ id: 'b' }] },
    { object: 'list', data: { one: [{ id: 'a' }], two: [{ id: 'b', provider: null }], three: [] } },
    { data: { models: { one: [{ id: 'a' }], two: [{ id: 'b' }] } } },
    { one: [{ id: 'a' }], other: [{ id: 'b', provider: 'two' }] },
    {
      data: [
        { id: 'a', provider: 'one' },
        { id: 'b', provider: 'two' },
      ],
    },
  ])('reads %j', (answer) => expect(schema.parse(answer)).toEqual({ entries, unreadable: 0 }))
  it('counts members that do not fit, and groups that are null', () =>
    expect(schema.parse({ data: { one: [{ id: 'a' }, null], two: [{ id: 'b' }], three: null } })).toEqual({
      entries,
      unreadable: 2,
    }))
  it.each([
    null,
    {},
    { data: {} },
    { data: null },
    { errors: [] },
    { error: ['a', 'b'] },
    { data: { one: [null] } },
    { data: { one: { id: 'a' } } },
    { status: 'error' },
  ])('refuses %j', (answer) => expect(schema.safeParse(answer).success).toBe(false))
  it('refuses more members than the most, counted over all groups', () =>
    expect(
      schema.safeParse({ one: [{ id: 'a' }, { id: 'b' }], two: [{ id: 'c' }, { id: 'd' }] }).success,
    ).toBe(false))
})

describe('renamed', () => {
  const schema = renamed(z.object({ id: z.string() }), { id: ['model_id', '_id'] })
  it.each([
    [{ id: 'a' }, 'a'],
    [{ model_id: 'a' }, 'a'],
    [{ _id: 'a' }, 'a'],
    [{ _id: 'record', model_id: 'a' }, 'a'],
    [{ id: 'a', _id: 'record' }, 'a'],
    [{ id: null, model_id: 'a' }, 'a'],
  ])('%j is %s', (value, id) => expect(schema.parse(value)).toEqual({ id }))
  it.each([null, [], 'a', {}, { id: 1 }, { name: 'a' }, { id: null }])('refuses %j', (value) =>
    expect(schema.safeParse(value).success).toBe(false),
  )
})

describe('tables and currencies', () => {
  const schema = tableOf(currency, z.object({ min: z.string() }), 2)
  it('reads names in any case; skips and counts what does not fit', () =>
    expect(schema.parse({ usd: { min: '1' }, Sats: null })).toEqual({
      table: { USD: { min: '1' } },
      unreadable: 1,
    }))
  it('counts a name that does not fit', () =>
    expect(schema.parse({ ['x'.repeat(21)]: { min: '1' } })).toEqual({ table: {}, unreadable: 1 }))
  it.each([null, [], 'a', { a: {}, b: {}, c: {} }])('refuses %j', (value) =>
    expect(schema.safeParse(value).success).toBe(false),
  )
  it.each(['USD', 'usd', ' Usd ', undefined, null])('%j is dollars', (named) =>
    expect(isUsd(named)).toBe(true),
  )
  it.each(['EUR', 'US', '', 7, {}, ['USD'], 'USDT'])('%j is not dollars', (named) =>
    expect(isUsd(named)).toBe(false),
  )
})
