import { ascii, damaged, sized, readBytes, viewOf, type CleanImage } from './clean-image.ts'
import { onlyOrientation, orientationIn } from '../../../shared/exif-orientation.ts'

const [SOI, EOI, SOS, APP0, APP1, APP14] = [0xd8, 0xd9, 0xda, 0xe0, 0xe1, 0xee]
/** The segments that a decoder needs: tables, frames, restart intervals (ITU-T T.81 table B.1). */
const isNeeded = (marker: number) =>
  (marker >= 0xc0 && marker <= 0xcf && marker !== 0xc8) || (marker >= 0xda && marker <= 0xdf)
const isFrame = (marker: number) => marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)
const isRestart = (marker: number) => marker >= 0xd0 && marker <= 0xd7

const EXIF = 'Exif\0\0'
const JFIF = segment(APP0, Uint8Array.of(0x4a, 0x46, 0x49, 0x46, 0, 1, 1, 0, 0, 1, 0, 1, 0, 0))

/**
 * Copies the segments that decoding needs and the encoded pixels, byte for byte. Only the orientation is
 * written again. Previews, additional pictures and videos after the end are removed.
 */
export function cleanJpeg(bytes: Uint8Array): CleanImage {
  const segments: Uint8Array[] = []
  let [width, height, orientation] = [0, 0, 1]
  let [jfif, scanned] = [false, false]
  let adobe: Uint8Array | undefined
  let at = 2
  for (;;) {
    const marker = bytes[at + 1]
    // A picture that ends within its last scan is shown as far as possible.
    if (marker === undefined && scanned) break
    if (bytes[at] !== 0xff || marker === undefined) throw damaged()
    if (marker === 0xff) {
      at += 1
      continue
    }
    if (marker === EOI) break
    if (marker === 0x01 || isRestart(marker)) {
      at += 2
      continue
    }
    if (marker === SOI || marker === 0) throw damaged()
    const length = viewOf(readBytes(bytes, at + 2, 2)).getUint16(0)
    if (length < 2) throw damaged()
    const content = readBytes(bytes, at + 4, length - 2)
    if (isFrame(marker) && content.length >= 5)
      [height, width] = [viewOf(content).getUint16(1), viewOf(content).getUint16(3)]
    if (marker === APP0 && ascii(content.subarray(0, 5)) === 'JFIF\0') jfif = true
    // This segment states the color encoding.
    if (marker === APP14 && content.length >= 12 && ascii(content.subarray(0, 5)) === 'Adobe')
      adobe = segment(APP14, content.subarray(0, 12))
    if (marker === APP1 && ascii(content.subarray(0, 6)) === EXIF)
      orientation = orientationIn(content.subarray(6))
    if (isNeeded(marker)) segments.push(bytes.subarray(at, at + 2 + length))
    at += 2 + length
    if (marker !== SOS) continue
    const end = endOfScan(bytes, at)
    segments.push(bytes.subarray(at, end))
    at = end
    scanned = true
  }
  if (!scanned) throw damaged()
  const turned =
    orientation === 1
      ? []
      : [segment(APP1, Uint8Array.of(...Buffer.from(EXIF, 'latin1'), ...onlyOrientation(orientation)))]
  return sized(
    'image/jpeg',
    [
      Uint8Array.of(0xff, SOI),
      ...(jfif ? [JFIF] : []),
      ...turned,
      ...(adobe ? [adobe] : []),
      ...segments,
      Uint8Array.of(0xff, EOI),
    ],
    width,
    height,
    orientation,
  )
}

/**
 * Returns the end of the encoded pixels: the first marker that is neither a stuffed byte nor a restart.
 */
function endOfScan(bytes: Uint8Array, from: number): number {
  for (let at = bytes.indexOf(0xff, from); at >= 0; at = bytes.indexOf(0xff, at + 1)) {
    const next = bytes[at + 1]
    if (next === undefined) return at
    if (next !== 0 && next !== 0xff && !isRestart(next)) return at
  }
  return bytes.length
}

function segment(marker: number, content: Uint8Array): Uint8Array {
  const length = content.length + 2
  return Uint8Array.of(0xff, marker, length >> 8, length & 0xff, ...content)
}
