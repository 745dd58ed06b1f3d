import { ascii, damaged, joined, sized, readBytes, viewOf, type CleanImage } from './clean-image.ts'
import { onlyOrientation, orientationIn } from '../../../shared/exif-orientation.ts'

/** Bits of a VP8X chunk's flags (developers.google.com/speed/webp/docs/riff_container). */
const [HAS_EXIF, ANIMATED, HAS_ALPHA] = [0x08, 0x02, 0x10]
const FRAME_HEAD = 16

interface Chunk {
  readonly name: string
  readonly content: Uint8Array
}

/** Copies the chunks of the picture or its frames unchanged. */
export function cleanWebp(bytes: Uint8Array): CleanImage {
  const size = viewOf(readBytes(bytes, 4, 4)).getUint32(0, true)
  const chunks = chunksIn(readBytes(bytes, 12, size - 4))
  const exif = chunks.find(({ name }) => name === 'EXIF')?.content
  const orientation = exif
    ? orientationIn(ascii(exif.subarray(0, 6)) === 'Exif\0\0' ? exif.subarray(6) : exif)
    : 1
  const extended = chunks.find(({ name }) => name === 'VP8X')
  const pictures = chunks.flatMap((one) =>
    one.name === 'ANMF'
      ? [cleanFrame(one)]
      : ['VP8 ', 'VP8L', 'ALPH', 'ANIM'].includes(one.name)
        ? [one]
        : [],
  )
  if (!pictures.some(({ name }) => name === 'VP8 ' || name === 'VP8L' || name === 'ANMF')) throw damaged()

  if (!extended) return whole(pictures, ...sizeOf(pictures), 1)
  const head = Uint8Array.from(readBytes(extended.content, 0, 10))
  head.fill(0, 1, 4)
  head[0] = ((head[0] ?? 0) & (ANIMATED | HAS_ALPHA)) | (orientation === 1 ? 0 : HAS_EXIF)
  const turned = orientation === 1 ? [] : [{ name: 'EXIF', content: onlyOrientation(orientation) }]
  return whole(
    [{ name: 'VP8X', content: head }, ...pictures, ...turned],
    1 + threeBytes(head, 4),
    1 + threeBytes(head, 7),
    orientation,
  )
}

function whole(chunks: readonly Chunk[], width: number, height: number, orientation: number): CleanImage {
  const body = joined(chunks.map(written))
  const head = new Uint8Array(12)
  head.set(Buffer.from('RIFF'))
  viewOf(head).setUint32(4, body.length + 4, true)
  head.set(Buffer.from('WEBP'), 8)
  return sized('image/webp', [head, body], width, height, orientation)
}

function chunksIn(bytes: Uint8Array): Chunk[] {
  const chunks: Chunk[] = []
  for (let at = 0; at + 8 <= bytes.length;) {
    const length = viewOf(bytes).getUint32(at + 4, true)
    chunks.push({ name: ascii(bytes.subarray(at, at + 4)), content: readBytes(bytes, at + 8, length) })
    at += 8 + length + (length % 2)
  }
  return chunks
}

/** A frame contains chunks. */
function cleanFrame({ name, content }: Chunk): Chunk {
  const inner = chunksIn(content.subarray(FRAME_HEAD)).filter((one) =>
    ['VP8 ', 'VP8L', 'ALPH'].includes(one.name),
  )
  return { name, content: joined([readBytes(content, 0, FRAME_HEAD), ...inner.map(written)]) }
}

function written({ name, content }: Chunk): Uint8Array {
  const whole = new Uint8Array(8 + content.length + (content.length % 2))
  whole.set(Buffer.from(name, 'latin1'))
  viewOf(whole).setUint32(4, content.length, true)
  whole.set(content, 8)
  return whole
}

/** The size of a picture without a VP8X chunk, from its own header (RFC 6386 9.1, RFC 9649 4.1). */
function sizeOf(pictures: readonly Chunk[]): [width: number, height: number] {
  const picture = pictures.find(({ name }) => name === 'VP8 ' || name === 'VP8L')
  if (!picture) throw damaged()
  const { name, content } = picture
  if (name === 'VP8 ') {
    const view = viewOf(readBytes(content, 6, 4))
    return [view.getUint16(0, true) & 0x3fff, view.getUint16(2, true) & 0x3fff]
  }
  if (content[0] !== 0x2f) throw damaged()
  const bits = viewOf(readBytes(content, 1, 4)).getUint32(0, true)
  return [1 + (bits & 0x3fff), 1 + ((bits >>> 14) & 0x3fff)]
}

function threeBytes(bytes: Uint8Array, at: number): number {
  const [low = 0, middle = 0, high = 0] = bytes.subarray(at, at + 3)
  return low | (middle << 8) | (high << 16)
}
