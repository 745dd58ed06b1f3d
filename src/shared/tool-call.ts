import { z } from 'zod'
import { MAX_TOOL_ARGUMENTS } from './answer-parts.ts'
import { callMembersSchema } from './call-members.ts'

/**
 * Tools of Sotto itself. `clock` and `calculator` only compute; `fetch-url` sends a request; `project-files` reads the
 * documents of the chat's project; `web-search` and `make-image` send a text to the service.
 */
export const builtInTools = [
  'clock',
  'calculator',
  'fetch-url',
  'project-files',
  'web-search',
  'make-image',
] as const
export type BuiltInTool = (typeof builtInTools)[number]

export const toolCallStates = ['asked', 'running', 'done', 'unknown'] as const

/** The model gets this instead of a result that didn't arrive. */
export const UNKNOWN_RESULT =
  'It is not known whether this call ran, because its result did not arrive. It was not repeated.'

/** Where the arguments of a call go. `project`: to the search over the project's documents, on this computer. */
export const destinations = [
  'nowhere',
  'project',
  'service',
  'program',
  'program-with-network',
  'host',
] as const

const digestSchema = z.string().regex(/^[0-9a-f]{64}$/)

/** One call that a model asked for, as it's shown and as the journal stores it. */
export const toolStepSchema = z.object({
  /** Unique in the journal. */
  id: z.string().max(100),
  conversationId: z.string().max(64),
  answerId: z.string().max(64),
  /** The request of the answer that asked for it, from 0. */
  round: z.int().min(0),
  /** Its place among the calls of that request, from 0. */
  index: z.int().min(0),
  /** The model's ID of the call. */
  callId: z.string().max(200),
  /** The name by which the model called it. */
  functionName: z.string().max(200),
  /** Absent if no tool of the chat has this name. */
  tool: z
    .object({
      kind: z.enum(['built-in', 'server']),
      /** The ID of the server, or the name of the built-in tool. */
      sourceId: z.string().max(64),
      sourceName: z.string().max(100),
      name: z.string().max(64),
      programDigest: digestSchema,
      definitionDigest: digestSchema,
      /** Where the arguments go: a host, a program with or without a network, or nowhere. */
      sendsTo: z.enum(destinations),
      host: z.string().max(300).optional(),
      mayAlways: z.boolean(),
      /** For an image: the model, and the highest cost in pico-USD. */
      image: z.object({ model: z.string().max(200), most: z.string().regex(/^\d{1,30}$/) }).optional(),
    })
    .optional(),
  /** Exactly as the model wrote them. */
  arguments: z.string().max(MAX_TOOL_ARGUMENTS),
  more: callMembersSchema.optional(),
  /** `asked`: waits for a person. `unknown`: it began, and Sotto ended before its result arrived. */
  state: z.enum(toolCallStates),
  /** Present when done. */
  outcome: z.enum(['result', 'error', 'refused', 'stopped']).optional(),
  result: z.string().max(MAX_TOOL_ARGUMENTS).optional(),
  resultDigest: digestSchema.optional(),
  /** Unix ms. */
  startedAt: z.number().optional(),
  endedAt: z.number().optional(),
  /** Text that the model wrote in this request, in the first call of a round. */
  text: z.string().optional(),
})
export type ToolStep = z.infer<typeof toolStepSchema>

/** A call for a request of a local key, which waits for a decision in the window. */
export const keyCallSchema = z.object({
  step: toolStepSchema,
  keyName: z.string().max(60),
  /** The model that gets the result, and who can read it there. */
  model: z.string().max(200),
  privacy: z.enum(['sealed', 'relayed', 'forwarded']),
  /** Of the project whose documents are read. */
  projectName: z.string().max(200).optional(),
  /** Unix ms after which it counts as refused. */
  until: z.number(),
})
export type KeyCall = z.infer<typeof keyCallSchema>

/** A server that a person added: a program on this computer, or one at an address. */
export const toolServerSchema = z.object({
  id: z.string().max(64),
  name: z.string().regex(/^[a-z0-9][a-z0-9-]{0,19}$/),
  /** Empty for a server at an address. */
  command: z.string().max(1000),
  /** Of a server that isn't a program here: https, or http on this computer. */
  address: z.string().min(1).max(1000).optional(),
  args: z.array(z.string().max(1000)).max(50),
  environment: z.record(z.string().max(100), z.string().max(4000)),
  /** The person lets it use the network. Otherwise the network is off if this system can do that. */
  network: z.boolean(),
  /** The person states that it only reads on this computer. */
  readOnly: z.boolean(),
  /** The accepted digest of its program, or of its address. */
  programDigest: digestSchema,
  /** The accepted digests of its definitions, by tool; absent before the first start. */
  definitions: z.record(z.string().max(64), digestSchema).optional(),
})
export const toolServerRecordSchema = toolServerSchema.refine(
  ({ command, address }) => (command === '') === (address !== undefined),
)
export type ToolServerRecord = z.infer<typeof toolServerRecordSchema>
