/** Media that can be shown or played, by the bytes that they begin with. */
const SIGNS: readonly (readonly [type: string, at: number, sign: string])[] = [
  ['image/png', 0, '\x89PNG\r\n\x1a\n'],
  ['image/jpeg', 0, '\xff\xd8\xff'],
  ['image/gif', 0, 'GIF8'],
  ['image/webp', 8, 'WEBP'],
  ['video/webm', 0, '\x1a\x45\xdf\xa3'],
  ['audio/wav', 8, 'WAVE'],
  ['audio/ogg', 0, 'OggS'],
  ['audio/flac', 0, 'fLaC'],
  ['audio/mpeg', 0, 'ID3'],
]
/** Types whose signature is in a RIFF file. */
const IN_RIFF = new Set(['image/webp', 'audio/wav'])
/** ISO/IEC 14496-12: the major brand of the file's first box. */
const BRANDS: Readonly<Record<string, string>> = {
  avif: 'image/avif',
  avis: 'image/avif',
  'qt  ': 'video/quicktime',
  'M4A ': 'audio/mp4',
  'M4B ': 'audio/mp4',
}
/** The number of bytes that determine the type. */
export const SNIFFED_BYTES = 16

/**
 * Detects the type from the bytes, whatever type was declared: one of a few types of image, video and
 * sound, otherwise application/octet-stream. Never returns a type that a browser would run or open as a
 * page.
 */
export function sniffMedia(bytes: Uint8Array): string {
  const start = String.fromCharCode(...bytes.subarray(0, SNIFFED_BYTES))
  if (start.length >= 12 && start.startsWith('ftyp', 4)) return BRANDS[start.slice(8, 12)] ?? 'video/mp4'
  for (const [type, at, sign] of SIGNS) {
    if (start.startsWith(sign, at) && (!IN_RIFF.has(type) || start.startsWith('RIFF'))) return type
  }
  return isMpegFrame(bytes) ? 'audio/mpeg' : 'application/octet-stream'
}

/**
 * ISO/IEC 11172-3: eleven bits of synchronization, then version, layer, bit rate and sampling rate, each
 * with a defined value.
 */
function isMpegFrame([first = 0, second = 0, third = 0]: Uint8Array): boolean {
  return (
    first === 0xff &&
    (second & 0xe0) === 0xe0 &&
    (second & 0x18) !== 0x08 &&
    (second & 0x06) !== 0 &&
    (third & 0xf0) !== 0xf0 &&
    (third & 0xf0) !== 0 &&
    (third & 0x0c) !== 0x0c
  )
}
