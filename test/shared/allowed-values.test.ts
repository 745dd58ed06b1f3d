import { expect, it } from 'vitest'
import { z } from 'zod'
import { allowedBy } from '../../src/shared/allowed-values.ts'

const shape = z.discriminatedUnion('type', [
  z.object({ type: z.literal('circle') }),
  z.object({ type: z.literal('square') }),
])

it.each<[string, z.ZodType, unknown, string]>([
  ['an enum', z.enum(['low', 'high']), 'loud', 'It must be one of "low", "high".'],
  ['one value', z.literal(false), true, 'It must be false.'],
  ['several values', z.literal([1, null]), 2, 'It must be one of 1, null.'],
  ['a union by its member', shape, { type: 'line' }, 'It must be one of "circle", "square".'],
  ['a least number', z.int().min(1), 0, 'It must be at least 1.'],
  ['a largest number', z.number().max(100), 101, 'It must be at most 100.'],
  ['a longest text', z.string().max(3), 'abcd', 'It must have at most 3 characters.'],
  ['a shortest list', z.array(z.int()).min(1), [], 'It must have at least 1 items.'],
  ['a text', z.string(), 7, 'It must be a string.'],
  ['an integer', z.int(), 1.5, 'It must be an integer.'],
  ['an object', z.object({}), 'a', 'It must be an object.'],
  ['a date', z.iso.date(), 'today', 'It must be a date in the form YYYY-MM-DD.'],
  ['a union without a type', z.union([z.string(), z.int()]), true, ''],
  ['a form that is not told', z.string().regex(/a/), 'b', ''],
  ['a rule of its own', z.string().refine(() => false), 'a', ''],
])('%s', (_what, schema, value, sentence) => {
  const { error } = schema.safeParse(value)
  expect(error?.issues.map(allowedBy)).toEqual([sentence])
})
