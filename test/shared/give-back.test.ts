import { expect, it } from 'vitest'
import { giveBack, giveBackEach } from '../../src/shared/byte-buffer.ts'

it('giveBack frees memory that only these bytes use, at once', () => {
  const bytes = new Uint8Array(1000)
  giveBack(bytes)
  expect([bytes.byteLength, bytes.buffer.detached]).toEqual([0, true])
})

it('giveBack doesn’t free memory that other bytes use', () => {
  const whole = new Uint8Array(1000).fill(7)
  const pooled = Buffer.from('a few bytes of Node’s pool')
  for (const bytes of [whole.subarray(0, 999), whole.subarray(1), pooled]) giveBack(bytes)
  expect([whole.every((byte) => byte === 7), pooled.toString()]).toEqual([true, 'a few bytes of Node’s pool'])
})

it('each piece is freed when the next one is requested, and not before', async () => {
  const pieces = [1, 2, 3].map((value) => new Uint8Array(1000).fill(value))
  const seen: number[] = []
  for await (const piece of giveBackEach(inOrder(pieces))) seen.push(piece.byteLength, piece[0] ?? 0)
  expect(seen).toEqual([1000, 1, 1000, 2, 1000, 3])
  expect(pieces.map(({ byteLength }) => byteLength)).toEqual([0, 0, 0])
})

async function* inOrder(pieces: readonly Uint8Array[]): AsyncGenerator<Uint8Array, void> {
  await Promise.resolve()
  yield* pieces
}
