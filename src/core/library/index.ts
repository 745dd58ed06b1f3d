import type { SearchAnswer } from '../../shared/library/search.ts'
import type { Store } from '../store/index.ts'
import { openConversationIndex } from './conversation-index.ts'
import { search } from './search.ts'

/** What can be done with all conversations together. */
export interface Library extends Disposable {
  /** What is not read into the index yet is not found yet; the first question begins to read. */
  search(question: string, limit: number): SearchAnswer
  /** Once all is read. */
  ready(): Promise<void>
}

export function openLibrary(store: Store): Library {
  const index = openConversationIndex(store)
  return {
    search: (question, limit) => search(store, index, question, limit),
    ready: () => index.ready(),
    [Symbol.dispose]: () => index[Symbol.dispose](),
  }
}
