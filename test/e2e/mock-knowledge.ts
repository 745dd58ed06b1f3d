import type { FoundPassage, KnowledgeDocument, Passage } from '../../src/shared/knowledge.ts'
import { textTokens } from '../../src/shared/token-estimate.ts'

/** The documents of projects in the mock core: each paragraph is a passage, and a query finds those with its first word. */
export function createMockKnowledge() {
  const documents: { readonly document: KnowledgeDocument; readonly passages: readonly Passage[] }[] = []
  return {
    documents: (projectId: string) =>
      documents.flatMap(({ document }) => (document.projectId === projectId ? [document] : [])),
    async add({
      projectId,
      name,
      content,
      pages,
    }: {
      projectId: string
      name: string
      content: Blob
      pages?: number | undefined
    }): Promise<KnowledgeDocument> {
      const id = `document-${String(documents.length + 1)}`
      const passages = (await content.text()).split('\n\n').map((text, at): Passage => {
        const place = { ...(pages !== undefined && { page: Math.min(at + 1, pages) }), line: 2 * at + 1 }
        return {
          id: `${id}/${String(at)}`,
          documentId: id,
          document: name,
          place,
          text,
          tokens: textTokens(text),
        }
      })
      const document = {
        id,
        projectId,
        name,
        bytes: content.size,
        passages: passages.length,
        createdAt: Date.now(),
        ...(pages !== undefined && { pages }),
      }
      documents.push({ document, passages })
      return document
    },
    remove(documentId: string) {
      const at = documents.findIndex(({ document }) => document.id === documentId)
      if (at >= 0) documents.splice(at, 1)
      return { removed: at >= 0 }
    },
    find({ projectId, query, most }: { projectId: string; query: string; most: number }): FoundPassage[] {
      const [word = ''] = query.toLowerCase().split(/\s+/)
      return documents
        .filter(({ document }) => document.projectId === projectId)
        .flatMap(({ passages }) => passages.filter(({ text }) => text.toLowerCase().includes(word)))
        .slice(0, most)
        .map((passage, at) => ({ ...passage, score: most - at }))
    },
    passagesOf: (ids: readonly string[] = []): Passage[] =>
      ids.flatMap((id) =>
        documents.flatMap(({ passages }) => passages.filter((passage) => passage.id === id)),
      ),
    read: ({ documentId, from, limit }: { documentId: string; from: number; limit: number }): Passage[] =>
      documents
        .flatMap(({ document, passages }) => (document.id === documentId ? passages : []))
        .slice(from, from + limit),
  }
}
