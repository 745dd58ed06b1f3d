import type { Attachment } from '../../../../shared/attachment.ts'
import { api } from '../../../ui/api.ts'
import { asFailure } from '../../../ui/failure.ts'
import {
  beginWork,
  endWork,
  fileOf,
  holderOf,
  isReading,
  isTemporary,
  PASSWORD_FAILURES,
  replaceFile,
  type AttachedFile,
} from './attached-store.ts'
import { readFile, type ReadingChoice } from '../../../files/read-file.ts'

/** Reads a file again as a person chose. If that fails, the file is as it was before, with the reason. */
export async function readAgain(key: string, choice: ReadingChoice): Promise<void> {
  const before = fileOf(key)
  const draft = holderOf(key)
  if (!before?.source || draft === undefined || isReading(before)) return
  replaceFile(key, ({ failure: _, attachment: __, notes: ___, conversionFailure: ____, ...file }) => file)
  await importFile(draft, key, before.source, choice, before)
  if (before.attachment && fileOf(key)?.attachment?.id !== before.attachment.id)
    void api.attachments.remove({ attachmentId: before.attachment.id }).catch(() => undefined)
}

/** Reads a file and adds it to the draft; a failure is shown at the file. */
export async function importFile(
  draft: string,
  key: string,
  file: File,
  choice: ReadingChoice = {},
  before?: AttachedFile,
): Promise<void> {
  if (holderOf(key) === undefined) return
  const stop = beginWork(key)
  try {
    const { notes, ...ready } = await readFile(file, {
      ...choice,
      onPage: (read, of) => change(key, { pages: { read, of } }),
      signal: stop.signal,
    })
    const attachment = await api.attachments.add(
      { ...ready, ...(isTemporary(holderOf(key) ?? draft) && { temporary: true }) },
      { signal: stop.signal },
    )
    const again = notes?.encoding ?? notes?.pagesWithoutText ?? isPicture(attachment, file)
    const more = {
      ...(notes && { notes }),
      ...(again && { source: file }),
      ...(choice.password !== undefined && { password: choice.password }),
    }
    if (stop.signal.aborted || !change(key, { attachment, ...more }))
      void api.attachments.remove({ attachmentId: attachment.id }).catch(() => undefined)
  } catch (thrown) {
    if (stop.signal.aborted) return
    const failure = asFailure(thrown)
    if (before?.attachment) replaceFile(key, () => ({ ...before, conversionFailure: failure }))
    else
      change(key, {
        failure,
        ...((PASSWORD_FAILURES.has(failure.code) || failure.code === 'attachment/pdf-no-text') && {
          source: file,
        }),
        ...(choice.password !== undefined && { password: choice.password }),
      })
  } finally {
    endWork(key)
  }
}

/** False if it was removed in the meantime. */
function change(key: string, more: Partial<AttachedFile>): boolean {
  return replaceFile(key, (file) => ({ ...file, ...more }))
}

/** Whether a file has pixels in which text can be recognized. The text of a drawing is readable as it is. */
function isPicture({ kind }: Attachment, { type }: File): boolean {
  return kind === 'image' && type !== 'image/svg+xml'
}
