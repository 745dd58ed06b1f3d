import { MAX_IMAGE_BYTES, MAX_TEXT_BYTES } from '../../../../shared/attachment-limits.ts'
import { WindowError } from '../../../ui/failure.ts'

export interface ReadyFile {
  readonly name: string
  readonly type: string
  readonly content: Blob
  readonly pages?: number
}

/**
 * What of a file is handed to the core: the file itself, or the text of a PDF, which is read here and goes nowhere else.
 * Throws a WindowError of attachment/….
 */
export async function readFile(
  file: File,
  onPage: (read: number, of: number) => void,
  signal: AbortSignal,
): Promise<ReadyFile> {
  const { name, type } = file
  const start = await file
    .slice(0, 1024)
    .text()
    .catch(() => {
      throw new WindowError('attachment/folder')
    })
  // As other programs do: the sign may stand a little behind the beginning.
  if (start.includes('%PDF-')) {
    const { readPdf } = await import('./read-pdf.ts')
    const { text, pages } = await readPdf(file, onPage, signal)
    return { name, type: 'application/pdf', content: new Blob([text], { type: 'text/plain' }), pages }
  }
  if (type === 'application/pdf') throw new WindowError('attachment/pdf-damaged')
  if (file.size === 0) throw new WindowError('attachment/empty')
  // UTF-16 takes up to twice as much.
  if (
    file.size > (type.startsWith('image/') ? MAX_IMAGE_BYTES : Math.max(2 * MAX_TEXT_BYTES, MAX_IMAGE_BYTES))
  )
    throw new WindowError('attachment/too-large')
  return { name, type, content: file }
}
