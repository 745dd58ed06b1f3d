import { BitWriter } from '../media/bit-writer.ts'
import { paletteSize, tile, type Picture } from './picture.ts'

/** Literals of a channel, and the prefixes of lengths behind those of the first channel (RFC 9649, section 6.2). */
const [literals, lengthPrefixes] = [256, 24]
/** 232 codes of eight bits and 48 of nine: as many as there are, and none is left over. */
const shortCodes = 232
const longestCopy = 4096

/** WebP, lossless (RFC 9649): two pixels in a byte from a palette, and rows of a tile copied from the row above. */
export function encodeWebp({ width, height, palette, transparent, tiles, columns }: Picture): Buffer {
  const bits = new BitWriter({ lowFirst: true })
  bits.write(0x2f, 8)
  bits.write(width - 1, 14)
  bits.write(height - 1, 14)
  bits.write(transparent ? 1 : 0, 1)
  bits.write(0, 3)
  // The colour indexing transform: its table holds the difference of each colour to the one before.
  bits.write(1, 1)
  bits.write(3, 2)
  bits.write(paletteSize - 1, 8)
  writePalette(
    bits,
    palette.map(([red, green, blue], at) => [green, red, blue, transparent && at === 0 ? 0 : 255]),
  )
  bits.write(0, 1)
  // No cache of colours, and one group of codes.
  bits.write(0, 2)
  writeEvenCode(bits, literals + lengthPrefixes)
  // Red, blue and alpha are unused, and every copy is from the pixel above: one symbol, no bits.
  writeSingleCode(bits, 0)
  writeSingleCode(bits, 0)
  writeSingleCode(bits, 255)
  writeSingleCode(bits, 0)
  const packed = Math.ceil(width / 2)
  for (let top = 0; top < height; top += tile) {
    for (let x = 0; x < packed; x += 1) {
      const at = (top / tile) * columns
      writeSymbol(
        bits,
        (tiles[at + Math.floor((x * 2) / tile)] ?? 0) |
          ((x * 2 + 1 < width ? (tiles[at + Math.floor((x * 2 + 1) / tile)] ?? 0) : 0) << 4),
      )
    }
    for (let left = packed * (Math.min(tile, height - top) - 1); left > 0; left -= longestCopy)
      writeLength(bits, Math.min(left, longestCopy))
  }
  const stream = bits.done()
  const padded = stream.length + (stream.length % 2)
  const head = Buffer.from('RIFF....WEBPVP8L....', 'latin1')
  head.writeUInt32LE(12 + padded, 4)
  head.writeUInt32LE(stream.length, 16)
  return Buffer.concat([head, stream, Buffer.alloc(padded - stream.length)])
}

/** An image of one row, in codes of eight bits for every channel. @param colours green, red, blue, alpha */
function writePalette(bits: BitWriter, colours: readonly (readonly number[])[]): void {
  bits.write(0, 1)
  writeEvenCode(bits, literals + lengthPrefixes)
  for (let channel = 1; channel < 4; channel += 1) writeByteCode(bits)
  writeSingleCode(bits, 0)
  let before: readonly number[] = [0, 0, 0, 0]
  for (const colour of colours) {
    const [green = 0, red = 0, blue = 0, alpha = 0] = colour.map(
      (value, channel) => (value - (before[channel] ?? 0)) & 255,
    )
    writeSymbol(bits, green)
    for (const value of [red, blue, alpha]) writeCode(bits, value, 8)
    before = colour
  }
}

/** One symbol, which takes no bits. */
function writeSingleCode(bits: BitWriter, symbol: number): void {
  bits.write(1, 1)
  bits.write(0, 1)
  bits.write(1, 1)
  bits.write(symbol, 8)
}

/** A code of eight or nine bits for each of the 280 symbols of the first channel. */
function writeEvenCode(bits: BitWriter, symbols: number): void {
  // In the order 17, 18, 0, 1, 2, 3, 4, 5, 16, 6, 7, 8, 9: the lengths 8 and 9 have a code of one bit each.
  writeLengthCode(bits, [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1])
  for (let symbol = 0; symbol < symbols; symbol += 1) bits.write(symbol < shortCodes ? 0 : 1, 1)
}

/** A code of eight bits for each of 256 symbols: a code of one length alone takes no bits to tell. */
function writeByteCode(bits: BitWriter): void {
  writeLengthCode(bits, [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1])
}

function writeLengthCode(bits: BitWriter, lengths: readonly number[]): void {
  bits.write(0, 1)
  bits.write(lengths.length - 4, 4)
  for (const length of lengths) bits.write(length, 3)
  // All symbols of the alphabet have a length.
  bits.write(0, 1)
}

function writeSymbol(bits: BitWriter, symbol: number): void {
  if (symbol < shortCodes) writeCode(bits, symbol, 8)
  else writeCode(bits, shortCodes * 2 + symbol - shortCodes, 9)
}

/** A code goes out from its most significant bit. */
function writeCode(bits: BitWriter, code: number, length: number): void {
  for (let at = length - 1; at >= 0; at -= 1) bits.write((code >>> at) & 1, 1)
}

/** A copy of so many pixels (section 5.2.2); the distance takes no bits. */
function writeLength(bits: BitWriter, length: number): void {
  const value = length - 1
  if (value < 4) return writeSymbol(bits, literals + value)
  const high = 31 - Math.clz32(value)
  const second = (value >>> (high - 1)) & 1
  writeSymbol(bits, literals + 2 * high + second)
  bits.write(value - ((2 + second) << (high - 1)), high - 1)
}
