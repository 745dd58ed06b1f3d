import { z } from 'zod'
import { foundPassageSchema, knowledgeDocumentSchema, passageSchema } from '../knowledge.ts'
import { MAX_PASSAGES } from '../passage-text.ts'
import { call, idSchema } from './call.ts'

/** UTF-16 units of a query. Only the first 8,000 count. */
const MAX_QUERY = 100_000

/** Documents of projects. They are cut, indexed and searched on this computer: nothing of them is sent to be found. */
export const knowledgeContract = {
  /** In the order of addition. */
  documents: call.input(z.object({ projectId: idSchema })).output(z.array(knowledgeDocumentSchema)),
  /**
   * Adds a file, as the window's readers deliver it: for a PDF the content is its text with a line `[Page N]` before each page, and
   * `pages` is set. Throws project/unknown; attachment/empty, -too-large, -binary; knowledge/too-many-documents, -too-many-passages.
   */
  add: call
    .input(
      z.object({
        projectId: idSchema,
        name: z.string().max(4_000),
        content: z.instanceof(Blob),
        pages: z.int().min(1).max(100_000).optional(),
      }),
    )
    .output(knowledgeDocumentSchema),
  /** Messages that took passages of it along keep them. */
  remove: call.input(z.object({ documentId: idSchema })).output(z.object({ removed: z.boolean() })),
  /** Passages for a query, the best first: at most three of each document, and no near duplicates. The first call indexes the project. */
  find: call
    .input(
      z.object({
        projectId: idSchema,
        query: z.string().max(MAX_QUERY),
        most: z.int().min(1).max(MAX_PASSAGES).default(6),
      }),
    )
    .output(z.array(foundPassageSchema)),
  /** Passages of a document, from this number on. Throws knowledge/document-unknown. */
  read: call
    .input(
      z.object({
        documentId: idSchema,
        from: z.int().min(0).max(1_000_000),
        limit: z.int().min(1).max(100),
      }),
    )
    .output(z.array(passageSchema)),
}
