import { useEffect } from 'react'
import { api } from '../../../ui/api.ts'
import { asFailure } from '../../../ui/failure.ts'
import { loadDocuments, useProjectDocuments } from '../../../ui/project-documents.ts'
import { clearPassages, showPassages, usePassages } from './passage-store.ts'

const PAUSE_MS = 300
/** As many as a model reads with attention. The core's limit is higher. */
const MOST = 6

/** Loads the documents of a project, and finds the passages for a draft after each pause in writing. */
export function useFoundPassages(draft: string, projectId: string, text: string): void {
  const query = text.trim()
  const off = usePassages((state) => state.off[projectId] === true)
  const hasDocuments = useProjectDocuments(({ documents }) => (documents[projectId]?.length ?? 0) > 0)
  useEffect(() => void loadDocuments(projectId), [projectId])
  useEffect(() => () => clearPassages(draft), [draft, projectId])
  useEffect(() => {
    if (query === '' || off || !hasDocuments) {
      clearPassages(draft)
      return
    }
    const left = new AbortController()
    const find = async () => {
      try {
        const passages = await api.knowledge.find({ projectId, query, most: MOST }, { signal: left.signal })
        if (!left.signal.aborted) showPassages(draft, { passages })
      } catch (thrown) {
        if (!left.signal.aborted) showPassages(draft, { passages: [], failure: asFailure(thrown) })
      }
    }
    const timer = setTimeout(() => void find(), PAUSE_MS)
    return () => {
      left.abort()
      clearTimeout(timer)
    }
  }, [draft, projectId, query, off, hasDocuments])
}
