import { useEffect } from 'react'
import { api } from '../../../ui/api.ts'
import { asFailure } from '../../../ui/failure.ts'
import { loadDocuments, useProjectDocuments } from '../../../ui/project-documents.ts'
import { without } from '../chat-store.ts'
import { usePassages, type DraftPassages } from './passage-store.ts'

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
    usePassages.setState(({ found, finding }) => ({
      finding: { ...finding, [draft]: found[draft] === undefined },
    }))
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

function showPassages(draft: string, found: DraftPassages): void {
  usePassages.setState((state) => ({
    found: { ...state.found, [draft]: found },
    finding: { ...state.finding, [draft]: false },
  }))
}

/** The draft was sent, was emptied, or left the project. */
function clearPassages(draft: string): void {
  usePassages.setState(({ found, finding, leftOut }) => ({
    found: without(found, draft),
    finding: without(finding, draft),
    leftOut: without(leftOut, draft),
  }))
}

export function leavePassageOut(draft: string, id: string, out: boolean): void {
  usePassages.setState(({ leftOut }) => {
    const next = new Set(leftOut[draft])
    if (out) next.add(id)
    else next.delete(id)
    return { leftOut: { ...leftOut, [draft]: next } }
  })
}

export function turnPassages(projectId: string, off: boolean): void {
  usePassages.setState((state) => ({ off: { ...state.off, [projectId]: off } }))
}
