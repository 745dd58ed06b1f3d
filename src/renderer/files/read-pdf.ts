import { getDocument, PDFWorker, type PDFDocumentProxy } from 'pdfjs-dist'
import { WindowError } from '../ui/failure.ts'
import { readPages, type PdfText } from './pdf-pages.ts'
import { repairPdf } from './pdf-text.ts'
import workerAddress from './pdf-worker.ts?worker&url'
import { runThread } from './run-thread.ts'

const MAX_PDF_BYTES = 50_000_000

/** Which characters the codes of Chinese, Japanese and Korean fonts mean: files of this window, by their names. */
const CHARACTER_MAPS = import.meta.glob<string>('../../../node_modules/pdfjs-dist/cmaps/*.bcmap', {
  query: '?url',
  import: 'default',
  eager: true,
})

/** Loads the character maps that a document names, and nothing else. The document chooses the name. */
class CharacterMapLoader {
  async fetch({ kind, filename }: { kind: string; filename: string }): Promise<Uint8Array> {
    const path = `../../../node_modules/pdfjs-dist/cmaps/${filename}`
    const address =
      kind === 'cMapUrl' && Object.hasOwn(CHARACTER_MAPS, path) ? CHARACTER_MAPS[path] : undefined
    if (address === undefined) throw new Error('unknown character map')
    return new Uint8Array(await (await fetch(address)).arrayBuffer())
  }
}

/**
 * The text of a PDF, page by page, each under its number. Nothing of the document runs or is drawn, and it fetches nothing: no
 * font, no picture, no address in it. Only maps of characters are loaded, from the window's own files. Ending the signal ends the thread that reads.
 *
 * @param password that a person entered; it opens this document only and isn't stored
 * @throws {WindowError} attachment/pdf-…, or an AbortError
 */
export async function readPdf(
  file: Blob,
  onPage: (read: number, of: number) => void,
  signal: AbortSignal,
  password?: string,
): Promise<PdfText> {
  if (file.size > MAX_PDF_BYTES) throw new WindowError('attachment/pdf-too-large')
  const data = new Uint8Array(await file.arrayBuffer())
  const read = (bytes: Uint8Array) =>
    runThread(workerAddress, { signal, failure: 'attachment/pdf-damaged' }, async (thread) =>
      readPages(await open(bytes, thread, password), onPage),
    )
  try {
    // The thread takes the bytes, and a second try needs them.
    return await read(data.slice())
  } catch (thrown) {
    const damaged = thrown instanceof WindowError && thrown.failure.code === 'attachment/pdf-damaged'
    const repaired = damaged ? repairPdf(data) : undefined
    if (!repaired) throw thrown
    return read(repaired)
  }
}

async function open(data: Uint8Array, thread: Worker, password?: string): Promise<PDFDocumentProxy> {
  try {
    return await getDocument({
      data,
      worker: PDFWorker.create({ port: thread }),
      ...(password !== undefined && { password }),
      BinaryDataFactory: CharacterMapLoader,
      cMapPacked: true,
      // The document makes no request, and nothing of it is compiled: neither fonts nor WebAssembly.
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
    if (!(thrown instanceof Error) || thrown.name !== 'PasswordException')
      throw new WindowError('attachment/pdf-damaged')
    throw new WindowError(
      password === undefined ? 'attachment/pdf-encrypted' : 'attachment/pdf-wrong-password',
    )
  }
}
