import { getDocument, PDFWorker, type PDFDocumentProxy } from 'pdfjs-dist'
import { MAX_IMAGE_PIXELS } from '../../shared/image-size/size.ts'
import { WindowError } from '../ui/failure.ts'
import { readPages, type PdfText, type RecognizePage } from './pdf-pages.ts'
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

/** The decoders of the image formats that scanners write: JBIG2 and fax, and JPEG 2000. */
const DECODERS = import.meta.glob<string>('../../../node_modules/pdfjs-dist/wasm/{jbig2,openjpeg}.wasm', {
  query: '?url',
  import: 'default',
  eager: true,
})

/** Loads the character maps and decoders that a document needs, and nothing else. The document chooses a map's name. */
class OwnFileLoader {
  async fetch({ kind, filename }: { kind: string; filename: string }): Promise<Uint8Array> {
    const [folder, files] = kind === 'cMapUrl' ? ['cmaps', CHARACTER_MAPS] : ['wasm', DECODERS]
    const path = `../../../node_modules/pdfjs-dist/${folder}/${filename}`
    const address = Object.hasOwn(files, path) ? files[path] : undefined
    if (address === undefined) throw new Error('unknown file')
    return new Uint8Array(await (await fetch(address)).arrayBuffer())
  }
}

/**
 * The text of a PDF, page by page, each under its number. Nothing of the document runs, and it fetches nothing: no
 * font, no picture, no address in it. Only maps of characters and decoders are loaded, from the window's own files. Ending the signal ends the thread that reads.
 *
 * @param recognize if a person asked for it. Only then, images are decoded
 * @param password that a person entered; it opens this document only and isn't stored
 * @throws {WindowError} attachment/pdf-…, or an AbortError
 */
export async function readPdf(
  file: Blob,
  onPage: (read: number, of: number) => void,
  signal: AbortSignal,
  password?: string,
  recognize?: RecognizePage,
): Promise<PdfText> {
  if (file.size > MAX_PDF_BYTES) throw new WindowError('attachment/pdf-too-large')
  const data = new Uint8Array(await file.arrayBuffer())
  const read = (bytes: Uint8Array) =>
    runThread(workerAddress, { signal, failure: 'attachment/pdf-damaged' }, async (thread) =>
      readPages(await open(bytes, thread, password, recognize !== undefined), onPage, recognize),
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

async function open(
  data: Uint8Array,
  thread: Worker,
  password: string | undefined,
  withImages: boolean,
): Promise<PDFDocumentProxy> {
  try {
    return await getDocument({
      data,
      worker: PDFWorker.create({ port: thread }),
      ...(password !== undefined && { password }),
      BinaryDataFactory: OwnFileLoader,
      cMapPacked: true,
      // The document makes no request, and no font of it is loaded. WebAssembly decodes images in the thread, whose
      // content security policy permits no network.
      disableRange: true,
      disableStream: true,
      disableAutoFetch: true,
      useWorkerFetch: false,
      useWasm: withImages,
      useSystemFonts: false,
      disableFontFace: true,
      enableXfa: false,
      isOffscreenCanvasSupported: false,
      isImageDecoderSupported: false,
      maxImageSize: withImages ? MAX_IMAGE_PIXELS : 1,
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
