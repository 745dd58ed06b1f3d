import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { meanCost, rowCounts } from '../../src/renderer/features/data/batch/batch-words.ts'
import { columnsOf, faultOf, firstMapping, formOf } from '../../src/renderer/features/data/batch/mapping.ts'
import { columnsIn, placed, widthFor } from '../../src/renderer/features/data/results/column-layout.ts'
import { rowsIn } from '../../src/renderer/features/data/results/use-viewport.ts'
import { jobAskSchema } from '../../src/shared/job-ask.ts'

describe('the mapping of columns to fields', () => {
  it('begins with the columns that are named like a field, ignoring case and punctuation', () => {
    expect(
      firstMapping({ email: 'a@b.example', per_page: 5 }, ['Name', 'E-Mail', 'Per page'], false),
    ).toEqual([
      { key: 0, name: 'email', column: 1, as: 'text' },
      { key: 1, name: 'per_page', column: 2, as: 'number' },
    ])
    // Every column is used at most once, and a column name without letters matches no field.
    expect(firstMapping({ a: '', b: '' }, ['a', 'A', '--'], false).map(({ column }) => column)).toEqual([0])
    expect(firstMapping({ email: '' }, ['x'], false)).toEqual([
      { key: 0, name: 'email', column: undefined, as: 'text' },
    ])
    expect(firstMapping({ q: '', n: 1 }, ['x'], true)).toHaveLength(2)
  })

  it('has the types of the example’s values', () => {
    expect([1, true, ['a'], [1], { a: 1 }, 'a', null].map(formOf)).toEqual([
      'number',
      'boolean',
      'list',
      'json',
      'json',
      'text',
      'text',
    ])
  })

  it('is invalid without a name or a column, or with a name twice', () => {
    const field = { key: 0, name: 'a', column: 0, as: 'text' } as const
    expect(faultOf([field], 1, false)).toBeUndefined()
    expect(faultOf([{ ...field, name: ' ' }], 1, false)).toEqual({ fault: 'name', key: 0 })
    expect(faultOf([{ ...field, column: undefined }], 1, false)).toEqual({ fault: 'column', key: 0 })
    expect(faultOf([{ ...field, column: 1 }], 1, false)).toEqual({ fault: 'column', key: 0 })
    expect(faultOf([field, { ...field, key: 1, name: 'a ' }], 1, false)).toEqual({ fault: 'twice', key: 1 })
    expect(faultOf([{ ...field, column: undefined }], 1, true)).toEqual({ fault: 'none' })
    expect(faultOf([], 1, false)).toEqual({ fault: 'none' })
  })

  it('is accepted by the contract if it’s valid', () => {
    const field = fc.record({
      key: fc.nat(),
      name: fc.string({ maxLength: 12 }),
      column: fc.option(fc.nat(5), { nil: undefined }),
      as: fc.constantFrom('text' as const, 'number' as const, 'list' as const),
    })
    fc.assert(
      fc.property(
        fc.array(field, { maxLength: 6 }),
        fc.integer({ min: 1, max: 6 }),
        fc.boolean(),
        (fields, columns, known) => {
          fc.pre(faultOf(fields, columns, known) === undefined)
          const mapped = columnsOf(fields)
          fc.pre(
            !Object.hasOwn(mapped, '__proto__') && fields.every(({ name }) => name.trim() !== '__proto__'),
          )
          const ask = {
            kind: 'batch',
            method: 'POST',
            path: '/api/people/people-enrich',
            columns: mapped,
            file: { uploadId: 'u' },
          }
          expect(jobAskSchema.safeParse(ask).success).toBe(true)
          for (const { column } of Object.values(mapped)) expect(column).toBeLessThan(columns)
        },
      ),
    )
  })
})

describe('the rows of a batch', () => {
  it('are each counted once', () => {
    expect(rowCounts({ rows: { done: 3, failed: 2, unknown: 1 }, parts: { of: 10, done: 3 } })).toEqual({
      of: 10,
      done: 3,
      failed: 2,
      unknown: 1,
      left: 4,
    })
    expect(rowCounts({})).toEqual({ of: 0, done: 0, failed: 0, unknown: 0, left: 0 })
  })

  it('have a mean cost that is rounded up', () => {
    fc.assert(
      fc.property(
        fc.bigInt({ min: 0n, max: 10n ** 20n }),
        fc.integer({ min: 1, max: 200_000 }),
        (cost, done) => {
          const mean = BigInt(
            meanCost({ cost: cost.toString(), rows: { done, failed: 0, unknown: 0 } }) ?? '-1',
          )
          expect(mean * BigInt(done)).toBeGreaterThanOrEqual(cost)
          expect((mean - 1n) * BigInt(done)).toBeLessThan(cost + (cost === 0n ? BigInt(done) : 0n))
        },
      ),
    )
    expect(meanCost({ cost: '1' })).toBeUndefined()
    expect(meanCost({ rows: { done: 1, failed: 0, unknown: 0 } })).toBeUndefined()
  })
})

describe('the rendered range', () => {
  it('includes everything in view, and little more', () => {
    fc.assert(
      fc.property(
        fc.nat(10_000_000),
        fc.integer({ min: 1, max: 3000 }),
        fc.integer({ min: 10, max: 60 }),
        fc.nat(250_000),
        (top, height, size, count) => {
          const { first, end } = rowsIn({ top, left: 0, height, width: 0 }, size, count)
          expect(first).toBeGreaterThanOrEqual(0)
          expect(first).toBeLessThanOrEqual(end)
          expect(end).toBeLessThanOrEqual(count)
          expect(end - first).toBeLessThanOrEqual(Math.ceil(height / size) + 26)
          for (const at of [Math.floor(top / size), Math.floor((top + height - 1) / size)])
            if (at < count) expect(at >= first && at < end).toBe(true)
        },
      ),
    )
  })

  it('includes every column in view, for any widths', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 72, max: 320 }), { minLength: 1, maxLength: 300 }),
        fc.nat(90_000),
        fc.integer({ min: 1, max: 2000 }),
        (widths, left, width) => {
          const places = placed(widths)
          const { first, end } = columnsIn(places, left, width)
          expect(first).toBeGreaterThanOrEqual(0)
          expect(end).toBeLessThanOrEqual(widths.length)
          for (const [at, place] of places.entries())
            if (place.start < left + width && place.start + place.width > left)
              expect(at >= first && at < end).toBe(true)
        },
      ),
    )
  })

  it('is as wide as most cells need, within limits', () => {
    expect(widthFor('a', [])).toBe(72)
    expect(widthFor('a', ['x'.repeat(500)])).toBe(320)
    expect(
      widthFor(
        'name',
        Array.from({ length: 20 }, () => 'twelve chars'),
      ),
    ).toBeGreaterThan(100)
  })
})
