import { readImageSize } from '../../shared/image-size/read-image-size.ts'
import type { PixelSize } from '../../shared/image-size/size.ts'
import { sniffMedia } from '../../shared/sniff-media.ts'

export { sniffMedia } from '../../shared/sniff-media.ts'

const ENDINGS: Readonly<Record<string, string>> = {
  'image/png': 'png',
  'image/jpeg': 'jpg',
  'image/gif': 'gif',
  'image/webp': 'webp',
  'image/avif': 'avif',
  'video/mp4': 'mp4',
  'video/webm': 'webm',
  'video/quicktime': 'mov',
  'audio/wav': 'wav',
  'audio/ogg': 'ogg',
  'audio/flac': 'flac',
  'audio/mpeg': 'mp3',
  'audio/mp4': 'm4a',
  'application/json': 'json',
  'text/plain': 'txt',
}

/** Detects the type of a file from its beginning, and the size of an image in pixels if it's there. */
export function sniffFile(head: Uint8Array): { readonly type: string } & Partial<PixelSize> {
  const type = sniffMedia(head)
  return { type, ...(type.startsWith('image/') && readImageSize(head)) }
}

/** The file extension for a media type. */
export function endingOf(type: string): string {
  return ENDINGS[type] ?? 'bin'
}
