import { z } from 'zod'
import { MAX_PASSAGE_LENGTH, MAX_PASSAGES } from './passage-text.ts'

/** The most documents of a project. */
export const MOST_DOCUMENTS = 500
/** The most passages of a project: its index stays below 200 MB. */
export const MOST_PROJECT_PASSAGES = 20_000

/** A document of a project. */
export const knowledgeDocumentSchema = z.object({
  id: z.string().min(1).max(40),
  projectId: z.string().min(1).max(64),
  name: z.string().min(1).max(255),
  /** Of its text, in UTF-8. */
  bytes: z.int().min(0),
  /** Of a PDF. */
  pages: z.int().min(1).optional(),
  passages: z.int().min(1),
  createdAt: z.number(),
})
export type KnowledgeDocument = z.infer<typeof knowledgeDocumentSchema>

const passagePlaceSchema = z.object({
  page: z.int().min(1).optional(),
  heading: z.string().max(200).optional(),
  line: z.int().min(1),
})

/** A part of a document of about 200 to 300 tokens. */
export const passageSchema = z.object({
  id: z.string().min(1).max(64),
  documentId: z.string().min(1).max(40),
  /** The name of its document. */
  document: z.string().min(1).max(255),
  place: passagePlaceSchema,
  text: z.string().min(1).max(MAX_PASSAGE_LENGTH),
  /** An estimate. */
  tokens: z.int().min(0),
})
export type Passage = z.infer<typeof passageSchema>

/** The passages that a question took along, as they were sent. */
export const passagesSchema = z.array(passageSchema).max(MAX_PASSAGES)

/** A passage for a query. */
export const foundPassageSchema = passageSchema.extend({ score: z.number().min(0) })
export type FoundPassage = z.infer<typeof foundPassageSchema>
