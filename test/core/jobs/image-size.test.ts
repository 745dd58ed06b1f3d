import fc from 'fast-check'
import { expect, it } from 'vitest'
import { readImageSize } from '../../../src/core/jobs/image-size.ts'
import { png } from './image-bytes.ts'

const jpeg = Buffer.from([
  0xff, 0xd8, 0xff, 0xe1, 0, 6, 1, 2, 3, 4, 0xff, 0xff, 0xc2, 0, 11, 8, 0x01, 0x2c, 0x02, 0x58, 1, 1, 0x11, 0,
])
const webp = (name: string, body: number[]): Buffer =>
  Buffer.concat([
    Buffer.from(`RIFF\0\0\0\0WEBP${name}`),
    Buffer.from([0, 0, 0, 0, ...body]),
    Buffer.alloc(20),
  ])

it.each([
  ['image/png', png(640, 480), { width: 640, height: 480 }],
  ['image/jpeg', jpeg, { width: 600, height: 300 }],
  [
    'image/webp',
    webp('VP8 ', [0, 0, 0, 0x9d, 0x01, 0x2a, 0x40, 0x01, 0xf0, 0x00]),
    { width: 320, height: 240 },
  ],
  ['image/webp', webp('VP8L', [0x2f, 0x3f, 0xc1, 0x3b, 0]), { width: 320, height: 240 }],
  ['image/webp', webp('VP8X', [0, 0, 0, 0, 0x3f, 1, 0, 0xef, 0, 0]), { width: 320, height: 240 }],
  ['image/gif', Buffer.from('GIF89a\x40\x01\xf0\x00', 'latin1'), { width: 320, height: 240 }],
])('%s', (type, bytes, size) => expect(readImageSize(bytes, type)).toEqual(size))

it.each([
  ['image/png', png(0, 5)],
  ['image/jpeg', jpeg.subarray(0, 14)],
  ['image/jpeg', Buffer.from([0xff, 0xd8, 0xff, 0xda, 0, 4, 0, 0])],
  ['application/octet-stream', png(1, 1)],
])('of what does not say it, none: %s', (type, bytes) => {
  expect(readImageSize(bytes, type)).toBeUndefined()
})

it('of any bytes ends, with a size or with none', () => {
  fc.assert(
    fc.property(
      fc.constantFrom('image/png', 'image/jpeg', 'image/webp', 'image/gif'),
      fc.uint8Array({ maxLength: 300 }),
      (type, bytes) => {
        const starts = {
          'image/png': png(1, 1).subarray(0, 16),
          'image/jpeg': Buffer.from([0xff, 0xd8, 0xff]),
          'image/webp': Buffer.from('RIFF\0\0\0\0WEBPVP8X'),
          'image/gif': Buffer.from('GIF89a'),
        }
        const size = readImageSize(Buffer.concat([starts[type], bytes]), type)
        if (size) expect(size.width > 0 && size.height > 0).toBe(true)
      },
    ),
    { numRuns: 2000 },
  )
})
