import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readWave, writeWave } from '../../src/sandbox/audio/wave.ts'
import { mediaDialect } from '../../src/sandbox/dialect.ts'
import { measure } from '../../src/sandbox/media/source.ts'
import { paint } from '../../src/sandbox/image/picture.ts'
import { encodeJpeg, encodeWebp } from '../../src/sandbox/image/render.ts'
import { rangeReply } from '../../src/sandbox/routes/media.ts'
import { readMultipart } from '../../src/sandbox/media/multipart.ts'

const read = readMultipart(mediaDialect)
const picture = paint({ seed: 's', width: 64, height: 48, transparent: false })

/** A valid file with some of its bytes replaced, or cut off. */
const damaged = (whole: Buffer) =>
  fc
    .tuple(
      fc.array(fc.tuple(fc.nat(whole.length - 1), fc.integer({ min: 0, max: 255 })), { maxLength: 8 }),
      fc.nat(whole.length),
    )
    .map(([changes, length]) => {
      const bytes = Buffer.from(whole)
      for (const [at, value] of changes) bytes[at] = value
      return bytes.subarray(0, length)
    })
const anyBytes = fc.uint8Array({ maxLength: 400 }).map((bytes) => Buffer.from(bytes))

describe('measuring an image', () => {
  test('returns a valid size or none, for any bytes', () => {
    fc.assert(
      fc.property(fc.oneof(anyBytes, damaged(encodeJpeg(picture)), damaged(encodeWebp(picture))), (bytes) => {
        const measured = measure(bytes)
        if (measured)
          expect(
            measured.width > 0 &&
              measured.height > 0 &&
              measured.width <= 16_384 &&
              measured.height <= 16_384,
          ).toBe(true)
      }),
    )
  })
})

describe('reading audio', () => {
  test('returns the written text and length', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary', maxLength: 200 }),
        fc.integer({ min: 1, max: 4000 }),
        (text, length) => {
          expect(readWave(writeWave(new Float32Array(length), text))).toEqual({
            seconds: length / 16_000,
            text,
          })
        },
      ),
    )
  })

  test('returns a length or none, for any bytes', () => {
    fc.assert(
      fc.property(fc.oneof(anyBytes, damaged(writeWave(new Float32Array(50), 'some words'))), (bytes) => {
        const heard = readWave(bytes)
        if (heard) expect(Number.isFinite(heard.seconds) && heard.seconds >= 0).toBe(true)
      }),
    )
  })
})

describe('reading a form', () => {
  const type = 'multipart/form-data; boundary=line'
  const name = fc.stringMatching(/^[a-z_]{1,12}$/)

  test('returns the fields that the platform wrote', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.dictionary(name, fc.oneof(fc.string(), fc.uint8Array({ maxLength: 100 })), { minKeys: 1 }),
        async (fields) => {
          const form = new FormData()
          for (const [field, value] of Object.entries(fields)) {
            if (typeof value === 'string') form.set(field, value)
            else form.set(field, new File([Buffer.from(value)], 'a.bin', { type: 'audio/wav' }))
          }
          const written = new Response(form)
          const answer = read(
            Buffer.from(await written.clone().arrayBuffer()),
            written.headers.get('content-type') ?? '',
          )
          if ('refusal' in answer) throw new Error(answer.refusal.body)
          for (const [field, value] of Object.entries(fields)) {
            // A text has its line ends written as a form writes them.
            expect(answer.value[field]).toEqual(
              typeof value === 'string'
                ? value.replaceAll(/\r\n|\r|\n/g, '\r\n')
                : { name: 'a.bin', type: 'audio/wav', bytes: Buffer.from(value) },
            )
          }
        },
      ),
      { numRuns: 50 },
    )
  })

  test('returns a form or 400, for any bytes', () => {
    const whole = Buffer.from('--line\r\nContent-Disposition: form-data; name="a"\r\n\r\nx\r\n--line--\r\n')
    fc.assert(
      fc.property(fc.oneof(anyBytes, damaged(whole)), (bytes) => {
        const answer = read(bytes, type)
        if ('refusal' in answer) expect(answer.refusal.status).toBe(400)
      }),
    )
    expect(read(whole, type)).toEqual({ value: { a: 'x' } })
  })

  test('returns 415 for another type of body', () => {
    for (const other of [
      undefined,
      'application/json',
      'multipart/form-data',
      `multipart/form-data; boundary=${'x'.repeat(71)}`,
    ])
      expect(read(Buffer.from('x'), other)).toMatchObject({ refusal: { status: 415 } })
  })
})

test('a range request returns the range, the whole, or 416', () => {
  const bytes = Buffer.from('0123456789')
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        fc.tuple(fc.nat(30), fc.nat(30)).map(([from, to]) => `bytes=${from}-${to}`),
        fc.nat(30).map((from) => `bytes=${from}-`),
        fc.nat(30).map((last) => `bytes=-${last}`),
      ),
      (range) => {
        const { status, body, headers } = rangeReply(bytes, 'text/plain', range)
        if (status === 206) {
          const [, from = '', to = ''] =
            /^bytes (\d+)-(\d+)\/10$/.exec(headers?.['content-range'] ?? '') ?? []
          expect(body).toEqual(bytes.subarray(Number(from), Number(to) + 1))
        } else expect([200, 416]).toContain(status)
      },
    ),
  )
})
