/** Media that the window shows, by the bytes that they begin with. */
const SIGNS: readonly (readonly [type: string, at: number, bytes: readonly number[]])[] = [
  ['image/png', 0, [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]],
  ['image/jpeg', 0, [0xff, 0xd8, 0xff]],
  ['image/gif', 0, [...Buffer.from('GIF8')]],
  ['image/webp', 8, [...Buffer.from('WEBP')]],
  ['video/webm', 0, [0x1a, 0x45, 0xdf, 0xa3]],
]
/** ISO/IEC 14496-12: the major brand of the file's first box. */
const BRANDS: Readonly<Record<string, string>> = { avif: 'image/avif', avis: 'image/avif', 'qt  ': 'video/quicktime' }

/**
 * What bytes are, whatever they were called: one of a few types of image and video, and application/octet-stream for all else.
 * Nothing that a browser would run, or open as a page, is ever named.
 */
export function sniffMedia(bytes: Uint8Array): string {
  const start = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.byteLength, 16))
  if (start.length >= 12 && start.toString('latin1', 4, 8) === 'ftyp') return BRANDS[start.toString('latin1', 8, 12)] ?? 'video/mp4'
  for (const [type, at, sign] of SIGNS) {
    if (sign.every((byte, index) => start[at + index] === byte) && (type !== 'image/webp' || start.toString('latin1', 0, 4) === 'RIFF')) return type
  }
  return 'application/octet-stream'
}
