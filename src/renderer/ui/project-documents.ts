import { create } from 'zustand'
import type { Failure } from '../../shared/contract/sotto-contract.ts'
import type { KnowledgeDocument } from '../../shared/knowledge.ts'
import { api } from './api.ts'
import { asFailure } from './failure.ts'
import { onServiceChange, sameService } from './status-store.ts'

interface DocumentState {
  /** By project, in the order of addition. A project is absent until its documents are loaded. */
  readonly documents: Readonly<Record<string, readonly KnowledgeDocument[]>>
  /** Why the last load failed. */
  readonly failure: Failure | undefined
}

/** The documents of projects. The page of a project changes them, and its chats offer their passages. */
export const useProjectDocuments = create<DocumentState>()(() => ({ documents: {}, failure: undefined }))

onServiceChange(() => useProjectDocuments.setState({ documents: {}, failure: undefined }))

export async function loadDocuments(projectId: string): Promise<void> {
  const still = sameService()
  try {
    const documents = await api.knowledge.documents({ projectId })
    if (still()) change(projectId, () => documents)
  } catch (thrown) {
    if (still()) useProjectDocuments.setState({ failure: asFailure(thrown) })
  }
}

export function putDocument(document: KnowledgeDocument): void {
  change(document.projectId, (before) => [...before.filter(({ id }) => id !== document.id), document])
}

/** Throws what the call throws. */
export async function removeDocument({ id, projectId }: KnowledgeDocument): Promise<void> {
  const still = sameService()
  await api.knowledge.remove({ documentId: id })
  if (still()) change(projectId, (before) => before.filter((document) => document.id !== id))
}

function change(
  projectId: string,
  next: (before: readonly KnowledgeDocument[]) => readonly KnowledgeDocument[],
): void {
  useProjectDocuments.setState(({ documents }) => ({
    documents: { ...documents, [projectId]: next(documents[projectId] ?? []) },
    failure: undefined,
  }))
}
