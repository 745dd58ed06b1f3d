import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createResponseOpener } from '../../src/ehbp/response-opener.ts'
import { native } from '../../src/ehbp/native.ts'
import { BASE_NONCE, codeOf, frame, implementations, KEY, decryptAll, sealFrames } from './frames.ts'

const events = ['data: {"a":1}\n\n', 'data: {"b":2}\n\n', 'data: [DONE]\n\n'].map((text) => Buffer.from(text))
const aead = native.aead(KEY)
const opener = () => createResponseOpener(aead, BASE_NONCE)
const sealed = sealFrames(aead, BASE_NONCE, events)
const [first, second, third] = sealed as [Buffer, Buffer, Buffer]
const body = Buffer.concat(sealed)
const boundaries = new Map([
  [0, 0],
  [first.byteLength, 1],
  [first.byteLength + second.byteLength, 2],
  [body.byteLength, 3],
])

function* bytewise(bytes: Uint8Array) {
  for (let at = 0; at < bytes.byteLength; at += 1) yield bytes.subarray(at, at + 1)
}

describe.each(implementations)('response opener over %s primitives', (_name, primitives) => {
  const open = (pieces: Iterable<Uint8Array>) =>
    decryptAll(createResponseOpener(primitives.aead(KEY), BASE_NONCE), pieces)

  it('opens frame by frame, however the stream is cut', () => {
    fc.assert(
      fc.property(
        fc.array(fc.uint8Array({ maxLength: 300 }), { maxLength: 8 }),
        fc.array(fc.nat({ max: 400 }), { maxLength: 40 }),
        (plaintexts, cuts) => {
          const stream = Buffer.concat(sealFrames(primitives.aead(KEY), BASE_NONCE, plaintexts))
          const pieces: Buffer[] = []
          let at = 0
          for (const cut of cuts) {
            pieces.push(stream.subarray(at, at + cut))
            at = Math.min(stream.byteLength, at + cut)
          }
          pieces.push(stream.subarray(at))
          expect(open(pieces)).toEqual({ plaintext: Buffer.concat(plaintexts), code: 'complete' })
        },
      ),
      { numRuns: 60 },
    )
  })

  it('refuses the body cut at every byte but a boundary', () => {
    for (let end = 0; end < body.byteLength; end += 1) {
      const whole = boundaries.get(end)
      const delivered = events.slice(
        0,
        [...boundaries.keys()].filter((boundary) => boundary <= end).length - 1,
      )
      expect(open([body.subarray(0, end)]), String(end)).toEqual({
        plaintext: Buffer.concat(delivered),
        code: whole === undefined ? 'ehbp/truncated' : 'complete',
      })
    }
  })

  it('refuses every flipped byte, and delivers only what stood before it', () => {
    for (let at = 0; at < body.byteLength; at += 1) {
      const bad = Buffer.from(body)
      bad[at] = (bad[at] ?? 0) ^ 0x01
      const { plaintext, code } = open([bad])
      expect(code, String(at)).toMatch(/^ehbp\/(open-failed|frame-too-large|truncated)$/)
      expect(Buffer.concat(events).subarray(0, plaintext.byteLength)).toEqual(plaintext)
      expect(plaintext.byteLength).toBeLessThanOrEqual(
        [...boundaries.keys()]
          .filter((boundary) => boundary <= at && boundary > 0)
          .reduce((sum, _, index) => sum + (events[index]?.byteLength ?? 0), 0),
      )
      expect(open(bytewise(bad))).toEqual({ plaintext, code })
    }
  })

  it.each([
    ['swapped', [second, first, third], 0],
    ['repeated', [first, first, second, third], 1],
    ['left out', [first, third], 1],
    ['replayed at the end', [first, second, third, first], 3],
  ])('refuses frames that are %s', (_what, frames, delivered) => {
    expect(open(frames)).toEqual({
      plaintext: Buffer.concat(events.slice(0, delivered)),
      code: 'ehbp/open-failed',
    })
  })

  it('refuses a frame sealed under another key', () => {
    expect(open(sealFrames(primitives.aead(Buffer.alloc(32, 8)), BASE_NONCE, events)).code).toBe(
      'ehbp/open-failed',
    )
  })

  it.each([1, 4, 12, 15])('refuses a frame of %i bytes, which has no room for a tag', (length) => {
    expect(open([first, frame(Buffer.alloc(length)), second])).toEqual({
      plaintext: events[0],
      code: 'ehbp/open-failed',
    })
  })

  it('skips empty frames without counting them', () => {
    const empty = Buffer.alloc(4)
    expect(open([empty, first, empty, empty, second, empty, third, empty])).toEqual({
      plaintext: Buffer.concat(events),
      code: 'complete',
    })
  })

  it('counts a frame of empty plaintext and delivers nothing for it', () => {
    const frames = sealFrames(primitives.aead(KEY), BASE_NONCE, [Buffer.alloc(0), Buffer.from('after')])
    const one = createResponseOpener(primitives.aead(KEY), BASE_NONCE)
    expect(one.push(Buffer.concat(frames)).map((part) => Buffer.from(part).toString())).toEqual(['after'])
  })
})

describe('response opener', () => {
  it('takes a body of no frames', () => {
    expect(decryptAll(opener(), [])).toEqual({ plaintext: Buffer.alloc(0), code: 'complete' })
  })

  it.each([
    ['04000001', 'ehbp/frame-too-large'],
    ['80000000', 'ehbp/frame-too-large'],
    ['ffffffff', 'ehbp/frame-too-large'],
    ['04000000', 'nothing thrown'],
  ])('answers a length of %s with %s', (length, code) => {
    expect(codeOf(() => opener().push(Buffer.from(length, 'hex')))).toBe(code)
  })

  it('opens the largest frame', () => {
    const plaintext = Buffer.alloc(64 * 1024 * 1024 - 16, 3)
    const [largest] = sealFrames(aead, BASE_NONCE, [plaintext])
    const [opened] = opener().push(largest ?? Buffer.alloc(0))
    expect(Buffer.compare(opened ?? Buffer.alloc(0), plaintext)).toBe(0)
  })

  it('reserves memory for what arrived, not for what a header promises', () => {
    const before = process.memoryUsage().arrayBuffers
    const waiting = Array.from({ length: 50 }, opener)
    for (const one of waiting) one.push(Buffer.concat([Buffer.from('04000000', 'hex'), Buffer.alloc(100)]))
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(16 * 1024 * 1024)
    expect(codeOf(() => waiting[0]?.end())).toBe('ehbp/truncated')
  })

  it('delivers good frames before a bad one in the same piece, and then fails for good', () => {
    const one = opener()
    const bad = Buffer.from(second)
    bad[bad.byteLength - 1] = (bad[bad.byteLength - 1] ?? 0) ^ 1
    expect(Buffer.concat(one.push(Buffer.concat([first, bad, third])))).toEqual(events[0])
    expect(codeOf(() => one.push(second))).toBe('ehbp/open-failed')
    expect(codeOf(() => one.push(Buffer.alloc(0)))).toBe('ehbp/open-failed')
    expect(codeOf(() => one.end())).toBe('ehbp/open-failed')
  })

  it('keeps nothing of the caller’s buffer', () => {
    const one = opener()
    const shared = Buffer.alloc(body.byteLength)
    const opened: Uint8Array[] = []
    for (const piece of bytewise(body)) {
      shared.set(piece)
      opened.push(...one.push(shared.subarray(0, piece.byteLength)))
      shared.fill(0xff)
    }
    expect(Buffer.concat(opened)).toEqual(Buffer.concat(events))
    const whole = opener()
    shared.set(body)
    const parts = whole.push(shared)
    shared.fill(0xff)
    expect(Buffer.concat(parts)).toEqual(Buffer.concat(events))
  })

  it('opens a frame of 1 MiB that arrives byte by byte, and 20 MB in pieces of 16 KiB', () => {
    const plaintext = Buffer.alloc(1024 * 1024, 5)
    expect(
      decryptAll(
        opener(),
        bytewise(Buffer.concat(sealFrames(aead, BASE_NONCE, [plaintext]))),
      ).plaintext.equals(plaintext),
    ).toBe(true)
    const large = Buffer.alloc(20_000_000, 6)
    const stream = Buffer.concat(sealFrames(aead, BASE_NONCE, [large]))
    const pieces = Array.from({ length: Math.ceil(stream.byteLength / 16_384) }, (_, index) =>
      stream.subarray(index * 16_384, (index + 1) * 16_384),
    )
    expect(decryptAll(opener(), pieces).plaintext.equals(large)).toBe(true)
  })
})
