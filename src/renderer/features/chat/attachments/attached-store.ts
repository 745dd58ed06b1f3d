import { create } from 'zustand'
import type { Attachment } from '../../../../shared/attachment.ts'
import { MAX_ATTACHMENTS } from '../../../../shared/attachment-limits.ts'
import type { Failure } from '../../../../shared/contract/sotto-contract.ts'
import { documentTypeOf } from '../../../../shared/convertible-document.ts'
import { asFailure, codedFailure } from '../../../ui/failure.ts'
import { onServiceChange } from '../../../ui/status-store.ts'
import { NEW, useChat } from '../chat-store.ts'
import type { FileNotes } from '../../../files/read-file.ts'

/** A file of a draft: still being read, attached, or failed. */
export interface AttachedFile {
  /** Unique within this window. */
  readonly key: string
  readonly name: string
  /** Progress of reading a PDF, in pages. */
  readonly pages?: { readonly read: number; readonly of: number }
  /** Set when the file is attached. */
  readonly attachment?: Attachment
  /** Why the file wasn't attached. */
  readonly failure?: Failure
  /**
   * The file itself, if the enclave can convert it. Undefined after the conversion, and after a reload of the window.
   */
  readonly document?: File
  readonly converting?: true
  /** Facts about how the file was read that the person should know. */
  readonly notes?: FileNotes
  /** The file itself, if a person can choose how it is read: its encoding, its password, or recognition. */
  readonly source?: File
  /** Of `source`, for reading it again. It's only in memory. */
  readonly password?: string
  /** Progress of recognizing text. `page` is absent for an image. */
  readonly recognizing?: { readonly percent: number; readonly page?: number; readonly of?: number }
  /** Why it wasn't converted. The text that was read on this machine is still attached. */
  readonly conversionFailure?: Failure
}

interface AttachedState {
  /** By draft, in the order in which they were attached. */
  readonly files: Readonly<Record<string, readonly AttachedFile[]>>
}

export const useAttached = create<AttachedState>()(() => ({ files: {} }))

// The files belong to the data of the former service.
onServiceChange(() => {
  for (const stop of reading.values()) stop.abort()
  useAttached.setState({ files: {} })
})

/** A person can enter the password and read the file again. */
export const PASSWORD_FAILURES: ReadonlySet<string> = new Set([
  'attachment/pdf-encrypted',
  'attachment/pdf-wrong-password',
])

const reading = new Map<string, AbortController>()
const none: readonly AttachedFile[] = []
let fileCount = 0

function filesOf(draft: string): readonly AttachedFile[] {
  return useAttached.getState().files[draft] ?? none
}

/** The attachments that are sent with the draft. */
export function attachmentsOf(draft: string): readonly Attachment[] {
  return attachedFiles(filesOf(draft))
}

export function attachedFiles(files: readonly AttachedFile[]): readonly Attachment[] {
  return files.flatMap(({ attachment }) => attachment ?? [])
}

export function isReading({ attachment, failure, converting, recognizing }: AttachedFile): boolean {
  return (
    converting === true || recognizing !== undefined || (attachment === undefined && failure === undefined)
  )
}

/** Whether text can be recognized in the file: it's an image, or a PDF with pages that are images. */
export function isRecognizable(file: AttachedFile): boolean {
  const { attachment, failure, notes, source } = file
  if (!source || isReading(file)) return false
  return attachment
    ? attachment.kind === 'image' || isScanned(notes)
    : failure?.code === 'attachment/pdf-no-text'
}

/** Another language may recognize more, so recognized text counts too. */
function isScanned({ pagesWithoutText, recognizedPages, recognized }: FileNotes = {}): boolean {
  return (pagesWithoutText ?? recognizedPages ?? recognized) !== undefined
}

/** How many more files a draft can have. */
export function freeAttachments(draft: string): number {
  return Math.max(0, MAX_ATTACHMENTS - filesOf(draft).filter(({ failure }) => failure === undefined).length)
}

/** Shows for each name that its file can't be opened. */
export function reportUnreadable(draft: string, names: readonly string[]): void {
  const failure = codedFailure('attachment/folder')
  put(draft, [...filesOf(draft), ...names.map((name) => ({ key: String(fileCount++), name, failure }))])
}

/** Reads and attaches files one after another. Each file carries its own failure. */
export async function attachFiles(draft: string, newFiles: readonly File[]): Promise<void> {
  const freeSlots = freeAttachments(draft)
  const added = newFiles.map((file, at) => ({ file, key: String(fileCount++), late: at >= freeSlots }))
  put(draft, [
    ...filesOf(draft),
    ...added.map(({ file, key, late }): AttachedFile => ({
      key,
      name: file.name,
      ...(!late && documentTypeOf(file.name) !== undefined && { document: file }),
      ...(late && { failure: codedFailure('attachment/too-many') }),
    })),
  ])
  for (const { file, key, late } of added) {
    if (late) continue
    try {
      await (await import('./import-file.ts')).importFile(draft, key, file)
    } catch (thrown) {
      // The window couldn't load its own code.
      replaceFile(key, (before) => ({ ...before, failure: asFailure(thrown) }))
    }
  }
}

/** Returns the controller that `removeFile` and a change of service abort. */
export function beginWork(key: string): AbortController {
  const stop = new AbortController()
  reading.set(key, stop)
  return stop
}

/** Marks the work as done, so that it can't be stopped any more. */
export function endWork(key: string): void {
  reading.delete(key)
}

/** Stops the work on a file; the file stays. */
export function stopWork(key: string): void {
  reading.get(key)?.abort()
}

/** Removes the file and stops reading it. A file that no message has is deleted together with its draft. */
export function removeFile(draft: string, key: string): void {
  reading.get(key)?.abort()
  put(
    draft,
    filesOf(draft).filter((file) => file.key !== key),
  )
}

/** After sending: discards failed files, and moves files that were attached since to the conversation. */
export function keepUnsentFiles(draft: string, sent: readonly string[], conversationId: string): void {
  const others = filesOf(draft).filter(
    ({ attachment, failure }) => failure === undefined && !(attachment && sent.includes(attachment.id)),
  )
  put(draft, none)
  if (others.length > 0) put(conversationId, others)
}

/** Restores the attachments that a former window left. */
export function putAttachments(draft: string, attachments: readonly Attachment[]): void {
  put(draft, [
    ...attachments.map((attachment): AttachedFile => ({
      key: String(fileCount++),
      name: attachment.name,
      attachment,
    })),
    ...filesOf(draft),
  ])
}

export function isTemporary(draft: string): boolean {
  const { beginning, conversations } = useChat.getState()
  return draft === NEW
    ? beginning.temporary === true
    : conversations?.find(({ id }) => id === draft)?.temporary === true
}

/** The draft that has the file now. */
export function holderOf(key: string): string | undefined {
  return Object.entries(useAttached.getState().files).find(([, files]) =>
    files.some((file) => file.key === key),
  )?.[0]
}

/** Undefined if it was removed in the meantime. */
export function fileOf(key: string): AttachedFile | undefined {
  return filesOf(holderOf(key) ?? '').find((file) => file.key === key)
}

/** False if it was removed in the meantime. */
export function replaceFile(key: string, replace: (file: AttachedFile) => AttachedFile): boolean {
  const draft = holderOf(key)
  if (draft === undefined) return false
  put(
    draft,
    filesOf(draft).map((file) => (file.key === key ? replace(file) : file)),
  )
  return true
}

function put(draft: string, files: readonly AttachedFile[]): void {
  useAttached.setState((state) => ({
    files:
      files.length > 0
        ? { ...state.files, [draft]: files }
        : Object.fromEntries(Object.entries(state.files).filter(([name]) => name !== draft)),
  }))
}
