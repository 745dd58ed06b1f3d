import { BitWriter } from '../media/bit-writer.ts'
import type { Colour, Picture } from './picture.ts'

/** Categories 0 to 11, in codes of four bits. */
const dcCodeLength = 4

/**
 * JPEG (ITU-T T.81), baseline, without subsampling. A block of eight by eight pixels is one tile, so it has a mean and
 * nothing else: its coefficients are one difference, and the end of the block.
 */
export function encodeJpeg({ width, height, palette, tiles }: Picture): Buffer {
  const scan = new BitWriter({ stuffAfterFf: true })
  const means = palette.map(yCbCr)
  const before = [0, 0, 0]
  for (const place of tiles) {
    const mean = means[place] ?? [0, 0, 0]
    for (let component = 0; component < 3; component += 1) {
      const value = mean[component] ?? 0
      const difference = value - (before[component] ?? 0)
      before[component] = value
      const category = 32 - Math.clz32(Math.abs(difference))
      scan.write(category, dcCodeLength)
      scan.write(difference < 0 ? difference + (1 << category) - 1 : difference, category)
      // The one code of the table: end of block.
      scan.write(0, 1)
    }
  }
  scan.align(1)
  const frame = Buffer.from([8, 0, 0, 0, 0, 3, 1, 0x11, 0, 2, 0x11, 0, 3, 0x11, 0])
  frame.writeUInt16BE(height, 1)
  frame.writeUInt16BE(width, 3)
  return Buffer.concat([
    Buffer.of(0xff, 0xd8),
    segment(0xe0, Buffer.concat([Buffer.from('JFIF\0', 'latin1'), Buffer.of(1, 1, 0, 0, 1, 0, 1, 0, 0)])),
    // Each coefficient is divided by eight, and a mean is one eighth of its coefficient.
    segment(0xdb, Buffer.concat([Buffer.of(0), Buffer.alloc(64, 8)])),
    segment(0xc0, frame),
    segment(
      0xc4,
      Buffer.concat([
        Buffer.of(0x00),
        lengths(dcCodeLength, 12),
        Buffer.from(Array.from({ length: 12 }, (_, category) => category)),
      ]),
    ),
    segment(0xc4, Buffer.concat([Buffer.of(0x10), lengths(1, 1), Buffer.of(0)])),
    segment(0xda, Buffer.of(3, 1, 0, 2, 0, 3, 0, 0, 63, 0)),
    scan.done(),
    Buffer.of(0xff, 0xd9),
  ])
}

/** How many codes there are of each length, 1 to 16. */
function lengths(length: number, codes: number): Buffer {
  const counts = Buffer.alloc(16)
  counts.writeUInt8(codes, length - 1)
  return counts
}

/** Less 128, as blocks are. */
function yCbCr([red, green, blue]: Colour): readonly number[] {
  return [
    0.299 * red + 0.587 * green + 0.114 * blue - 128,
    -0.1687 * red - 0.3313 * green + 0.5 * blue,
    0.5 * red - 0.4187 * green - 0.0813 * blue,
  ].map(Math.round)
}

function segment(marker: number, body: Buffer): Buffer {
  const head = Buffer.of(0xff, marker, 0, 0)
  head.writeUInt16BE(body.length + 2, 2)
  return Buffer.concat([head, body])
}
