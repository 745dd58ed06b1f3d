import { z } from 'zod'
import { callMembersSchema } from './call-members.ts'

export const MAX_CITATIONS = 50
export const MAX_CITATION_URL = 2000

/** A page that an answer names as its source. Sotto hasn't checked it. */
const citationSchema = z.object({
  /** A canonical web address (http or https) without a user or a password. */
  url: z
    .string()
    .max(MAX_CITATION_URL)
    .regex(/^https?:\/\/[^\s<>"]+$/),
  title: z.string().max(300).optional(),
  excerpt: z.string().max(2000).optional(),
  /** The positions of the citation in the answer's text, in UTF-16 units. */
  marks: z.array(z.int().min(0)).max(20).optional(),
})
export type Citation = z.infer<typeof citationSchema>
export const citationsSchema = z.array(citationSchema).max(MAX_CITATIONS)

export const MAX_TOOL_CALLS = 64
export const MAX_TOOL_ARGUMENTS = 100_000

/** A call that a model asked for. It has a result only if Sotto ran it, or the person refused it. */
const toolCallSchema = z.object({
  id: z.string().max(200).optional(),
  name: z.string().max(200),
  /** As the model wrote them; they may be invalid JSON. */
  arguments: z.string().max(MAX_TOOL_ARGUMENTS),
  more: callMembersSchema.optional(),
  result: z.string().max(MAX_TOOL_ARGUMENTS).optional(),
  /** For a call that Sotto handled: the request of the reply that asked for it, from 0. */
  round: z.int().min(0).optional(),
  /** For a call that Sotto handled: the length of the reply's text before it, in UTF-16 units. */
  at: z.int().min(0).optional(),
})
export type ToolCall = z.infer<typeof toolCallSchema>
export const toolCallsSchema = z.array(toolCallSchema).max(MAX_TOOL_CALLS)

export const MAX_SEARCH_RESULTS = 50
/** The service's own default (specification, Limits). */
export const DEFAULT_SEARCH_RESULTS = 5

/** A search of the web before the question is read (specification, Chat: plugin `web`). */
export const webSearchSchema = z.object({ maxResults: z.int().min(1).max(MAX_SEARCH_RESULTS) })
export type WebSearch = z.infer<typeof webSearchSchema>

export const MAX_UNSHOWN_PARTS = 20

/** Parts of an answer that Sotto doesn't show, such as audio: `type` is their media type or the service's name. */
const unshownPartSchema = z.object({ type: z.string().max(100), count: z.int().min(1) })
export type UnshownPart = z.infer<typeof unshownPartSchema>
export const unshownPartsSchema = z.array(unshownPartSchema).max(MAX_UNSHOWN_PARTS)

/** Why the model stopped, if it wasn't simply done. */
export const answerEnds = ['length', 'tool-calls', 'filtered', 'refused'] as const
export type AnswerEnd = (typeof answerEnds)[number]
