import { create } from 'zustand'
import type { Attachment } from '../../../../shared/attachment.ts'
import { MAX_ATTACHMENTS } from '../../../../shared/attachment-limits.ts'
import type { Failure } from '../../../../shared/contract/sotto-contract.ts'
import { documentTypeOf } from '../../../../shared/convertible-document.ts'
import { asFailure, codedFailure } from '../../../ui/failure.ts'
import { onServiceChange } from '../../../ui/status-store.ts'
import { NEW, useChat } from '../chat-store.ts'
import type { FileNotes } from './read-file.ts'

/** A file of a draft: being read, taken in, or not. */
export interface AttachedFile {
  /** Of this window alone. */
  readonly key: string
  readonly name: string
  /** Of a PDF that is being read: its pages so far. */
  readonly pages?: { readonly read: number; readonly of: number }
  /** Once it was taken in. */
  readonly attachment?: Attachment
  /** Why it was not. */
  readonly failure?: Failure
  /** The file itself, if the enclave could convert it. It isn't there any more after it was converted, or after the window was reloaded. */
  readonly document?: File
  readonly converting?: true
  /** What a person should know about how it was read. */
  readonly notes?: FileNotes
  /** The file itself, if a person can choose how it is read: its encoding, or its password. */
  readonly source?: File
  /** Why it wasn't converted. The text that was read on this machine is still attached. */
  readonly conversionFailure?: Failure
}

interface AttachedState {
  /** By draft, in the order in which they were attached. */
  readonly files: Readonly<Record<string, readonly AttachedFile[]>>
}

export const useAttached = create<AttachedState>()(() => ({ files: {} }))

// They are kept by the service's own data, which is another now.
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
let made = 0

function filesOf(draft: string): readonly AttachedFile[] {
  return useAttached.getState().files[draft] ?? none
}

/** What goes along with what is written. */
export function attachmentsOf(draft: string): readonly Attachment[] {
  return attachedFiles(filesOf(draft))
}

export function attachedFiles(files: readonly AttachedFile[]): readonly Attachment[] {
  return files.flatMap(({ attachment }) => attachment ?? [])
}

export function isReading({ attachment, failure, converting }: AttachedFile): boolean {
  return converting === true || (attachment === undefined && failure === undefined)
}

/** How many more files a draft can have. */
export function freeAttachments(draft: string): number {
  return Math.max(0, MAX_ATTACHMENTS - filesOf(draft).filter(({ failure }) => failure === undefined).length)
}

/** Shows for each name that its file can't be opened. */
export function reportUnreadable(draft: string, names: readonly string[]): void {
  const failure = codedFailure('attachment/folder')
  put(draft, [...filesOf(draft), ...names.map((name) => ({ key: String(made++), name, failure }))])
}

/** Reads files and takes them in, one after another; each says for itself how it went. */
export async function attachFiles(draft: string, given: readonly File[]): Promise<void> {
  const room = freeAttachments(draft)
  const added = given.map((file, at) => ({ file, key: String(made++), late: at >= room }))
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
      // The window's own code couldn't be loaded.
      replaceFile(key, (before) => ({ ...before, failure: asFailure(thrown) }))
    }
  }
}

/** What `removeFile` and another service stop. */
export function beginWork(key: string): AbortController {
  const stop = new AbortController()
  reading.set(key, stop)
  return stop
}

/** No longer stoppable: it's done. */
export function endWork(key: string): void {
  reading.delete(key)
}

/** Stops the work on a file; the file stays. */
export function stopWork(key: string): void {
  reading.get(key)?.abort()
}

/** Takes it away; one that is being read is read no further. What no message has goes with the draft that had it. */
export function removeFile(draft: string, key: string): void {
  reading.get(key)?.abort()
  put(
    draft,
    filesOf(draft).filter((file) => file.key !== key),
  )
}

/** Of what is sent, what failed is told no longer; what was attached since goes with the conversation that has the rest. */
export function keepUnsentFiles(draft: string, sent: readonly string[], conversationId: string): void {
  const others = filesOf(draft).filter(
    ({ attachment, failure }) => failure === undefined && !(attachment && sent.includes(attachment.id)),
  )
  put(draft, none)
  if (others.length > 0) put(conversationId, others)
}

/** As a former window left them. */
export function putAttachments(draft: string, attachments: readonly Attachment[]): void {
  put(draft, [
    ...attachments.map((attachment): AttachedFile => ({
      key: String(made++),
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

/** Whose file it is by now. */
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
