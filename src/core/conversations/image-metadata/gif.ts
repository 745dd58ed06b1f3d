import { ascii, damaged, sized, readBytes, viewOf, type CleanImage } from './clean-image.ts'

const [EXTENSION, IMAGE, TRAILER] = [0x21, 0x2c, 0x3b]
const [GRAPHIC_CONTROL, APPLICATION] = [0xf9, 0xff]
const LOOPS = 'NETSCAPE2.0'

/**
 * Preserves the frames, their durations and the number of repetitions. Removes comments and the data of
 * programs.
 */
export function cleanGif(bytes: Uint8Array): CleanImage {
  const screen = viewOf(readBytes(bytes, 6, 7))
  let at = 13 + tableLength(screen.getUint8(4))
  const blocks: Uint8Array[] = [readBytes(bytes, 0, at)]
  let frames = 0
  for (;;) {
    const [kind, label = 0] = readBytes(bytes, at, 1).length > 0 ? bytes.subarray(at, at + 2) : []
    if (kind === TRAILER) break
    if (kind === EXTENSION) {
      const end = endOfBlocks(bytes, at + 2)
      const loops =
        label === APPLICATION && ascii(bytes.subarray(at + 3, at + 14)) === LOOPS && bytes[at + 14] === 3
      if (label === GRAPHIC_CONTROL) blocks.push(bytes.subarray(at, end))
      else if (loops) blocks.push(readBytes(bytes, at, 18), Uint8Array.of(0))
      at = end
    } else if (kind === IMAGE) {
      const head = readBytes(bytes, at, 10)
      const end = endOfBlocks(bytes, at + 10 + tableLength(head[9] ?? 0) + 1)
      blocks.push(bytes.subarray(at, end))
      frames += 1
      at = end
    } else throw damaged()
  }
  if (frames === 0) throw damaged()
  return sized(
    'image/gif',
    [...blocks, Uint8Array.of(TRAILER)],
    screen.getUint16(0, true),
    screen.getUint16(2, true),
  )
}

function tableLength(packed: number): number {
  return (packed & 0x80) === 0 ? 0 : 3 * 2 ** ((packed & 7) + 1)
}

/** Returns the position after the empty block that ends a sequence of blocks. */
function endOfBlocks(bytes: Uint8Array, from: number): number {
  let at = from
  for (;;) {
    const length = bytes[at]
    if (length === undefined) throw damaged()
    at += 1 + length
    if (length === 0) return at
  }
}
