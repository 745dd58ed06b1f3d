import { createHash, randomBytes } from 'node:crypto'
import { expect, it } from 'vitest'
import { sentDigest } from '../../../../src/core/gateway/channel/sent-digest.ts'

const SLICE = 512 * 1024

it.each([0, 1, 2048, SLICE - 1, SLICE, SLICE + 1, 3 * SLICE, 3 * SLICE + 7])(
  'is the SHA-256 of a body of %i bytes',
  async (length) => {
    const body = randomBytes(length)
    expect(await sentDigest(body)).toBe(createHash('sha256').update(body).digest('hex'))
  },
)

it('lets the connection be written to between the slices of a large one', async () => {
  let turns = 0
  let hashed = false
  const count = (): void => {
    if (hashed) return
    turns++
    setImmediate(count)
  }
  setImmediate(count)
  await sentDigest(Buffer.alloc(8 * SLICE))
  hashed = true
  expect(turns).toBeGreaterThanOrEqual(7)
})
