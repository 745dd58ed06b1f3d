import { crc32 } from 'node:zlib'
import { ascii, damaged, sized, readBytes, viewOf, type CleanImage } from './clean-image.ts'
import { onlyOrientation, orientationIn } from '../../../shared/exif-orientation.ts'

const SIGNATURE = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a)
/** The chunks of the picture, its colors, and the frames of an animation. */
const PICTURE_CHUNKS = new Set([
  'IHDR',
  'PLTE',
  'IDAT',
  'tRNS',
  'gAMA',
  'cHRM',
  'sRGB',
  'sBIT',
  'cICP',
  'bKGD',
  'acTL',
  'fcTL',
  'fdAT',
])

/** Copies the chunks of the picture byte for byte. Data after the end is removed. */
export function cleanPng(bytes: Uint8Array): CleanImage {
  const chunks: Uint8Array[] = [SIGNATURE]
  let header: DataView | undefined
  let [orientation, pixels] = [1, false]
  for (let at = SIGNATURE.length; ;) {
    const length = viewOf(readBytes(bytes, at, 8)).getUint32(0)
    const name = ascii(bytes.subarray(at + 4, at + 8))
    const content = readBytes(bytes, at + 8, length)
    const whole = readBytes(bytes, at, length + 12)
    if (!header) {
      if (name !== 'IHDR' || length !== 13) throw damaged()
      header = viewOf(content)
    }
    if (name === 'IEND') break
    if (name === 'eXIf') orientation = orientationIn(content)
    if (name === 'IDAT') {
      if (!pixels && orientation !== 1) chunks.push(chunk('eXIf', onlyOrientation(orientation)))
      pixels = true
    }
    if (PICTURE_CHUNKS.has(name)) chunks.push(whole)
    at += length + 12
  }
  if (!pixels) throw damaged()
  return sized(
    'image/png',
    [...chunks, chunk('IEND', new Uint8Array())],
    header.getUint32(0),
    header.getUint32(4),
    orientation,
  )
}

function chunk(name: string, content: Uint8Array): Uint8Array {
  const body = Uint8Array.of(...Buffer.from(name, 'latin1'), ...content)
  const whole = new Uint8Array(body.length + 8)
  const view = viewOf(whole)
  view.setUint32(0, content.length)
  whole.set(body, 4)
  view.setUint32(body.length + 4, crc32(body))
  return whole
}
