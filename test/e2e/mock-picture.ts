import { crc32, deflateSync } from 'node:zlib'

/** A PNG with a smooth gradient between two colors. Each `seed` gives a distinct picture. */
export function picture(seed: number, width = 320, height = 240): Buffer {
  const rows = Buffer.alloc(height * (1 + width * 3))
  const from = [((seed * 53) % 200) + 30, ((seed * 97) % 200) + 30, ((seed * 31) % 200) + 30] as const
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const part = (x / width + y / height) / 2
      const hill = y > height * (0.6 + 0.15 * Math.sin((x / width) * 6 + seed)) ? 0.55 : 1
      for (const [channel, first] of from.entries())
        rows[y * (1 + width * 3) + 1 + x * 3 + channel] =
          Math.round((first + (255 - 2 * first) * part) * hill) & 255
    }
  }
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([8, 2, 0, 0, 0], 8)
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(rows)),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const length = Buffer.alloc(4)
  length.writeUInt32BE(data.length)
  const sum = Buffer.alloc(4)
  sum.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, sum])
}
