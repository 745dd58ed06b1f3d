import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { AnswerStreamReader } from '../../src/core/gateway/answer/index.ts'
import { ByteBuffer } from '../../src/shared/byte-buffer.ts'
import { readBytes } from '../../src/shared/limited-body.ts'

/**
 * Each byte as a separate piece, all in the same memory. A reader that stores the piece and not its byte sees the
 * last byte everywhere.
 */
async function* oneByOne(text: string): AsyncGenerator<Uint8Array, void> {
  const piece = new Uint8Array(1)
  for (const byte of Buffer.from(text)) {
    piece[0] = byte
    yield await Promise.resolve(piece)
  }
}

describe('ByteBuffer', () => {
  it('returns the added bytes, in any pieces, and again after it was emptied', () => {
    fc.assert(
      fc.property(
        fc.array(fc.array(fc.oneof(fc.nat(40), fc.integer({ min: 1000, max: 3000 })), { maxLength: 60 }), {
          maxLength: 3,
        }),
        (bodies) => {
          const gathered = new ByteBuffer()
          for (const sizes of bodies) {
            const pieces = sizes.map((size, at) => Buffer.alloc(size, at))
            for (const piece of pieces) gathered.add(piece)
            expect(gathered.bytes).toBe(sizes.reduce((sum, size) => sum + size, 0))
            expect(Buffer.compare(gathered.take(), Buffer.concat(pieces))).toBe(0)
            expect(gathered.pieces).toBe(0)
          }
        },
      ),
    )
  })

  it.each([
    ['of one byte', [1]],
    ['long and short in turn', [1024, 1]],
    ['just short', [1023]],
  ])('has at most one piece per half kilobyte, %s', (_, sizes) => {
    const gathered = new ByteBuffer()
    for (let turn = 0; gathered.bytes < 1024 * 1024; turn += 1)
      gathered.add(new Uint8Array(sizes[turn % sizes.length] ?? 0))
    expect(gathered.pieces).toBeLessThanOrEqual(2 * 1024 + 2)
  })

  it('returns memory that it never uses again', () => {
    const gathered = new ByteBuffer()
    gathered.add(Buffer.from('abc'))
    const chunk = gathered.take()
    gathered.add(Buffer.from('def'))
    expect(gathered.take().buffer).not.toBe(chunk.buffer)
    expect(Buffer.from(chunk).toString()).toBe('abc')
  })

  it('returns a single long piece without a copy', () => {
    const gathered = new ByteBuffer()
    const piece = new Uint8Array(2000)
    gathered.add(piece)
    expect(gathered.take().buffer).toBe(piece.buffer)
  })
})

describe('a body that arrives byte by byte', () => {
  const text = JSON.stringify({ choices: [{ message: { content: 'abc'.repeat(40_000) } }] })

  it('is read completely, up to its limit', async () => {
    expect(Buffer.from(await readBytes(oneByOne(text), text.length)).toString()).toBe(text)
    await expect(readBytes(oneByOne(text), text.length - 1)).rejects.toMatchObject({
      code: 'service/response-invalid',
    })
  })

  it('is passed on completely, as an event of a stream', async () => {
    const event = `data: ${text}\n\n`
    const reader = new AnswerStreamReader({ usage: false, choices: 1 })
    let passed = ''
    for await (const piece of oneByOne(event)) passed += reader.push(piece).text
    expect(passed).toBe(event)
  })
})
