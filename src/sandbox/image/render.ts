import { crc32, deflateSync } from 'node:zlib'
import type { Recipe } from '../media/generations.ts'
import type { ImageFormat } from './models.ts'
import { paint, tile, type Color, type Picture } from './picture.ts'

const encoders = { png: encodePng, jpeg: encodeJpeg, webp: encodeWebp } as const

/** @returns undefined if there is no such picture */
export function renderImage(
  recipe: Extract<Recipe, { kind: 'image' }>,
  index: number,
): { readonly contentType: string; readonly bytes: Buffer } | undefined {
  const picture = recipe.pictures[index]
  return picture && { contentType: imageType(recipe.format), bytes: encoders[recipe.format](paint(picture)) }
}

export function imageType(format: ImageFormat): string {
  return `image/${format}`
}

/** PNG (W3C, third edition): one bit for each pixel, from a palette. A tile is one byte of a row. */
export function encodePng({ width, height, palette, transparent, tiles, columns }: Picture): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  // Bit depth 1, color type 3: palette.
  header.set([1, 3, 0, 0, 0], 8)
  const data = Buffer.alloc((1 + columns) * height)
  for (let y = 0; y < height; y += 1) {
    const row = Math.floor(y / tile) * columns
    for (let x = 0; x < columns; x += 1) data[y * (1 + columns) + 1 + x] = tiles[row + x] === 1 ? 0xff : 0
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

/**
 * The start of a JPEG file (ITU-T T.81, baseline): every coefficient is divided by 8, the 12 categories of differences
 * have codes of four bits, and the only other code is the end of a block. Its width and height are 0.
 */
const jpegHead = [
  'ffd8ffe000104a46494600010100000100010000',
  `ffdb004300${'08'.repeat(64)}`,
  'ffc00011080000000003011100021100031100',
  `ffc4001f000000000c${'00'.repeat(12)}000102030405060708090a0b`,
  `ffc400141001${'00'.repeat(15)}00`,
  'ffda000c03010002000300003f00',
].join('')
const jpegSizeAt = jpegHead.indexOf('ffc00011') / 2 + 5

/** JPEG: a tile is a block of 8 by 8 pixels, which has a mean and nothing else. */
export function encodeJpeg({ width, height, palette, tiles }: Picture): Buffer {
  const head = Buffer.from(jpegHead, 'hex')
  head.writeUInt16BE(height, jpegSizeAt)
  head.writeUInt16BE(width, jpegSizeAt + 2)
  const [paper, ink] = [yCbCr(palette[0]), yCbCr(palette[1])]
  const [same, up, down] = [blockBits(paper, paper), blockBits(paper, ink), blockBits(ink, paper)]
  let bits = blockBits([0, 0, 0], tiles[0] === 1 ? ink : paper)
  for (let at = 1; at < tiles.length; at += 1)
    bits += tiles[at] === tiles[at - 1] ? same : tiles[at] === 1 ? up : down
  const scan: number[] = []
  for (let at = 0; at < bits.length; at += 8) {
    const byte = Number.parseInt(bits.slice(at, at + 8).padEnd(8, '1'), 2)
    // A zero byte follows 0xff, so that it isn't read as a marker.
    scan.push(...(byte === 0xff ? [byte, 0] : [byte]))
  }
  return Buffer.concat([head, Buffer.from(scan), Buffer.of(0xff, 0xd9)])
}

/** One difference of the mean for each component, and the end of its block. */
function blockBits(before: readonly number[], mean: readonly number[]): string {
  return mean
    .map((value, component) => {
      const difference = value - (before[component] ?? 0)
      const category = 32 - Math.clz32(Math.abs(difference))
      const written = difference < 0 ? difference + (1 << category) - 1 : difference
      const digits = category === 0 ? '' : written.toString(2).padStart(category, '0')
      return `${category.toString(2).padStart(4, '0')}${digits}0`
    })
    .join('')
}

/** Less 128, as blocks are. */
function yCbCr([red, green, blue]: Color): readonly number[] {
  return [
    0.299 * red + 0.587 * green + 0.114 * blue - 128,
    -0.1687 * red - 0.3313 * green + 0.5 * blue,
    0.5 * red - 0.4187 * green - 0.0813 * blue,
  ].map(Math.round)
}

/**
 * WebP, lossless (RFC 9649), without compression: two greens take one bit for each pixel, two alphas another one, and
 * the only red and the only blue take none.
 */
export function encodeWebp({ width, height, palette, transparent, tiles, columns }: Picture): Buffer {
  const [[red, green, blue], [, otherGreen]] = palette
  const bytes = Buffer.alloc(20 + 2 * Math.ceil((200 + width * height * (transparent ? 2 : 1)) / 16))
  bytes.write('RIFF....WEBPVP8L....', 'latin1')
  bytes.writeUInt32LE(bytes.length - 8, 4)
  bytes.writeUInt32LE(bytes.length - 20, 16)
  let at = 160
  const write = (value: number, count: number) => {
    for (let bit = 0; bit < count; bit += 1, at += 1)
      if ((value >>> bit) & 1) bytes[at >>> 3] = (bytes[at >>> 3] ?? 0) | (1 << (at & 7))
  }
  /** A simple code (section 3.7.2.1.1): one or two symbols of eight bits. */
  const writeCode = (...symbols: readonly number[]) => {
    write(1, 1)
    write(symbols.length - 1, 1)
    write(1, 1)
    for (const symbol of symbols) write(symbol, 8)
  }
  write(0x2f, 8)
  write(width - 1, 14)
  write(height - 1, 14)
  write(transparent ? 1 : 0, 1)
  // Version 0; no transform, no cache of colors, one group of codes.
  write(0, 6)
  writeCode(green, otherGreen)
  writeCode(red)
  writeCode(blue)
  writeCode(...(transparent ? [0, 255] : [255]))
  // Distances, which no pixel uses.
  writeCode(0)
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const dot = tiles[Math.floor(y / tile) * columns + Math.floor(x / tile)] ?? 0
      write(dot, 1)
      if (transparent) write(dot, 1)
    }
  }
  return bytes
}
