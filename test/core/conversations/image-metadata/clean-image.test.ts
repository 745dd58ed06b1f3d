import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { removeMetadata } from '../../../../src/core/conversations/image-metadata/index.ts'
import { SottoError } from '../../../../src/shared/errors.ts'

const folder = join(import.meta.dirname, 'pictures')
const names = readdirSync(folder).sort()
const picture = (name: string) => readFileSync(join(folder, name))
const CANARY = 'canary of a place 48.2082 N'

function tiff(orientation: number, little: boolean): Buffer {
  const bytes = Buffer.alloc(64 + CANARY.length)
  const short = (value: number, at: number) =>
    little ? bytes.writeUInt16LE(value, at) : bytes.writeUInt16BE(value, at)
  const long = (value: number, at: number) =>
    little ? bytes.writeUInt32LE(value, at) : bytes.writeUInt32BE(value, at)
  bytes.write(little ? 'II' : 'MM', 0, 'latin1')
  short(42, 2)
  long(8, 4)
  short(2, 8)
  // Make: its text is elsewhere in the file. Then the orientation.
  short(0x010f, 10)
  short(2, 12)
  long(CANARY.length, 14)
  long(60, 18)
  short(0x0112, 22)
  short(3, 24)
  long(1, 26)
  short(orientation, 30)
  bytes.write(CANARY, 60, 'latin1')
  return bytes
}
function jpegSegment(marker: number, content: Buffer): Buffer {
  const head = Buffer.from([0xff, marker, 0, 0])
  head.writeUInt16BE(content.length + 2, 2)
  return Buffer.concat([head, content])
}
function pngChunk(name: string, content: Buffer): Buffer {
  const head = Buffer.alloc(8)
  head.writeUInt32BE(content.length)
  head.write(name, 4, 'latin1')
  const tail = Buffer.alloc(4)
  tail.writeUInt32BE(crc32(Buffer.concat([head.subarray(4), content])))
  return Buffer.concat([head, content, tail])
}
function riffChunk(name: string, content: Buffer): Buffer {
  const head = Buffer.alloc(8)
  head.write(name, 0, 'latin1')
  head.writeUInt32LE(content.length, 4)
  return Buffer.concat([head, content, Buffer.alloc(content.length % 2)])
}
const exif = (orientation: number, little = true) =>
  Buffer.concat([Buffer.from('Exif\0\0', 'latin1'), tiff(orientation, little)])
const xmp = Buffer.from(`http://ns.adobe.com/xap/1.0/\0<x:xmpmeta>${CANARY}</x:xmpmeta>`)

/** The same picture with the metadata that cameras, phones and programs add. */
function addMetadata(name: string, orientation: number, little = true): Buffer {
  const bytes = picture(name)
  switch (name.split('.').at(-1)) {
    case 'jpg':
      return Buffer.concat([
        bytes.subarray(0, 2),
        jpegSegment(0xe1, exif(orientation, little)),
        jpegSegment(0xe1, xmp),
        jpegSegment(0xed, Buffer.from(`Photoshop 3.0\0${CANARY}`)),
        jpegSegment(0xe2, Buffer.from(`ICC_PROFILE\0\x01\x01${CANARY}`)),
        jpegSegment(0xfe, Buffer.from(CANARY)),
        bytes.subarray(2),
        // A video after the end of the image, as phones write it.
        Buffer.from(`\0\0\0\x18ftypmp42${CANARY}`),
      ])
    case 'png':
      return Buffer.concat([
        bytes.subarray(0, 33),
        pngChunk('eXIf', tiff(orientation, little)),
        pngChunk('tEXt', Buffer.from(`Comment\0${CANARY}`)),
        pngChunk('iTXt', Buffer.from(`XML:com.adobe.xmp\0\0\0\0\0${CANARY}`)),
        pngChunk('tIME', Buffer.alloc(7, 1)),
        pngChunk('caNv', Buffer.from(CANARY)),
        bytes.subarray(33),
        Buffer.from(CANARY),
      ])
    case 'webp': {
      const extended = bytes.toString('latin1', 12, 16) === 'VP8X'
      const head = Buffer.from(bytes.subarray(0, extended ? 30 : 12))
      const first = extended
        ? Buffer.alloc(0)
        : riffChunk('VP8X', Buffer.from([0x2c, 0, 0, 0, 23, 0, 0, 15, 0, 0]))
      if (extended) head.writeUInt8(head.readUInt8(20) | 0x2c, 20)
      const body = Buffer.concat([
        head.subarray(8),
        first,
        riffChunk('ICCP', Buffer.from(CANARY)),
        bytes.subarray(head.length),
        riffChunk('EXIF', tiff(orientation, little)),
        riffChunk('XMP ', xmp),
        riffChunk('ABCD', Buffer.from(CANARY)),
      ])
      head.writeUInt32LE(body.length, 4)
      return Buffer.concat([head.subarray(0, 8), body])
    }
    default: {
      const blocks = (label: number, first: string) =>
        Buffer.concat([
          Buffer.from([0x21, label, first.length]),
          Buffer.from(first, 'latin1'),
          Buffer.from([CANARY.length]),
          Buffer.from(CANARY),
          Buffer.from([0]),
        ])
      const table = 13 + ((bytes.readUInt8(10) & 0x80) === 0 ? 0 : 3 * 2 ** ((bytes.readUInt8(10) & 7) + 1))
      return Buffer.concat([
        bytes.subarray(0, table),
        blocks(0xfe, CANARY),
        blocks(0xff, 'XMP DataXMP'),
        bytes.subarray(table),
        Buffer.from(CANARY),
      ])
    }
  }
}
/** The data that decoders read: every coded byte, in its order. */
function coded(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('latin1')
}

describe.each(names)('%s', (name) => {
  test('has the same picture and size without its metadata', () => {
    const before = addMetadata(name, 1)
    expect(coded(before)).toContain(CANARY)
    const { bytes, width, height, type } = removeMetadata(before)
    expect(coded(bytes)).not.toContain('canary')
    expect([width, height, type]).toEqual([
      24,
      16,
      `image/${name.endsWith('jpg') ? 'jpeg' : (name.split('.').at(-1) ?? '')}`,
    ])
    // From a picture without metadata, stripping leaves only the picture. Stripping again changes nothing.
    expect(removeMetadata(removeMetadata(picture(name)).bytes).bytes).toEqual(
      removeMetadata(picture(name)).bytes,
    )
    expect(removeMetadata(bytes).bytes).toEqual(bytes)
  })

  test.runIf(!name.endsWith('gif'))('keeps the orientation and nothing else of EXIF', () => {
    for (let orientation = 1; orientation <= 8; orientation += 1) {
      for (const little of [true, false]) {
        const { bytes, width, height } = removeMetadata(addMetadata(name, orientation, little))
        expect([width, height]).toEqual(orientation < 5 ? [24, 16] : [16, 24])
        expect(removeMetadata(bytes)).toMatchObject({ width, height })
        expect(coded(bytes)).not.toContain('canary')
      }
    }
    for (const wrong of [0, 9, 65_535])
      expect(removeMetadata(addMetadata(name, wrong))).toMatchObject({ width: 24, height: 16 })
  })

  test('is read or refused with a code if it’s truncated or a byte is changed', () => {
    const whole = addMetadata(name, 6)
    const read = (bytes: Uint8Array) => {
      try {
        removeMetadata(bytes)
      } catch (error) {
        expect(error).toBeInstanceOf(SottoError)
        expect(error).toMatchObject({
          code: expect.stringMatching(/^attachment\/image-(damaged|kind)$/) as unknown,
        })
      }
    }
    for (let length = 0; length < whole.length; length += 1) read(whole.subarray(0, length))
    fc.assert(
      fc.property(fc.nat({ max: whole.length - 1 }), fc.nat({ max: 255 }), (at, value) => {
        const changed = Uint8Array.from(whole)
        changed[at] = value
        read(changed)
      }),
      { numRuns: 500 },
    )
  })
})

test('the encoded data of a JPEG is preserved byte for byte, in one scan or several', () => {
  const bytes = picture('baseline.jpg')
  const from = bytes.indexOf(Buffer.from([0xff, 0xdb]))
  expect(coded(removeMetadata(addMetadata('baseline.jpg', 6)).bytes)).toContain(coded(bytes.subarray(from)))
  // As in a progressive JPEG: tables between scans, and restarts and stuffed bytes in the coded bytes.
  const scan = Buffer.concat([
    jpegSegment(0xc4, Buffer.from([0x10, 1, 2])),
    jpegSegment(0xda, Buffer.from([1, 1, 0, 1, 5, 0])),
    Buffer.from([0x12, 0xff, 0, 0x34, 0xff, 0xd0, 0x56, 0xff, 0, 0xff, 0xd1]),
  ])
  const scans = Buffer.concat([
    bytes.subarray(0, -2),
    scan,
    jpegSegment(0xfe, Buffer.from(CANARY)),
    scan,
    Buffer.from([0xff, 0xd9]),
  ])
  expect(
    coded(removeMetadata(scans).bytes).endsWith(
      `${coded(bytes.subarray(from, -2))}${coded(scan)}${coded(scan)}\xff\xd9`,
    ),
  ).toBe(true)
})

test('previews in EXIF and JFIF are removed', () => {
  const preview = Buffer.concat([
    Buffer.from('JFIF\0\x01\x02\x01\0\x48\0\x48\x02\x02', 'latin1'),
    Buffer.from(CANARY),
  ])
  const bytes = picture('baseline.jpg')
  const { bytes: after } = removeMetadata(
    Buffer.concat([
      bytes.subarray(0, 2),
      jpegSegment(0xe0, preview),
      jpegSegment(0xe0, Buffer.from(`JFXX\0\x10${CANARY}`)),
      bytes.subarray(20),
    ]),
  )
  expect(coded(after)).not.toContain('canary')
  expect(after.subarray(2, 20)).toEqual(
    Uint8Array.from([0xff, 0xe0, 0, 16, 0x4a, 0x46, 0x49, 0x46, 0, 1, 1, 0, 0, 1, 0, 1, 0, 0]),
  )
})

test.each([
  ['HEIC', '\0\0\0\x18ftypheic\0\0\0\0'],
  ['AVIF', '\0\0\0\x18ftypavif\0\0\0\0'],
  ['TIFF', 'II*\0\x08\0\0\0'],
  ['Photoshop', '8BPS\0\x01'],
  ['BMP', 'BM\x46\0\0\0\0\0\0\0\x36\0'],
  ['JPEG XL', '\xff\x0a\0\0'],
])('%s is refused as an unsupported kind of image', (_name, start) => {
  expect(() => removeMetadata(Buffer.from(start, 'latin1'))).toThrow(
    expect.objectContaining({ code: 'attachment/image-kind' }),
  )
})

test('arbitrary bytes are cleaned or refused with a code', () => {
  const starts = ['\xff\xd8\xff', '\x89PNG\r\n\x1a\n', 'RIFF\xff\0\0\0WEBP', 'GIF89a', ''].map((start) =>
    Buffer.from(start, 'latin1'),
  )
  fc.assert(
    fc.property(fc.constantFrom(...starts), fc.uint8Array({ maxLength: 400 }), (start, rest) => {
      try {
        removeMetadata(Buffer.concat([start, rest]))
      } catch (error) {
        expect(error).toBeInstanceOf(SottoError)
      }
    }),
    { numRuns: 2_000 },
  )
})
