import { recognizeFile as recognizeKind, KIND_BYTES } from '../../../../../shared/file-kind.ts'
import { api } from '../../../../ui/api.ts'
import { asFailure, WindowError } from '../../../../ui/failure.ts'
import {
  beginWork,
  endWork,
  fileOf,
  holderOf,
  isReading,
  isTemporary,
  replaceFile,
} from '../attached-store.ts'
import { markRecognized } from '../../../../files/pdf-pages.ts'
import type { ReadyFile } from '../../../../files/read-file.ts'
import { readPdf } from '../../../../files/read-pdf.ts'
import { runThread } from '../../../../files/run-thread.ts'
import { drawPage } from './draw-page.ts'
import workerAddress from './recognition-worker.ts?worker&url'
import { createRecognizer, type Recognizer } from './recognizer.ts'

type Progress = (percent: number, page?: number, of?: number) => void

/**
 * Recognizes the text in an image, or in the pages of a PDF without text, on this computer. The text replaces the attached file. If that fails or is
 * stopped, the file is as it was before.
 *
 * @param language a file of trained data; undefined is English
 */
export async function recognizeText(key: string, language: Blob | undefined): Promise<void> {
  const before = fileOf(key)
  const draft = holderOf(key)
  if (!before?.source || draft === undefined || isReading(before)) return
  const { source, password } = before
  const stop = beginWork(key)
  const report: Progress = (percent, page, of) => {
    const progress = { percent, ...(page !== undefined && { page }), ...(of !== undefined && { of }) }
    replaceFile(key, (file) => (file.recognizing ? { ...file, recognizing: progress } : file))
  }
  replaceFile(key, ({ failure: _, conversionFailure: __, ...file }) => ({
    ...file,
    recognizing: { percent: 0 },
  }))
  try {
    const { notes, ...ready } = await readScanned(source, { language, password, report, signal: stop.signal })
    const attachment = await api.attachments.add(
      { ...ready, ...(isTemporary(holderOf(key) ?? draft) && { temporary: true }) },
      { signal: stop.signal },
    )
    const again = { source, ...(password !== undefined && { password }) }
    const removed = !replaceFile(key, ({ name }) => ({
      key,
      name,
      attachment,
      ...again,
      ...(notes && { notes }),
    }))
    const former = removed ? attachment.id : before.attachment?.id
    if (former !== undefined) void api.attachments.remove({ attachmentId: former }).catch(() => undefined)
  } catch (thrown) {
    replaceFile(key, () => ({
      ...before,
      ...(!stop.signal.aborted && { conversionFailure: asFailure(thrown) }),
    }))
  } finally {
    endWork(key)
  }
}

interface Scan {
  readonly language: Blob | undefined
  readonly password: string | undefined
  readonly report: Progress
  readonly signal: AbortSignal
}

async function readScanned(file: File, { language, password, report, signal }: Scan): Promise<ReadyFile> {
  const start = new Uint8Array(await file.slice(0, KIND_BYTES).arrayBuffer())
  const { kind } = recognizeKind(start)
  return runThread(workerAddress, { signal, failure: 'attachment/recognition-failed' }, async (thread) => {
    const recognizer = await createRecognizer(thread, language)
    return kind === 'pdf'
      ? recognizePdf(file, recognizer, { password, report, signal })
      : recognizeImage(file, recognizer, report)
  })
}

async function recognizePdf(
  file: File,
  recognizer: Recognizer,
  { password, report, signal }: Omit<Scan, 'language'>,
): Promise<ReadyFile> {
  const { text, pages, pagesWithoutText, recognizedPages } = await readPdf(
    file,
    () => undefined,
    signal,
    password,
    async (page, number, of) => {
      report(0, number, of)
      return recognizer.recognize(await drawPage(page), (percent) => report(percent, number, of))
    },
  )
  return {
    name: file.name,
    type: 'application/pdf',
    content: new Blob([text], { type: 'text/plain' }),
    pages,
    notes: {
      ...(pagesWithoutText.length > 0 && { pagesWithoutText }),
      ...(recognizedPages.length > 0 && { recognizedPages }),
    },
  }
}

async function recognizeImage(file: File, recognizer: Recognizer, report: Progress): Promise<ReadyFile> {
  const text = await recognizer.recognize(file, (percent) => report(percent))
  if (text === '') throw new WindowError('attachment/no-text-recognized')
  return {
    name: file.name,
    type: 'text/plain',
    content: new Blob([markRecognized(text)], { type: 'text/plain' }),
    notes: { recognized: true },
  }
}
