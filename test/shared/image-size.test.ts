import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readImageSize } from '../../src/shared/image-size/read-image-size.ts'
import { isDecodable, MAX_IMAGE_PIXELS } from '../../src/shared/image-size/size.ts'

const fileCase = (name: string) =>
  new Uint8Array(readFileSync(join(import.meta.dirname, '../renderer/attachments/cases', name)))
const latin = (text: string) => Uint8Array.from(text, (character) => character.charCodeAt(0))
const be16 = (value: number) => String.fromCharCode((value >> 8) & 255, value & 255)
const be32 = (value: number) => be16(Math.floor(value / 0x1_00_00)) + be16(value % 0x1_00_00)
const reversed = (text: string) => Array.from(text).toReversed().join('')
const le16 = (value: number) => reversed(be16(value))
const le24 = (value: number) => le16(value % 0x1_00_00) + String.fromCharCode(value >> 16)
const le32 = (value: number) => reversed(be32(value))
const box = (name: string, content: string) => be32(content.length + 8) + name + content

const GIF_FRAME = (width: number, height: number) =>
  `,${le16(0)}${le16(0)}${le16(width)}${le16(height)}\0\x02\x01\0\0`
const ISPE = (width: number, height: number) => box('ispe', `\0\0\0\0${be32(width)}${be32(height)}`)

/** The beginning of a file of each format that states a size. Nothing of a picture is in it. */
const HEADERS: Readonly<Record<string, (width: number, height: number) => string>> = {
  png: (width, height) => `\x89PNG\r\n\x1a\n${be32(13)}IHDR${be32(width)}${be32(height)}\x08\x06\0\0\0`,
  jpeg: (width, height) =>
    `\xff\xd8\xff\xe1${be16(8)}Exif\0\0\xff\xc2${be16(17)}\x08${be16(height)}${be16(width)}\x03`,
  'jpeg with bytes between its segments': (width, height) =>
    `\xff\xd8\xff\xfe${be16(4)}ab\0\0junk\xff\xff\xff\xc0${be16(17)}\x08${be16(height)}${be16(width)}\x03`,
  gif: (width, height) => `GIF89a${le16(width)}${le16(height)}\0\0\0`,
  'gif with a frame larger than its screen': (width, height) =>
    `GIF89a${le16(1)}${le16(1)}\0\0\0!\xf9\x04\0\0\0\0\0${GIF_FRAME(width, height)};`,
  'webp, extended': (width, height) =>
    `RIFF\0\0\0\0WEBPVP8X${le32(10)}\0\0\0\0${le24(width - 1)}${le24(height - 1)}`,
  'heic or avif': (width, height) =>
    `${box('ftyp', 'avif\0\0\0\0')}${box('meta', `\0\0\0\0${box('iprp', box('ipco', ISPE(1, 1) + ISPE(width, height)))}`)}`,
  'avif sequence': (width, height) =>
    box('ftyp', 'avis\0\0\0\0') +
    box(
      'moov',
      box(
        'trak',
        box(
          'mdia',
          box(
            'minf',
            box(
              'stbl',
              box('stsd', '\0'.repeat(8) + box('av01', '\0'.repeat(24) + be16(width) + be16(height))),
            ),
          ),
        ),
      ),
    ),
  'tiff, little endian': (width, height) =>
    `II*\0${le32(8)}${le16(2)}${le16(256)}${le16(4)}${le32(1)}${le32(width)}${le16(257)}${le16(4)}${le32(1)}${le32(height)}${le32(0)}`,
  'tiff, big endian': (width, height) =>
    `MM\0*${be32(8)}${be16(2)}${be16(256)}${be16(3)}${be32(1)}${be16(width)}\0\0${be16(257)}${be16(3)}${be32(1)}${be16(height)}\0\0${be32(0)}`,
  bigtiff: (width, height) =>
    `II+\0${le16(8)}\0\0${le32(16)}${le32(0)}${le32(2)}${le32(0)}${le16(256)}${le16(4)}${le32(1)}${le32(0)}${le32(width)}${le32(0)}${le16(257)}${le16(4)}${le32(1)}${le32(0)}${le32(height)}${le32(0)}${le32(0)}${le32(0)}`,
  bmp: (width, height) => `BM${'\0'.repeat(12)}${le32(40)}${le32(width)}${le32(height)}`,
  'bmp from top to bottom': (width, height) =>
    `BM${'\0'.repeat(12)}${le32(40)}${le32(width)}${le32(2 ** 32 - height)}`,
  'bmp of OS/2': (width, height) => `BM${'\0'.repeat(12)}${le32(12)}${le16(width)}${le16(height)}`,
  'icon with a png': (width, height) =>
    `\0\0\x01\0\x01\0\x01\x01\0\0\0\0\0\0${le32(0)}${le32(22)}\x89PNG\r\n\x1a\n${be32(13)}IHDR${be32(width)}${be32(height)}`,
}

describe('the size of an image from its header', () => {
  it.each([
    ['pic.png', 40, 20],
    ['png-as.jpg', 40, 20],
    ['pic.bmp', 40, 20],
    ['pic.webp', 40, 20],
    ['pic.tiff', 40, 20],
    ['anim.gif', 20, 20],
    ['rotated.jpg', 40, 20],
  ])('of %s is that of the picture', (name, width, height) => {
    expect(readImageSize(fileCase(name))).toEqual({ width, height })
  })

  it.each(Object.entries(HEADERS))('is read from %s, whatever it is', (_, header) => {
    const side = fc.integer({ min: 1, max: 60_000 })
    fc.assert(
      fc.property(side, side, (width, height) => {
        expect(readImageSize(latin(header(width, height)))).toEqual({ width, height })
      }),
    )
  })

  it.each(Object.entries(HEADERS))(
    'is unknown or positive if %s ends early or is changed anywhere',
    (_, header) => {
      const whole = latin(header(300, 200))
      fc.assert(
        fc.property(fc.nat(whole.length), fc.nat(whole.length - 1), fc.nat(255), (end, at, byte) => {
          const bytes = whole.slice()
          bytes[at] = byte
          for (const some of [whole.subarray(0, end), bytes]) {
            const { width, height } = readImageSize(some) ?? { width: 1, height: 1 }
            expect(Math.min(width, height)).toBeGreaterThan(0)
          }
        }),
      )
    },
  )

  it.each([
    ['VP8 ', `${le32(10)}\0\0\0\x9d\x01\x2a${le16(320)}${le16(240)}`],
    ['VP8L', `${le32(5)}\x2f\x3f\xc1\x3b\0`],
    ['VP8X', `${le32(10)}\0\0\0\0${le24(319)}${le24(239)}`],
    ['ANMF', `${le32(12)}${le24(0)}${le24(0)}${le24(319)}${le24(239)}`],
  ])('is read from the chunk %s of a webp only if it has the whole size', (name, content) => {
    const whole = latin(`RIFF\0\0\0\0WEBP${name}${content}`)
    expect(readImageSize(whole)).toEqual({ width: 320, height: 240 })
    for (let end = 0; end < whole.length; end += 1)
      expect(readImageSize(whole.subarray(0, end))).toBeUndefined()
  })

  it.each([
    ['a png without a width', HEADERS['png']?.(0, 5)],
    ['a jpeg that ends in its frame', HEADERS['jpeg']?.(600, 300).slice(0, -2)],
    [
      'a jpeg whose scan begins first',
      `\xff\xd8\xff\xda${be16(4)}\0\0\xff\xc0${be16(17)}\x08${be16(5)}${be16(5)}`,
    ],
  ])('is unknown for %s', (_, header = '') => {
    expect(readImageSize(latin(header))).toBeUndefined()
  })

  it('is unknown for any other bytes, and always found out in bounded time', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 2_000 }), (bytes) => {
        expect(() => readImageSize(bytes)).not.toThrow()
      }),
    )
    // Boxes and directories that contain or follow themselves.
    const loop = `II*\0${le32(8)}${le16(0)}${le32(8)}`
    expect(readImageSize(latin(loop))).toBeUndefined()
    const nested = (depth: number): string => (depth === 0 ? ISPE(5, 5) : box('trak', nested(depth - 1)))
    expect(readImageSize(latin(box('ftyp', 'heic\0\0\0\0') + nested(500)))).toBeUndefined()
    expect(
      readImageSize(latin(box('ftyp', 'heic\0\0\0\0') + box('free', '').repeat(150_000))),
    ).toBeUndefined()
  })
})

describe('the limit of pixels', () => {
  it('is on the area and on each side', () => {
    expect(isDecodable({ width: 10_000, height: MAX_IMAGE_PIXELS / 10_000 })).toBe(true)
    expect(isDecodable({ width: 10_001, height: MAX_IMAGE_PIXELS / 10_000 })).toBe(false)
    expect(isDecodable({ width: 100_000, height: 1 })).toBe(false)
    expect(isDecodable({ width: 1, height: 4_000_000_000 })).toBe(false)
  })
})
