import { z } from 'zod'
import { SottoError } from '../../shared/errors.ts'
import { withPassages, type QuotedPassage } from '../../shared/passage-text.ts'
import type { JsonObject } from '../../shared/strict-json.ts'
import type { ToolFunction } from './built-in.ts'
import { failedResult, shortResult, textResult, type ToolResult } from './tool-result.ts'

/** The documents of projects, without any way to change them. create-core.ts passes it in. */
export interface ProjectFiles {
  documents(
    projectId: string,
  ): readonly { readonly id: string; readonly name: string; readonly passages: number }[]
  /** The passages for a query, the best first. */
  find(projectId: string, query: string, most: number): Promise<readonly QuotedPassage[]>
  read(documentId: string, range: { readonly from: number; readonly limit: number }): readonly QuotedPassage[]
}

const MOST_PASSAGES = 10

export type ProjectFunction = 'project_list' | 'project_search' | 'project_read'

/** The functions of the tool as they are offered to a model. */
export const projectFunctions: readonly (ToolFunction & { readonly functionName: ProjectFunction })[] = [
  {
    functionName: 'project_list',
    description: 'Lists the documents of this project: ID, name and number of passages.',
    parameters: { type: 'object', properties: {}, additionalProperties: false },
  },
  {
    functionName: 'project_search',
    description: 'Finds the passages of this project’s documents that fit a query best.',
    parameters: {
      type: 'object',
      properties: { query: { type: 'string' } },
      required: ['query'],
      additionalProperties: false,
    },
  },
  {
    functionName: 'project_read',
    description: `Reads up to ${String(MOST_PASSAGES)} passages of one document in order.`,
    parameters: {
      type: 'object',
      properties: {
        document: { type: 'string', description: 'Its ID, as project_list has it' },
        from: { type: 'integer', minimum: 0, description: 'The first passage, from 0' },
      },
      required: ['document'],
      additionalProperties: false,
    },
  },
]

const searchSchema = z.object({ query: z.string().min(1).max(2000) })
const readSchema = z.object({
  document: z.string().max(64),
  from: z.int().min(0).max(1_000_000).default(0),
})

/**
 * Runs a function for a model. It reaches only the documents of this project, and the text of a document is quoted,
 * because its author may not be the person. A wrong argument is a failed result, which the model gets.
 */
export async function runProjectFunction(
  name: ProjectFunction,
  args: JsonObject,
  files: ProjectFiles,
  projectId: string,
): Promise<ToolResult> {
  try {
    switch (name) {
      case 'project_list':
        return textResult(shortResult(listed(files.documents(projectId))))
      case 'project_search': {
        const { data } = searchSchema.safeParse(args)
        if (!data) return failedResult('The query is missing.')
        return quoted(await files.find(projectId, data.query, MOST_PASSAGES))
      }
      case 'project_read': {
        const { data } = readSchema.safeParse(args)
        const document = data && files.documents(projectId).find(({ id }) => id === data.document)
        if (!data || !document) return failedResult('This project has no document with this ID.')
        return quoted(files.read(document.id, { from: data.from, limit: MOST_PASSAGES }))
      }
    }
  } catch (thrown) {
    if (thrown instanceof SottoError) return failedResult('The documents can’t be read.')
    throw thrown
  }
}

function listed(documents: ReturnType<ProjectFiles['documents']>): string {
  if (documents.length === 0) return 'This project has no documents.'
  return documents
    .map(({ id, name, passages }) => `${id} ${JSON.stringify(name)}, ${String(passages)} passages`)
    .join('\n')
}

function quoted(passages: readonly QuotedPassage[]): ToolResult {
  return textResult(shortResult(passages.length === 0 ? 'No passages.' : withPassages(passages, '')))
}
