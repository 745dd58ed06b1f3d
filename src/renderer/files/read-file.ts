import { MAX_TEXT_BYTES } from '../../shared/attachment-limits.ts'
import { KIND_BYTES, recognizeFile } from '../../shared/file-kind.ts'
import { codedFailure, WindowError } from '../ui/failure.ts'
import type { EncodingFacts } from './readers/read-content.ts'
import type { ReadReply, ReadRequest } from './readers/file-worker.ts'
import workerAddress from './readers/file-worker.ts?worker&url'
import { askThread, runThread } from './run-thread.ts'

/** What a person should know about how a file was read. */
export interface FileNotes {
  readonly encoding?: EncodingFacts
  /** Of a PDF, from 1. */
  readonly pagesWithoutText?: readonly number[]
  /** Of a PDF, from 1: their text was recognized in their image. */
  readonly recognizedPages?: readonly number[]
  /** The text was recognized in an image. */
  readonly recognized?: true
  readonly animated?: true
}

export interface ReadyFile {
  readonly name: string
  readonly type: string
  readonly content: Blob
  readonly pages?: number
  readonly notes?: FileNotes
}

/** What a person chose after the first reading. */
export interface ReadingChoice {
  readonly encoding?: string
  readonly password?: string
}

export interface Reading extends ReadingChoice {
  readonly onPage: (read: number, of: number) => void
  readonly signal: AbortSignal
}

/** As long as a document on a slow computer may take. */
const DOCUMENT_TIMEOUT_MS = 60_000
const MAX_DOCUMENT_BYTES = 50_000_000

/**
 * Reads the part of a file that goes to the core: an image, or the text of any other file, which is read in a thread
 * without network. The content decides how the file is read, not the name.
 *
 * @throws {WindowError} attachment/…
 */
export async function readFile(file: File, reading: Reading): Promise<ReadyFile> {
  const { type } = file
  const start = await file
    .slice(0, KIND_BYTES)
    .arrayBuffer()
    .catch(() => {
      throw new WindowError('attachment/folder')
    })
  const { kind } = recognizeFile(new Uint8Array(start))
  switch (kind) {
    case 'pdf':
      return readPdfFile(file, reading)
    case 'jpeg':
    case 'png':
    case 'gif':
    case 'webp':
    case 'image':
      return (await import('./read-image.ts')).readImage(file, kind, reading.signal)
    case 'svg': {
      const drawing = await (await import('./read-image.ts')).drawSvg(file)
      if (drawing) return drawing
      break
    }
    case 'zip':
      if (file.size > MAX_DOCUMENT_BYTES) throw new WindowError('attachment/document-too-large')
      break
    default:
      if (type === 'application/pdf') throw new WindowError('attachment/pdf-damaged')
      if (file.size === 0) throw new WindowError('attachment/empty')
      // UTF-16 takes up to twice as much, UTF-32 four times.
      if (file.size > 4 * MAX_TEXT_BYTES) throw new WindowError('attachment/too-large')
  }
  return readTextFile(file, reading)
}

async function readPdfFile(file: File, { onPage, signal, password }: Reading): Promise<ReadyFile> {
  const { readPdf } = await import('./read-pdf.ts')
  const { text, pages, pagesWithoutText } = await readPdf(file, onPage, signal, password)
  return {
    name: file.name,
    type: 'application/pdf',
    content: new Blob([text], { type: 'text/plain' }),
    pages,
    ...(pagesWithoutText.length > 0 && { notes: { pagesWithoutText } }),
  }
}

async function readTextFile(file: File, { signal, encoding: chosen }: Reading): Promise<ReadyFile> {
  const request: ReadRequest = {
    bytes: new Uint8Array(await file.arrayBuffer()),
    name: file.name,
    ...(chosen !== undefined && { chosen }),
  }
  const reply = await runThread(
    workerAddress,
    { signal, failure: 'attachment/document-damaged', timeoutMs: DOCUMENT_TIMEOUT_MS },
    (thread) => askThread<ReadReply>(thread, request),
  )
  if ('code' in reply) throw new WindowError(codedFailure(reply.code, reply.detail))
  const { text, encoding } = reply
  return {
    name: file.name,
    type: 'text/plain',
    content: new Blob([text], { type: 'text/plain' }),
    // A text that is UTF-8 throughout needs no note.
    ...(encoding && encoding.others.length > 0 && { notes: { encoding } }),
  }
}
