import fc from 'fast-check'
import { expect, test } from 'vitest'
import { withoutTrailing } from '../../src/shared/without-trailing.ts'

test.each([
  ['0', '1.500', '1.5'],
  ['0', '000', ''],
  ['/', 'https://a.example//', 'https://a.example'],
  ['-', '--a-b', '--a-b'],
  ['0', '', ''],
])('removes %j from the end of %j, which leaves %j', (last, text, rest) => {
  expect(withoutTrailing(last, text)).toBe(rest)
})

test('removes only this character, and each one at the end', () => {
  fc.assert(
    fc.property(
      fc.constantFrom('0', '/', '#'),
      fc.string({ unit: fc.constantFrom('0', '/', '#', 'a') }),
      (last, text) => {
        const rest = withoutTrailing(last, text)
        expect(rest.endsWith(last)).toBe(false)
        expect(rest + last.repeat(text.length - rest.length)).toBe(text)
      },
    ),
  )
})
