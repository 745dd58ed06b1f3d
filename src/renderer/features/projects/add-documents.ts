import { create } from 'zustand'
import type { Failure } from '../../../shared/contract/sotto-contract.ts'
import { readFile, type FileNotes } from '../../files/read-file.ts'
import { api } from '../../ui/api.ts'
import { asFailure, codedFailure, WindowError } from '../../ui/failure.ts'
import { putDocument } from '../../ui/project-documents.ts'
import { onServiceChange, sameService } from '../../ui/status-store.ts'

/** A file that is added, or that couldn't be. */
export interface AddedFile {
  readonly key: string
  readonly name: string
  readonly file?: File
  /** Of a PDF. */
  readonly pages?: { readonly read: number; readonly of: number }
  readonly failure?: Failure
}

interface Additions {
  /** By project. A file leaves the list once it's a document. */
  readonly files: Readonly<Record<string, readonly AddedFile[]>>
  /** By document, until the window closes. */
  readonly notes: Readonly<Record<string, FileNotes>>
}

const none: readonly AddedFile[] = []
export const useAdditions = create<Additions>()(() => ({ files: {}, notes: {} }))
/** By project: ends the reading of its files. */
const running = new Map<string, AbortController>()
/** By file, until it's read. */
const passwords = new Map<string, string>()
let fileCount = 0

onServiceChange(() => {
  for (const stop of running.values()) stop.abort()
  running.clear()
  passwords.clear()
  useAdditions.setState({ files: {}, notes: {} })
})

function filesOf(projectId: string): readonly AddedFile[] {
  return useAdditions.getState().files[projectId] ?? none
}

/** Reads files one after another and adds each to the project. A file that fails stays with its reason. */
export async function addDocuments(
  projectId: string,
  files: readonly File[],
  unreadable: readonly string[] = [],
): Promise<void> {
  put(projectId, [
    ...filesOf(projectId),
    ...files.map((file) => ({ key: nextKey(), name: file.name, file })),
    ...unreadable.map((name) => ({ key: nextKey(), name, failure: codedFailure('knowledge/unreadable') })),
  ])
  if (running.has(projectId)) return
  const stop = new AbortController()
  running.set(projectId, stop)
  try {
    for (let next = waiting(projectId); next && !stop.signal.aborted; next = waiting(projectId))
      await addOne(projectId, next, stop.signal)
  } finally {
    if (running.get(projectId) === stop) running.delete(projectId)
  }
}

/** Reads an encrypted file again with its password, which isn't stored. */
export async function addWithPassword(projectId: string, key: string, password: string): Promise<void> {
  passwords.set(key, password)
  replace(projectId, key, ({ failure: _, ...rest }) => rest)
  await addDocuments(projectId, [])
}

/** Ends the reading. Files that weren't read leave the list, and documents that were added stay. */
export function stopAdding(projectId: string): void {
  running.get(projectId)?.abort()
  // Files that are added from now on don't wait for the stopped ones.
  running.delete(projectId)
  put(
    projectId,
    filesOf(projectId).filter(({ failure }) => failure !== undefined),
  )
}

export function dismissFile(projectId: string, key: string): void {
  put(
    projectId,
    filesOf(projectId).filter((file) => file.key !== key),
  )
}

async function addOne(
  projectId: string,
  { key, file }: Required<Pick<AddedFile, 'key' | 'file'>>,
  signal: AbortSignal,
): Promise<void> {
  const password = passwords.get(key)
  passwords.delete(key)
  const still = sameService()
  try {
    const { name, type, content, pages, notes } = await readFile(file, {
      ...(password !== undefined && { password }),
      signal,
      onPage: (read, of) => replace(projectId, key, (one) => ({ ...one, pages: { read, of } })),
    })
    // An image has no text, so it has no passages.
    if (type.startsWith('image/')) throw new WindowError('knowledge/image')
    signal.throwIfAborted()
    const document = await api.knowledge.add({
      projectId,
      name,
      content,
      ...(pages !== undefined && { pages }),
    })
    if (!still()) return
    if (signal.aborted) return void (await api.knowledge.remove({ documentId: document.id }))
    putDocument(document)
    dismissFile(projectId, key)
    if (notes) useAdditions.setState((state) => ({ notes: { ...state.notes, [document.id]: notes } }))
  } catch (thrown) {
    if (signal.aborted) return
    const failure = asFailure(thrown)
    replace(projectId, key, (one) => ({
      ...one,
      failure: failure.code === 'attachment/folder' ? codedFailure('knowledge/unreadable') : failure,
    }))
  }
}

function waiting(projectId: string): Required<Pick<AddedFile, 'key' | 'file'>> | undefined {
  const found = filesOf(projectId).find(({ failure, file }) => file && !failure)
  return found?.file && { key: found.key, file: found.file }
}

function nextKey(): string {
  fileCount += 1
  return String(fileCount)
}

function replace(projectId: string, key: string, next: (file: AddedFile) => AddedFile): void {
  put(
    projectId,
    filesOf(projectId).map((file) => (file.key === key ? next(file) : file)),
  )
}

function put(projectId: string, files: readonly AddedFile[]): void {
  useAdditions.setState((state) => ({ files: { ...state.files, [projectId]: files } }))
}
