import { BitWriter } from '../media/bit-writer.ts'
import { tile, type Colour, type Picture } from '../image/picture.ts'

/** Macroblock types: uncompressed samples, in a slice of each kind (ITU-T H.264, tables 7-11 and 7-13). */
const pcmInIntra = 25
const pcmInPredicted = 30
const macroblock = 16

/** Exponential-Golomb (clause 9.1). */
function unsigned(bits: BitWriter, value: number): void {
  const length = 31 - Math.clz32(value + 1)
  bits.write(0, length)
  bits.write(value + 1, length + 1)
}

function signed(bits: BitWriter, value: number): void {
  unsigned(bits, value > 0 ? 2 * value - 1 : -2 * value)
}

/** Parameters of a sequence: constrained baseline, frames in output order. @param width of whole macroblocks @param height likewise */
export function sequenceParameters(
  width: number,
  height: number,
  visibleWidth: number,
  visibleHeight: number,
): Buffer {
  const bits = new BitWriter()
  bits.append(Buffer.of(0x67, 66, 0xc0, 40))
  unsigned(bits, 0)
  // Frame numbers of eight bits; order type 2: as decoded.
  unsigned(bits, 4)
  unsigned(bits, 2)
  unsigned(bits, 1)
  bits.write(0, 1)
  unsigned(bits, width / macroblock - 1)
  unsigned(bits, height / macroblock - 1)
  bits.write(0b11, 2)
  bits.write(1, 1)
  for (const crop of [0, (width - visibleWidth) / 2, 0, (height - visibleHeight) / 2]) unsigned(bits, crop)
  bits.write(0, 1)
  return finished(bits)
}

/** Parameters of pictures: variable-length codes, one slice, the filter between blocks under the slice's control. */
export function pictureParameters(): Buffer {
  const bits = new BitWriter()
  bits.append(Buffer.of(0x68))
  unsigned(bits, 0)
  unsigned(bits, 0)
  bits.write(0, 2)
  for (let zero = 0; zero < 3; zero += 1) unsigned(bits, 0)
  bits.write(0, 3)
  for (let zero = 0; zero < 3; zero += 1) signed(bits, 0)
  bits.write(0b100, 3)
  return finished(bits)
}

/**
 * One frame as one slice: the first whole, each later one only in the macroblocks that differ from the frame before.
 * @param number of the frame since the first
 */
export function slice(picture: Picture, before: Picture | undefined, number: number): Buffer {
  const bits = new BitWriter()
  bits.append(Buffer.of(before ? 0x41 : 0x65))
  unsigned(bits, 0)
  unsigned(bits, before ? 5 : 7)
  unsigned(bits, 0)
  bits.write(number % 256, 8)
  // An intra frame has an identifier and two flags of marking; a predicted one leaves references and marking as they are.
  if (before) bits.write(0, 3)
  else {
    unsigned(bits, 0)
    bits.write(0, 2)
  }
  signed(bits, 0)
  unsigned(bits, 1)
  const samples = picture.palette.map(yCbCr)
  const [columns, rows] = [picture.columns / 2, picture.tiles.length / picture.columns / 2]
  let skipped = 0
  for (let y = 0; y < rows; y += 1) {
    for (let x = 0; x < columns; x += 1) {
      const places = placesOf(picture, x, y)
      if (before && placesOf(before, x, y).every((place, at) => place === places[at])) {
        skipped += 1
        continue
      }
      if (before) unsigned(bits, skipped)
      skipped = 0
      unsigned(bits, before ? pcmInPredicted : pcmInIntra)
      bits.align()
      bits.append(samplesOf(places.map((place) => samples[place] ?? [16, 128, 128])))
    }
  }
  if (before && skipped > 0) unsigned(bits, skipped)
  return finished(bits)
}

/** The four tiles of a macroblock. */
function placesOf({ tiles, columns }: Picture, x: number, y: number): readonly number[] {
  const at = y * 2 * columns + x * 2
  return [tiles[at] ?? 0, tiles[at + 1] ?? 0, tiles[at + columns] ?? 0, tiles[at + columns + 1] ?? 0]
}

/** 256 of luma, then 64 of each difference of colour, row by row. */
function samplesOf(quarters: readonly (readonly number[])[]): Buffer {
  const bytes = Buffer.alloc(384)
  for (let component = 0; component < 3; component += 1) {
    const side = component === 0 ? macroblock : tile
    const start = component === 0 ? 0 : 256 + (component - 1) * 64
    for (let y = 0; y < side; y += 1) {
      for (let x = 0; x < side; x += 1)
        bytes[start + y * side + x] =
          quarters[(y < side / 2 ? 0 : 2) + (x < side / 2 ? 0 : 1)]?.[component] ?? 0
    }
  }
  return bytes
}

/** ITU-R BT.601, studio range. */
function yCbCr([red, green, blue]: Colour): readonly number[] {
  return [
    16 + 0.257 * red + 0.504 * green + 0.098 * blue,
    128 - 0.148 * red - 0.291 * green + 0.439 * blue,
    128 + 0.439 * red - 0.368 * green - 0.071 * blue,
  ].map(Math.round)
}

/** The stop bit, and a three wherever zeros would look like the start of a unit (clause 7.4.1). */
function finished(bits: BitWriter): Buffer {
  bits.write(1, 1)
  const raw = bits.done()
  const guards: number[] = []
  for (let at = 2, last = 0; at < raw.length; at += 1) {
    if (
      at - 2 >= last &&
      raw.readUInt8(at - 2) === 0 &&
      raw.readUInt8(at - 1) === 0 &&
      raw.readUInt8(at) <= 3
    ) {
      guards.push(at)
      last = at
    }
  }
  const pieces = guards.flatMap((at, index) => [raw.subarray(guards[index - 1] ?? 0, at), Buffer.of(3)])
  return Buffer.concat([...pieces, raw.subarray(guards.at(-1) ?? 0)])
}
