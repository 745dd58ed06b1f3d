import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  countFilters,
  findModels,
  modelOrders,
  noFilters,
  passes,
  sortModels,
  type ModelFilters,
} from '../../src/renderer/features/chat/pick-models.ts'
import type { Model } from '../../src/shared/model.ts'

const model = (id: string, part: Partial<Model> = {}): Model => ({
  id,
  name: id,
  private: id.startsWith('private/'),
  ...part,
})
const ask = { query: '', filters: noFilters, order: 'name' as const, favourites: [], recent: [] }
const ids = (models: readonly Model[]) => models.map(({ id }) => id)

describe('the search for a model', () => {
  const models = [
    model('b/open', { provider: 'acme' }),
    model('private/z'),
    model('a/open'),
    model('private/a', { name: 'Alpha' }),
  ]
  test('lists private models first, by name, and requires every word', () => {
    expect(findModels(models, ask).map((section) => [section.id, ids(section.models)])).toEqual([
      ['private', ['private/a', 'private/z']],
      ['readable', ['a/open', 'b/open']],
    ])
    expect(
      findModels(models, { ...ask, query: 'ACME open' }).flatMap((section) => ids(section.models)),
    ).toEqual(['b/open'])
    expect(findModels(models, { ...ask, query: 'acme private' })).toEqual([])
  })
  test('lists favorites first and only there, and omits those that are no longer listed', () => {
    expect(
      findModels(models, { ...ask, favourites: ['gone', 'b/open', 'private/a'] }).map((section) => [
        section.id,
        ids(section.models),
      ]),
    ).toEqual([
      ['favourites', ['private/a', 'b/open']],
      ['private', ['private/z']],
      ['readable', ['a/open']],
    ])
  })
  test('lists the last used models separately only if there are many models', () => {
    const many = Array.from({ length: 20 }, (_, at) => model(`m${String(at).padStart(2, '0')}`))
    expect(findModels(models, { ...ask, recent: ['a/open'] }).map(({ id }) => id)).toEqual([
      'private',
      'readable',
    ])
    const [recent] = findModels(many, {
      ...ask,
      recent: ['gone', 'm09', 'm03', 'm01', 'm02', 'm05'],
      favourites: ['m03'],
    }).slice(1)
    expect([recent?.id, ids(recent?.models ?? [])]).toEqual(['recent', ['m09', 'm01', 'm02', 'm05']])
  })
})

describe('filters', () => {
  const known = model('x', {
    contextLength: 1000,
    outputPerMillion: '5',
    provider: 'acme',
    inputModalities: ['text', 'image'],
  })
  const set: readonly Partial<ModelFilters>[] = [
    { vision: true },
    { contextAtLeast: 1000 },
    { provider: 'acme' },
    { priceAtMost: 5n },
    { privacy: 'readable' },
  ]
  test.each(set)(
    'with %o include models that are known to match, and none with an unknown value',
    (change) => {
      expect(countFilters({ ...noFilters, ...change })).toBe(1)
      expect(passes(known, { ...noFilters, ...change })).toBe(true)
      if (change.privacy === undefined) expect(passes(model('y'), { ...noFilters, ...change })).toBe(false)
    },
  )
  test('treat a variable price as unknown', () =>
    expect(passes(model('x', { outputPerMillion: '-1' }), { ...noFilters, priceAtMost: 10n ** 30n })).toBe(
      false,
    ))
  test('include free models for any price', () =>
    expect(passes(model('x', { outputPerMillion: '0' }), { ...noFilters, priceAtMost: 0n })).toBe(true))
})

const anyModel = fc.record(
  {
    id: fc.string({ minLength: 1, maxLength: 6 }),
    name: fc.string(),
    private: fc.boolean(),
    contextLength: fc.integer({ min: 1, max: 5 }),
    addedAt: fc.integer({ min: 1, max: 5 }),
    outputPerMillion: fc.constantFrom('0', '3', '20', '-1'),
  },
  { requiredKeys: ['id', 'name', 'private'] },
) as fc.Arbitrary<Model>

test('any list contains each model once, and sorts unknown values last', () => {
  fc.assert(
    fc.property(
      fc.uniqueArray(anyModel, { selector: ({ id }) => id, maxLength: 30 }),
      fc.constantFrom(...modelOrders),
      fc.array(fc.string({ maxLength: 6 })),
      (models, order, likes) => {
        const found = findModels(models, { ...ask, order, favourites: likes, recent: likes }).flatMap(
          (section) => ids(section.models),
        )
        expect(found.toSorted()).toEqual(ids(models).toSorted())
        const sorted = sortModels(models, order)
        const value = ({ outputPerMillion, contextLength, addedAt }: Model) =>
          ({
            name: 0,
            price: outputPerMillion === '-1' ? undefined : outputPerMillion,
            context: contextLength,
            newest: addedAt,
          })[order]
        const firstUnknown = sorted.findIndex((one) => value(one) === undefined)
        if (firstUnknown >= 0)
          expect(sorted.slice(firstUnknown).every((one) => value(one) === undefined)).toBe(true)
      },
    ),
  )
})
