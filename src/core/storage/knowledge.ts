import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import { knowledgeDocumentSchema, passageSchema, type KnowledgeDocument } from '../../shared/knowledge.ts'
import type { KnowledgeStore, StoredPassage } from './knowledge-store.ts'
import { readOr, type SealedDatabase } from './sealed-database.ts'

const documentRowSchema = z.object({
  id: z.string(),
  project_id: z.string(),
  created_at: z.number(),
  body: z.instanceof(Uint8Array),
})
const documentBodySchema = knowledgeDocumentSchema
  .omit({ id: true, projectId: true, createdAt: true })
  .extend({ passages: z.int().min(0) })
const passageRowSchema = z.object({ number: z.int(), body: z.instanceof(Uint8Array) })
const passageBodySchema = passageSchema.pick({ place: true, text: true, tokens: true })

const idSchema = z.object({ id: z.string() })

type DocumentRow = z.infer<typeof documentRowSchema>

interface BeginningDocument extends Pick<KnowledgeDocument, 'id' | 'projectId' | 'createdAt'> {
  readonly about: z.infer<typeof documentBodySchema>
}

/** Binds a document to its project: an attacker who can write the file can't move it into a project that isn't private. */
const documentPlace = ({ id, project_id: projectId }: Pick<DocumentRow, 'id' | 'project_id'>) =>
  `knowledge_documents/body/${id}/${projectId}`
const passagePlace = (documentId: string, number: number) =>
  `knowledge_passages/body/${documentId}/${String(number)}`

const DOCUMENT = 'SELECT id, project_id, created_at, body FROM project_documents'

/** Stores documents and their passages, each sealed under its own place. */
export function knowledgeIn(database: SealedDatabase, now: () => number): KnowledgeStore['knowledge'] {
  const toDocument = (row: DocumentRow): KnowledgeDocument => ({
    ...database.unseal(documentBodySchema, documentPlace(row), row.body),
    id: row.id,
    projectId: row.project_id,
    createdAt: row.created_at,
  })
  const rowOf = (id: string, complete: 0 | 1) =>
    database.get(documentRowSchema, `${DOCUMENT} WHERE id = ? AND complete = ?`, id, complete)

  const begin = ({ id, projectId, createdAt, about }: BeginningDocument) =>
    database.run(
      'INSERT INTO project_documents (id, project_id, created_at, complete, body) VALUES (?, ?, ?, 0, ?)',
      id,
      projectId,
      createdAt,
      database.seal(documentPlace({ id, project_id: projectId }), documentBodySchema.parse(about)),
    )
  const addPassages = (documentId: string, passages: readonly StoredPassage[]) => {
    for (const { number, ...passage } of passages)
      database.run(
        'INSERT INTO knowledge_passages (document_id, number, body) VALUES (?, ?, ?)',
        documentId,
        number,
        database.seal(passagePlace(documentId, number), passageBodySchema.parse(passage)),
      )
  }

  return {
    documents: (projectId) =>
      database
        .all(documentRowSchema, `${DOCUMENT} WHERE project_id = ? AND complete = 1 ORDER BY seq`, projectId)
        .flatMap((row) => readOr<KnowledgeDocument[]>(() => [toDocument(row)], [])),
    document(id) {
      const row = rowOf(id, 1)
      return row && toDocument(row)
    },
    begin({ projectId, ...about }) {
      const id = randomUUID()
      begin({ id, projectId, createdAt: Math.trunc(now()), about: { ...about, passages: 0 } })
      return id
    },
    insert({ id, projectId, createdAt, ...about }, passages) {
      if (database.get(idSchema, 'SELECT id FROM project_documents WHERE id = ?', id)) return false
      database.together(() => {
        begin({ id, projectId, createdAt: Math.trunc(createdAt), about })
        addPassages(id, passages)
        database.run('UPDATE project_documents SET complete = 1 WHERE id = ?', id)
      })
      return true
    },
    put(documentId, passages) {
      if (!rowOf(documentId, 0)) return false
      database.together(() => addPassages(documentId, passages))
      return true
    },
    finish(documentId, passages) {
      const row = rowOf(documentId, 0)
      if (!row) return null
      const document = { ...toDocument(row), passages }
      database.run(
        'UPDATE project_documents SET complete = 1, body = ? WHERE id = ?',
        database.seal(documentPlace(row), documentBodySchema.parse(document)),
        documentId,
      )
      return document
    },
    remove(id) {
      const removed = database.run('DELETE FROM project_documents WHERE id = ?', id) > 0
      if (removed) database.clearLog()
      return removed
    },
    removeProject(projectId) {
      const removed = database.run('DELETE FROM project_documents WHERE project_id = ?', projectId)
      if (removed > 0) database.clearLog()
      return removed
    },
    passages: (documentId, { from, limit }) =>
      database
        .all(
          passageRowSchema,
          'SELECT number, body FROM knowledge_passages WHERE document_id = ? AND number >= ? ORDER BY number LIMIT ?',
          documentId,
          from,
          limit,
        )
        .map(({ number, body }): StoredPassage => ({
          number,
          ...database.unseal(passageBodySchema, passagePlace(documentId, number), body),
        })),
  }
}

/** Removes the documents that a process began and didn't finish. */
export function removeUnfinishedDocuments(database: SealedDatabase): void {
  database.run('DELETE FROM project_documents WHERE complete = 0')
}
