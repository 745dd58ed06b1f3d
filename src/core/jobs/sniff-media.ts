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

/** The file extension for a media type. */
export function endingOf(type: string): string {
  return ENDINGS[type] ?? 'bin'
}
