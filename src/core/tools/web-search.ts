import { z } from 'zod'
import { SottoError } from '../../shared/errors.ts'
import type { JsonObject } from '../../shared/strict-json.ts'
import type { ToolFunction } from './built-in.ts'
import { failedResult, shortResult, textResult, type FoundPage, type ToolResult } from './tool-result.ts'

/** UTF-16 units of a query, which a person reads before it's sent. */
const MAX_QUERY = 500

interface SearchScope {
  readonly signal: AbortSignal
  /** The project whose budget pays; undefined without one. */
  readonly projectId: string | undefined
  /** The local key whose budget pays instead; undefined without one. */
  readonly localKeyId?: string | undefined
}

/** The service's search of the web, which create-core.ts passes in. The service can read the query. */
export interface WebSearch {
  /** @throws {SottoError} request/canceled, service/…, model/unknown, privacy/…; with the ID of a receipt if there is one */
  search(query: string, scope: SearchScope): Promise<Found>
}

interface Found {
  readonly text: string
  readonly pages: readonly FoundPage[]
  /** Why the answer ended early; undefined if it's complete. */
  readonly failure?: SottoError | undefined
  readonly receiptId: string
}

/** The tool as it's offered to a model. */
export const webSearchFunction: ToolFunction = {
  functionName: 'web_search',
  description: 'Searches the web. The person sees the query first, because it is sent unencrypted.',
  parameters: {
    type: 'object',
    properties: { query: { type: 'string', maxLength: MAX_QUERY } },
    required: ['query'],
    additionalProperties: false,
  },
}

const querySchema = z.object({ query: z.string().trim().min(1).max(MAX_QUERY) })

/** The query of a call; undefined if it's refused before the person is asked. */
export function queryOf(args: JsonObject): string | undefined {
  return querySchema.safeParse(args).data?.query
}

/** Searches for a model. A refusal is a failed result, because a search changes nothing. */
export async function runWebSearch(
  args: JsonObject,
  webSearch: WebSearch,
  scope: SearchScope,
): Promise<ToolResult> {
  const query = queryOf(args)
  if (query === undefined) return failedResult('The query is missing or too long.')
  try {
    const { text, pages, failure, receiptId } = await webSearch.search(query, scope)
    if (failure) return failed(failure, receiptId)
    const sources = pages.map(({ url, title }) =>
      title === undefined ? url : `${JSON.stringify(title)} ${url}`,
    )
    return { ...textResult(shortResult([text, ...sources].join('\n'))), pages, receiptId }
  } catch (thrown) {
    if (!(thrown instanceof SottoError) || thrown.code === 'request/canceled') throw thrown
    return failed(thrown)
  }
}

function failed({ code, details }: SottoError, receiptId = details.receiptId): ToolResult {
  return { ...failedResult(`The search failed (${code}).`), receiptId }
}
