import { createHmac, randomBytes } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { KeyedHash } from '../../../src/core/storage/keyed-hash.ts'

describe('a keyed hash', () => {
  it('is HMAC-SHA256 of each message, however long, in any order', () => {
    fc.assert(
      fc.property(
        fc.uint8Array({ minLength: 1, maxLength: 64 }),
        fc.array(fc.uint8Array({ maxLength: 2_000 }), { minLength: 1, maxLength: 5 }),
        (key, messages) => {
          using keyed = new KeyedHash(key)
          for (const message of messages)
            expect(Buffer.from(keyed.digest(message))).toEqual(
              createHmac('sha256', key).update(message).digest(),
            )
        },
      ),
    )
  })

  it('takes no key that RFC 2104 would hash first', () => {
    expect(() => new KeyedHash(randomBytes(65))).toThrow(RangeError)
  })

  it('copies its key, and makes no digest once the key is zeroed', () => {
    const key = randomBytes(32)
    const expected = createHmac('sha256', key).update('row').digest()
    const keyed = new KeyedHash(key)
    key.fill(0)
    expect(Buffer.from(keyed.digest(Buffer.from('row')))).toEqual(expected)
    keyed[Symbol.dispose]()
    expect(() => keyed.digest(Buffer.from('row'))).toThrow('zeroed')
  })
})
