import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { asText, exampleOf } from '../../src/renderer/features/data/catalogue/examples.ts'
import { fieldsOf, inputOf, textsOf } from '../../src/renderer/features/data/catalogue/fields.ts'
import { grouped } from '../../src/renderer/features/data/catalogue/group-endpoints.ts'
import { readInput } from '../../src/renderer/features/data/catalogue/json-place.ts'
import { askOf, firstDraft } from '../../src/renderer/features/data/catalogue/lookup-draft.ts'
import { dataEndpoints } from '../../src/sandbox/data/endpoints.ts'
import { jobAskSchema } from '../../src/shared/job-ask.ts'

const people = { method: 'POST', path: '/api/people/people-search' } as const
const fields = fieldsOf(people) ?? []
const faultOf = (text: string) => {
  const read = readInput(text)
  return 'fault' in read ? [read.fault.line, read.fault.column] : undefined
}

describe('a request as JSON', () => {
  it('is parsed like JSON.parse, and refused if that refuses it', () => {
    const broken = fc
      .tuple(fc.json(), fc.nat(), fc.string({ maxLength: 2 }))
      .map(
        ([text, at, put]) =>
          text.slice(0, at % (text.length + 1)) + put + text.slice((at % (text.length + 1)) + 1),
      )
    fc.assert(
      fc.property(
        fc.oneof(
          fc
            .dictionary(fc.string({ minLength: 1, maxLength: 20 }), fc.jsonValue())
            .map((value) => JSON.stringify(value)),
          fc.json(),
          broken,
          fc.string(),
        ),
        (text) => {
          const read = readInput(text)
          let value: unknown
          try {
            value = JSON.parse(text)
          } catch {
            expect(read).toHaveProperty('fault')
            return
          }
          if ('input' in read) expect(read.input).toEqual(value)
          else expect(read.fault.message).not.toBe('')
        },
      ),
      { numRuns: 2000 },
    )
  })

  it('has its error position within the text', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 60 }), (text) => {
        const read = readInput(text)
        if (!('fault' in read)) return
        const lines = text.split('\n')
        expect(read.fault.line).toBeGreaterThan(0)
        expect(read.fault.line).toBeLessThanOrEqual(lines.length)
        expect(read.fault.column).toBeGreaterThan(0)
        expect(read.fault.column).toBeLessThanOrEqual((lines[read.fault.line - 1]?.length ?? 0) + 1)
      }),
    )
  })

  it('has its errors at the right line and column', () => {
    expect(faultOf('{\n  "a": 1\n  "b": 2\n}')).toEqual([3, 3])
    expect(faultOf('{"a": 1, "a": 2}')).toEqual([1, 10])
    expect(faultOf('{"a": {"b": 1, "\\u0062": 2}}')).toEqual([1, 16])
    expect(faultOf('{"a": [1, 2}')).toEqual([1, 12])
    expect(faultOf('[1]')).toEqual([1, 1])
    expect(faultOf('{"a": 1} x')).toEqual([1, 10])
    expect(faultOf('// no\n{}')).toEqual([1, 1])
    expect(faultOf('')).toEqual([1, 1])
    expect(faultOf('{"a": 1,}')).toEqual([1, 9])
    expect(faultOf('{}')).toBeUndefined()
  })

  it('is limited in length, fields and depth', () => {
    expect(faultOf(`{"a": "${'x'.repeat(70_000)}"}`)).toBeDefined()
    expect(
      faultOf(
        JSON.stringify(Object.fromEntries(Array.from({ length: 201 }, (_, at) => [`f${String(at)}`, at]))),
      ),
    ).toBeDefined()
    expect(faultOf(JSON.stringify({ ['n'.repeat(101)]: 1 }))).toBeDefined()
    expect(faultOf(`{"a": ${'['.repeat(100_000)}`)).toBeDefined()
  })
})

describe('people search', () => {
  it('has the fields of the specification, with their types', () => {
    expect(fields.map(({ name, form }) => [name, form])).toEqual([
      ['q_keywords', 'text'],
      ['person_locations', 'list'],
      ['per_page', 'integer'],
    ])
    expect(
      inputOf(fields, { q_keywords: ' engineer ', person_locations: 'Lisbon\n\n Porto ', per_page: '25' }),
    ).toEqual({
      input: { q_keywords: 'engineer', person_locations: ['Lisbon', 'Porto'], per_page: 25 },
      faults: {},
    })
  })

  it.each(['0', '-1', '1.5', 'ten', '1e3', '9999999999'])(
    'refuses %s as the number of results',
    (per_page) => {
      expect(Object.keys(inputOf(fields, { per_page }).faults)).toEqual(['per_page'])
    },
  )

  it('is recognized under another provider’s name, and no other lookup is', () => {
    expect(fieldsOf({ method: 'POST', path: '/api/other/people-search' })).toBeDefined()
    for (const path of ['/api/people/org-search', '/api/people/people-search/full', '/x/people-search'])
      expect(fieldsOf({ method: 'POST', path })).toBeUndefined()
    expect(fieldsOf({ method: 'GET', path: '/api/people/people-search' })).toBeUndefined()
  })

  it('converts between fields and JSON, and stays in JSON if the fields can’t show it', () => {
    fc.assert(
      fc.property(
        fc.record(
          {
            q_keywords: fc.string({ minLength: 1 }).filter((text) => text.trim() === text),
            person_locations: fc.array(
              fc
                .string({ minLength: 1 })
                .filter((text) => text.trim() === text && text.split('\n').length === 1),
              { minLength: 1 },
            ),
            per_page: fc.integer({ min: 1, max: 99_999 }),
          },
          { requiredKeys: [] },
        ),
        (input) => {
          const texts = textsOf(fields, input)
          expect(texts).toBeDefined()
          expect(inputOf(fields, texts ?? {}).input).toEqual(input)
        },
      ),
    )
    expect(textsOf(fields, { page: 2 })).toBeUndefined()
    expect(textsOf(fields, { per_page: '2' })).toBeUndefined()
    expect(textsOf(fields, { person_locations: 'Lisbon' })).toBeUndefined()
  })
})

describe('the lookup request', () => {
  it.each(dataEndpoints)('$path has an example that the contract accepts', ({ method, path }) => {
    const { ask } = askOf({ method, path }, { ...firstDraft({ method, path }), mode: 'json' })
    expect(jobAskSchema.safeParse(ask).success).toBe(true)
    expect(Object.keys(exampleOf({ path }))).not.toEqual([])
  })

  it('is absent if a field is missing or invalid', () => {
    expect(askOf(people, firstDraft(people))).toMatchObject({
      ask: undefined,
      missing: 'Fill in at least one field.',
    })
    expect(askOf(people, { mode: 'fields', texts: { per_page: 'x' }, json: '' }).ask).toBeUndefined()
    expect(askOf(people, { mode: 'json', texts: {}, json: '{' }).faults.json?.line).toBe(1)
  })

  it('accepts only plain values if they become a query', () => {
    const get = { method: 'GET', path: '/api/maps/place-details/full' } as const
    expect(askOf(get, { mode: 'json', texts: {}, json: '{"a": 1,\n "b": [1]}' }).faults.json).toMatchObject({
      line: 2,
      column: 2,
    })
    expect(askOf(get, { mode: 'json', texts: {}, json: '{"a": 1, "b": "x", "c": null}' }).ask).toBeDefined()
  })
})

describe('the catalog', () => {
  it('is grouped in the listing’s order, and found by all words', () => {
    const endpoints = [
      { method: 'POST', path: '/api/maps/a', name: 'Find places', group: 'maps' },
      { method: 'GET', path: '/x/tweets/search' },
      { method: 'POST', path: '/api/maps/b', description: 'Near a place' },
    ] as const
    expect(grouped(endpoints, '').map(({ id, name, endpoints: of }) => [id, name, of.length])).toEqual([
      ['maps', 'Maps', 2],
      ['microblog', 'Microblog', 1],
    ])
    expect(
      grouped(endpoints, 'MAPS near').flatMap(({ endpoints: of }) => of.map(({ path }) => path)),
    ).toEqual(['/api/maps/b'])
    expect(grouped(endpoints, 'nothing of it')).toEqual([])
    expect(grouped([{ method: 'POST', path: '/api/constructor/a' }], '')[0]?.name).toBe('constructor')
  })

  it('formats an example with two spaces', () => {
    expect(asText({ a: 1 })).toBe('{\n  "a": 1\n}')
  })
})
