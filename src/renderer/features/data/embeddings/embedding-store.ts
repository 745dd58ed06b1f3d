import { currentScope } from '../../../data/service-scope.tsx'
import { setScopedState, type ScopedState } from '../../../data/use-answer.ts'

/** The embedding that is shown. null shows the form and the list. */
export const shownEmbedding: ScopedState<string | null> = { key: ['shown-embedding'], initial: null }

export function showEmbedding(jobId: string | null): void {
  setScopedState(currentScope(), shownEmbedding, () => jobId)
}
