import { getDocument, PDFWorker, type PDFDocumentProxy } from 'pdfjs-dist'
import { MAX_TEXT_BYTES } from '../../../../shared/attachment-limits.ts'
import { WindowError } from '../../../ui/failure.ts'
import { startOwnWorker } from '../../../ui/own-worker.ts'
import workerAddress from './pdf-worker.ts?worker&url'

const MAX_PDF_BYTES = 50_000_000
const MAX_PDF_PAGES = 1_000

/**
 * The text of a PDF, page by page, each under its number. Nothing of the document is run or drawn, and nothing is fetched: no
 * font, no picture, no address in it. Ending the signal ends the thread that reads.
 * Throws a WindowError of attachment/pdf-…, or an AbortError.
 */
export async function readPdf(
  file: Blob,
  onPage: (read: number, of: number) => void,
  signal: AbortSignal,
): Promise<{ text: string; pages: number }> {
  if (file.size > MAX_PDF_BYTES) throw new WindowError('attachment/pdf-too-large')
  const data = new Uint8Array(await file.arrayBuffer())
  const thread = startOwnWorker(workerAddress)
  const ended = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(new DOMException('It is no longer wanted.', 'AbortError')))
    thread.addEventListener('error', () => reject(new WindowError('attachment/pdf-damaged')))
  })
  // Where nothing waits for it any more.
  ended.catch(() => undefined)
  try {
    return await Promise.race([textOf(data, thread, onPage), ended])
  } finally {
    thread.terminate()
  }
}

async function textOf(
  data: Uint8Array,
  thread: Worker,
  onPage: (read: number, of: number) => void,
): Promise<{ text: string; pages: number }> {
  const document = await open(data, thread)
  const pages = document.numPages
  if (pages > MAX_PDF_PAGES) throw new WindowError('attachment/pdf-too-large')
  const texts: string[] = []
  let length = 0
  for (let number = 1; number <= pages; number += 1) {
    const text = await pageText(document, number)
    length += text.length
    if (length > MAX_TEXT_BYTES) throw new WindowError('attachment/too-large')
    texts.push(text)
    onPage(number, pages)
  }
  if (texts.every((text) => text === '')) throw new WindowError('attachment/pdf-no-text')
  // For the model: what is a picture alone is said, not left out unseen.
  return {
    pages,
    text: texts
      .map((text, at) =>
        text === '' ? `[Page ${String(at + 1)} has no text.]` : `[Page ${String(at + 1)}]\n${text}`,
      )
      .join('\n\n'),
  }
}

async function open(data: Uint8Array, thread: Worker): Promise<PDFDocumentProxy> {
  try {
    return await getDocument({
      data,
      worker: PDFWorker.create({ port: thread }),
      // No request is ever made for it, and nothing of it is compiled: neither fonts nor WebAssembly.
      disableRange: true,
      disableStream: true,
      disableAutoFetch: true,
      useWorkerFetch: false,
      useWasm: false,
      useSystemFonts: false,
      disableFontFace: true,
      enableXfa: false,
      isOffscreenCanvasSupported: false,
      isImageDecoderSupported: false,
      maxImageSize: 1,
      verbosity: 0,
    }).promise
  } catch (thrown) {
    throw new WindowError(
      thrown instanceof Error && thrown.name === 'PasswordException'
        ? 'attachment/pdf-encrypted'
        : 'attachment/pdf-damaged',
    )
  }
}

async function pageText(document: PDFDocumentProxy, number: number): Promise<string> {
  try {
    const page = await document.getPage(number)
    const { items } = await page.getTextContent()
    page.cleanup()
    return items
      .map((item) => ('str' in item ? `${item.str}${item.hasEOL ? '\n' : ''}` : ''))
      .join('')
      .trim()
  } catch {
    throw new WindowError('attachment/pdf-damaged')
  }
}
