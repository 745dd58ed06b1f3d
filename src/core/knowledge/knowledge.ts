import { SottoError } from '../../shared/errors.ts'
import {
  MOST_DOCUMENTS,
  MOST_PROJECT_PASSAGES,
  type FoundPassage,
  type KnowledgeDocument,
  type Passage,
} from '../../shared/knowledge.ts'
import type { Store, StoredPassage } from '../storage/index.ts'
import { findPassages } from './find-passages.ts'
import { parsePassageId, toPassage } from './passage-id.ts'
import { cutPassages } from './passages.ts'
import { indexProject, type ProjectIndex } from './project-index.ts'
import { readDocument, type DocumentFile } from './read-document.ts'
import { createTimeSlices, isSliceUsed } from './time-slices.ts'

/** How long an index that isn't used stays in memory. */
const IDLE_MS = 10 * 60_000
/** UTF-16 units of a query; the rest of a longer text is ignored. */
const QUERY_LENGTH = 8_000
/** Ends an index whose documents changed while it was built. */
const OUTDATED = new Error('The documents of the project have changed.')

/** The documents of projects. Everything happens on this computer: nothing of a document is sent to a service to be found. */
export interface Knowledge extends Disposable {
  /** In the order of addition. */
  documents(projectId: string): KnowledgeDocument[]
  /** Throws project/unknown, attachment/…, knowledge/too-many-documents, knowledge/too-many-passages. */
  add(projectId: string, file: DocumentFile): Promise<KnowledgeDocument>
  /** Returns false if it doesn't exist. */
  remove(documentId: string): boolean
  /** Removes all documents of a project. Call this when the project is deleted. */
  removeProject(projectId: string): void
  /** The passages for a query, the best first. The first call indexes the project. */
  find(projectId: string, query: string, most: number): Promise<FoundPassage[]>
  /** Passages of a document from this number on. Throws knowledge/document-unknown; store/damaged if one is missing. */
  read(documentId: string, range: { readonly from: number; readonly limit: number }): Passage[]
  /**
   * The passages with these ids, each once, if they are all of this project.
   * @throws {SottoError} knowledge/passage-unknown – also for those of another project
   */
  passagesOf(projectId: string | undefined, ids: readonly string[]): Passage[]
}

interface CachedIndex {
  readonly index: Promise<ProjectIndex>
  readonly stop: AbortController
  readonly documents: number
}

/** Creates the documents of a store. Indexes nothing before the first query. */
export function createKnowledge({
  knowledge: store,
  projects,
}: Pick<Store, 'knowledge' | 'projects'>): Knowledge {
  const indexes = new Map<string, CachedIndex>()
  const ended = new AbortController()
  let idle: NodeJS.Timeout | undefined

  function drop(projectId: string, reason = OUTDATED): void {
    indexes.get(projectId)?.stop.abort(reason)
    indexes.delete(projectId)
  }
  function dropAll(reason?: Error): void {
    clearTimeout(idle)
    for (const projectId of [...indexes.keys()]) drop(projectId, reason)
  }
  const cancelAll = (): void => dropAll(new SottoError('request/canceled'))
  function indexOf(projectId: string): Promise<ProjectIndex> {
    clearTimeout(idle)
    idle = setTimeout(cancelAll, IDLE_MS).unref()
    const documents = store.documents(projectId)
    const known = indexes.get(projectId)
    // A restored backup may have added documents.
    if (known?.documents === documents.length) return known.index
    drop(projectId)
    const stop = new AbortController()
    const index = indexProject(store, documents, stop.signal)
    indexes.set(projectId, { index, stop, documents: documents.length })
    index.catch(() => {
      // The caller gets the error. The next query tries again.
      if (indexes.get(projectId)?.index === index) indexes.delete(projectId)
    })
    return index
  }
  async function currentIndex(projectId: string): Promise<ProjectIndex> {
    for (;;) {
      try {
        return await indexOf(projectId)
      } catch (thrown) {
        if (thrown !== OUTDATED) throw thrown
        ended.signal.throwIfAborted()
      }
    }
  }

  return {
    documents: (projectId) => store.documents(projectId),
    async add(projectId, file) {
      if (!projects.get(projectId)) throw new SottoError('project/unknown')
      const { name, text, bytes, form } = readDocument(file)
      const others = store.documents(projectId)
      if (others.length >= MOST_DOCUMENTS) throw new SottoError('knowledge/too-many-documents')
      const free = MOST_PROJECT_PASSAGES - others.reduce((sum, { passages }) => sum + passages, 0)
      const { pages } = form
      const id = store.begin({ projectId, name, bytes, ...(pages !== undefined && { pages }) })
      try {
        const passages = await writePassages(store, id, cutPassages(text, form), free)
        if (passages === 0) throw new SottoError('attachment/empty')
        const document = store.finish(id, passages)
        if (!document) throw new SottoError('knowledge/document-unknown')
        drop(projectId)
        return document
      } catch (error) {
        discard(store, id)
        throw error
      }
    },
    remove(documentId) {
      const projectId = projectOf(store, documentId)
      const removed = store.remove(documentId)
      if (projectId === undefined) dropAll()
      else drop(projectId)
      return removed
    },
    removeProject(projectId) {
      store.removeProject(projectId)
      drop(projectId)
    },
    find: async (projectId, query, most) =>
      findPassages(store, await currentIndex(projectId), query.slice(0, QUERY_LENGTH), most),
    read(documentId, range) {
      const document = store.document(documentId)
      if (!document) throw new SottoError('knowledge/document-unknown')
      const passages = store.passages(documentId, range)
      // Another program may have deleted one, and the sealed root doesn't cover passages.
      const until = Math.min(document.passages, range.from + range.limit)
      if (passages.length !== Math.max(0, until - range.from)) throw new SottoError('store/damaged')
      return passages.map((passage) => toPassage(document, passage))
    },
    passagesOf: (projectId, ids) =>
      [...new Set(ids)].map((id) => {
        const address = parsePassageId(id)
        const document = address && store.document(address.documentId)
        if (!address || !document || document.projectId !== projectId)
          throw new SottoError('knowledge/passage-unknown')
        const [passage] = store.passages(address.documentId, { from: address.number, limit: 1 })
        if (passage?.number !== address.number) throw new SottoError('knowledge/passage-unknown')
        return toPassage(document, passage)
      }),
    [Symbol.dispose]() {
      ended.abort(new SottoError('request/canceled'))
      cancelAll()
    },
  }
}

/** @returns the number of passages. Throws knowledge/too-many-passages. */
async function writePassages(
  store: Store['knowledge'],
  documentId: string,
  cuts: Iterable<Omit<StoredPassage, 'number'>>,
  free: number,
): Promise<number> {
  const pause = createTimeSlices()
  let batch: StoredPassage[] = []
  let since = performance.now()
  let number = 0
  const write = (): void => {
    if (!store.put(documentId, batch)) throw new SottoError('knowledge/document-unknown')
    batch = []
  }
  for (const { text, place, tokens } of cuts) {
    if (number >= free) throw new SottoError('knowledge/too-many-passages')
    batch.push({ number, text, place, tokens })
    number += 1
    if (!isSliceUsed(since)) continue
    write()
    await pause()
    since = performance.now()
  }
  write()
  return number
}

/** If the store is closed already, its next start removes the document. */
function discard(store: Store['knowledge'], documentId: string): void {
  try {
    store.remove(documentId)
  } catch {
    // The error that led here is reported.
  }
}

/** Undefined if the document can't be read; it can still be removed. */
function projectOf(store: Store['knowledge'], documentId: string): string | undefined {
  try {
    return store.document(documentId)?.projectId
  } catch {
    return undefined
  }
}
