import fc from 'fast-check'
import { expect, test } from 'vitest'
import { firstBytes } from '../../../src/core/jobs/audio/cut-audio.ts'

test('is so many bytes, or all that there are, and asks for no piece beyond them', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.uint8Array({ minLength: 1, maxLength: 9 }), { maxLength: 9 }),
      fc.nat(90),
      async (pieces, length) => {
        let [asked, last] = [0, 1]
        async function* content(): AsyncGenerator<Uint8Array, void> {
          for (const piece of pieces) {
            asked += piece.byteLength
            last = piece.byteLength
            yield await Promise.resolve(piece)
          }
        }
        expect(Buffer.concat(await Array.fromAsync(firstBytes(content(), length)))).toEqual(
          Buffer.concat(pieces).subarray(0, length),
        )
        expect(asked).toBeLessThan(length + last)
      },
    ),
  )
})
