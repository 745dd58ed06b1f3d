import type { KnowledgeDocument } from '../../shared/knowledge.ts'
import type { Store, StoredPassage } from '../storage/index.ts'
import { Bm25Index } from './bm25.ts'
import { countWords } from './count-words.ts'
import { createTimeSlices } from './time-slices.ts'

/** Passages that are read at a time: less than a slice. */
const BATCH = 16

/** The place of a passage in the store. */
export interface IndexedPassage {
  readonly document: KnowledgeDocument
  readonly number: number
}

/** The index over the documents of a project, only in memory. It contains words, but no text. */
export interface ProjectIndex {
  readonly ranking: Bm25Index
  /** By the number of the ranking. */
  readonly passages: readonly IndexedPassage[]
  readonly documents: number
}

/**
 * Indexes the documents of a project, in slices between which other work runs. A passage that can't be read isn't found.
 * @throws {SottoError} request/canceled – the signal was aborted
 */
export async function indexProject(
  store: Store['knowledge'],
  documents: readonly KnowledgeDocument[],
  signal: AbortSignal,
): Promise<ProjectIndex> {
  const pause = createTimeSlices()
  const ranking = new Bm25Index()
  const passages: IndexedPassage[] = []
  for (const document of documents) {
    const title = countWords(document.name)
    for (let from = 0; from < document.passages; from += BATCH) {
      await pause()
      signal.throwIfAborted()
      for (const { number, text, place } of readBatch(store, document.id, from)) {
        ranking.add(
          countWords(text),
          place.heading === undefined ? title : headingWords(place.heading, title),
        )
        passages.push({ document, number })
      }
    }
  }
  return { ranking, passages, documents: documents.length }
}

function headingWords(heading: string, title: ReadonlyMap<string, number>): ReadonlyMap<string, number> {
  return new Map([...title, ...countWords(heading)])
}

function readBatch(store: Store['knowledge'], documentId: string, from: number): StoredPassage[] {
  try {
    return store.passages(documentId, { from, limit: BATCH })
  } catch {
    // One of them is damaged, so they are read one by one.
    return Array.from({ length: BATCH }, (_, at) => readPassage(store, documentId, from + at)).flatMap(
      (passage) => passage ?? [],
    )
  }
}

/** Returns null if the passage doesn't exist or can't be read. */
export function readPassage(
  store: Store['knowledge'],
  documentId: string,
  number: number,
): StoredPassage | null {
  try {
    const [passage] = store.passages(documentId, { from: number, limit: 1 })
    return passage?.number === number ? passage : null
  } catch {
    // A damaged passage doesn't prevent the use of others.
    return null
  }
}
