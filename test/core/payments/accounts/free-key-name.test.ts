import fc from 'fast-check'
import { expect, it } from 'vitest'
import { freeKeyName } from '../../../../src/core/payments/accounts/free-key-name.ts'

it.each([
  ['Editor', [], 'Editor 2'],
  ['Editor', ['Editor', 'Editor 2'], 'Editor 3'],
  ['Editor 2', ['Editor 2'], 'Editor 3'],
  ['A name of twenty-five, all', [], 'A name of twenty-five, 2'],
  ['Twenty-four and a sign 😀', [], 'Twenty-four and a sign 2'],
  [' 7', [], ' 7 2'],
])('the free name for %j with %j in use is %j', (name, usedNames, free) =>
  expect(freeKeyName(name, new Set(usedNames))).toBe(free),
)

it('the free name is always one that the service accepts', () => {
  fc.assert(
    fc.property(fc.string({ minLength: 1, maxLength: 25, unit: 'grapheme' }), fc.nat(30), (name, others) => {
      const usedNames = new Set([name])
      for (let count = 0; count <= others; count++) {
        const free = freeKeyName(name, usedNames)
        expect(usedNames.has(free)).toBe(false)
        expect(free.length).toBeLessThanOrEqual(25)
        expect(free.isWellFormed()).toBe(name.isWellFormed())
        usedNames.add(free)
      }
    }),
  )
})
