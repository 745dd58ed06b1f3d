import fc from 'fast-check'
import { expect, test } from 'vitest'
import { native } from '../../src/ehbp/native.ts'
import { portable } from './portable.ts'

const hex = (text: string) => Buffer.from(text, 'hex')

/** RFC 4231, test cases 1, 2, 6 and 7: short keys, and keys longer than a block. */
test.each([
  [
    '0b'.repeat(20),
    Buffer.from('Hi There'),
    'b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7',
  ],
  [
    Buffer.from('Jefe').toString('hex'),
    Buffer.from('what do ya want for nothing?'),
    '5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843',
  ],
  [
    'aa'.repeat(131),
    Buffer.from('Test Using Larger Than Block-Size Key - Hash Key First'),
    '60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54',
  ],
  [
    'aa'.repeat(131),
    Buffer.from(
      'This is a test using a larger than block-size key and a larger than block-size data. The key needs to be hashed before being used by the HMAC algorithm.',
    ),
    '9b09ffa71b942fcb27635fbcd5b0e944bfdc63644f0713938a7f51535c3a35e2',
  ],
])('HMAC-SHA-256 under %s', (key, data, code) => {
  expect(native.hmac(hex(key), data)).toEqual(hex(code))
})

test('HMAC-SHA-256 of any key and parts equals the result of @noble, and a later call doesn’t change it', () => {
  const bytes = (maxLength: number) => fc.uint8Array({ maxLength })
  fc.assert(
    fc.property(bytes(200), fc.array(bytes(700), { maxLength: 4 }), (key, parts) => {
      const code = native.hmac(key, ...parts)
      expect(Buffer.from(code)).toEqual(Buffer.from(portable.hmac(key, ...parts)))
      const copy = Buffer.from(code)
      native.hmac(parts[0] ?? key, key)
      expect(Buffer.from(code)).toEqual(copy)
    }),
  )
})
