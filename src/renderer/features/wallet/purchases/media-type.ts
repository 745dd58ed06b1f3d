/**
 * The types that the page shows. The browser decodes them itself, and none of these formats can run code. SVG
 * isn't included.
 */
export type ShownType =
  | 'image/png'
  | 'image/jpeg'
  | 'image/webp'
  | 'image/gif'
  | 'image/avif'
  | 'video/mp4'
  | 'video/webm'

const extensions: Readonly<Record<ShownType, string>> = {
  'image/png': 'png',
  'image/jpeg': 'jpg',
  'image/webp': 'webp',
  'image/gif': 'gif',
  'image/avif': 'avif',
  'video/mp4': 'mp4',
  'video/webm': 'webm',
}

export const SIGNATURE_BYTES = 12

/**
 * The type by a file's first bytes; the type that the service reports doesn't matter. Undefined if the file
 * isn't shown.
 */
export function shownTypeOf(head: Uint8Array): ShownType | undefined {
  const text = (from: number, to: number) => String.fromCharCode(...head.slice(from, to))
  if (text(0, 8) === '\x89PNG\r\n\x1a\n') return 'image/png'
  if (text(0, 3) === '\xff\xd8\xff') return 'image/jpeg'
  if (text(0, 4) === 'RIFF' && text(8, 12) === 'WEBP') return 'image/webp'
  if (/^GIF8[79]a$/.test(text(0, 6))) return 'image/gif'
  // ISO/IEC 14496-12: the major brand of the first box.
  if (text(4, 8) === 'ftyp')
    return text(8, 12) === 'avif'
      ? 'image/avif'
      : ['avis', 'qt  '].includes(text(8, 12))
        ? undefined
        : 'video/mp4'
  if (text(0, 4) === '\x1a\x45\xdf\xa3') return 'video/webm'
  return undefined
}

/** A file name that any file system accepts, from the purchase's subject and a Unix time in ms. */
export function fileNameOf(
  subject: string,
  at: number,
  index: number,
  type: ShownType | 'application/json' | undefined,
): string {
  const plain =
    subject
      .toLowerCase()
      .replaceAll(/[^a-z0-9]+/g, '-')
      .replaceAll(/^-|-$/g, '')
      .slice(0, 40) || 'file'
  const extension = type === undefined ? 'bin' : type === 'application/json' ? 'json' : extensions[type]
  return `sotto-${plain}-${new Date(at).toISOString().slice(0, 10)}${index > 0 ? `-${index + 1}` : ''}.${extension}`
}
