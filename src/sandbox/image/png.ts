import { crc32, deflateSync } from 'node:zlib'
import { tile, type Picture } from './picture.ts'

/** PNG (W3C, third edition): four bits for each pixel, from a palette. */
export function encodePng({ width, height, palette, transparent, tiles, columns }: Picture): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  // Bit depth 4, colour type 3: palette.
  header.set([4, 3, 0, 0, 0], 8)
  const rowLength = 1 + Math.ceil(width / 2)
  const data = Buffer.alloc(rowLength * height)
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 2) {
      const at = Math.floor(y / tile) * columns
      const left = tiles[at + Math.floor(x / tile)] ?? 0
      const right = tiles[at + Math.floor((x + 1) / tile)] ?? 0
      data.writeUInt8((left << 4) | right, y * rowLength + 1 + x / 2)
    }
  }
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    chunk('IHDR', header),
    chunk('PLTE', Buffer.from(palette.flat())),
    ...(transparent ? [chunk('tRNS', Buffer.of(0))] : []),
    chunk('IDAT', deflateSync(data, { level: 6 })),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const frame = Buffer.alloc(4)
  frame.writeUInt32BE(data.length)
  const check = Buffer.alloc(4)
  check.writeUInt32BE(crc32(body))
  return Buffer.concat([frame, body, check])
}
