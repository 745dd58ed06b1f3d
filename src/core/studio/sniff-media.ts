/** Media that can be shown or played, by the bytes that they begin with. */
const SIGNS: readonly (readonly [type: string, at: number, bytes: readonly number[]])[] = [
  ['image/png', 0, [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]],
  ['image/jpeg', 0, [0xff, 0xd8, 0xff]],
  ['image/gif', 0, [...Buffer.from('GIF8')]],
  ['image/webp', 8, [...Buffer.from('WEBP')]],
  ['video/webm', 0, [0x1a, 0x45, 0xdf, 0xa3]],
  ['audio/wav', 8, [...Buffer.from('WAVE')]],
  ['audio/ogg', 0, [...Buffer.from('OggS')]],
  ['audio/flac', 0, [...Buffer.from('fLaC')]],
  ['audio/mpeg', 0, [...Buffer.from('ID3')]],
]
/** Types whose sign stands in a RIFF file. */
const IN_RIFF = new Set(['image/webp', 'audio/wav'])
/** ISO/IEC 14496-12: the major brand of the file's first box. */
const BRANDS: Readonly<Record<string, string>> = { avif: 'image/avif', avis: 'image/avif', 'qt  ': 'video/quicktime', 'M4A ': 'audio/mp4', 'M4B ': 'audio/mp4' }

/**
 * What bytes are, whatever they were called: one of a few types of image, video and sound, and application/octet-stream for all
 * else. Nothing that a browser would run, or open as a page, is ever named.
 */
export function sniffMedia(bytes: Uint8Array): string {
  const start = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.byteLength, 16))
  if (start.length >= 12 && start.toString('latin1', 4, 8) === 'ftyp') return BRANDS[start.toString('latin1', 8, 12)] ?? 'video/mp4'
  for (const [type, at, sign] of SIGNS) {
    if (sign.every((byte, index) => start[at + index] === byte) && (!IN_RIFF.has(type) || start.toString('latin1', 0, 4) === 'RIFF')) return type
  }
  return isMpegFrame(start) ? 'audio/mpeg' : 'application/octet-stream'
}

/** ISO/IEC 11172-3: eleven bits of synchronisation, then version, layer, bit rate and sampling rate, of each a value that means something. */
function isMpegFrame([first = 0, second = 0, third = 0]: Uint8Array): boolean {
  return first === 0xff && (second & 0xe0) === 0xe0 && (second & 0x18) !== 0x08 && (second & 0x06) !== 0 && (third & 0xf0) !== 0xf0 && (third & 0xf0) !== 0 && (third & 0x0c) !== 0x0c
}

const ENDINGS: Readonly<Record<string, string>> = {
  'image/png': 'png', 'image/jpeg': 'jpg', 'image/gif': 'gif', 'image/webp': 'webp', 'image/avif': 'avif', 'video/mp4': 'mp4', 'video/webm': 'webm', 'video/quicktime': 'mov',
  'audio/wav': 'wav', 'audio/ogg': 'ogg', 'audio/flac': 'flac', 'audio/mpeg': 'mp3', 'audio/mp4': 'm4a', 'application/json': 'json', 'text/plain': 'txt',
}

/** The ending of a file's name. */
export function endingOf(type: string): string {
  return ENDINGS[type] ?? 'bin'
}
