import { createHash } from 'node:crypto'
import { z } from 'zod'
import { gatewayDialect } from '../dialect.ts'
import { parseWith, readJson, type Parsed } from '../route/schemas.ts'

const partSchema = z.discriminatedUnion('type', [
  z.looseObject({ type: z.literal('text'), text: z.string() }),
  z.looseObject({ type: z.literal('image_url'), image_url: z.looseObject({ url: z.string() }) }),
  z.looseObject({
    type: z.literal('input_audio'),
    input_audio: z.looseObject({ data: z.string(), format: z.string() }),
  }),
  z.looseObject({
    type: z.literal('file'),
    file: z.looseObject({ filename: z.string().optional(), file_data: z.string().optional() }),
  }),
])
export type ContentPart = z.infer<typeof partSchema>

const toolCallSchema = z.looseObject({
  id: z.string(),
  function: z.looseObject({ name: z.string(), arguments: z.string() }),
})

const messageSchema = z.looseObject({
  role: z.enum(['system', 'developer', 'user', 'assistant', 'tool']),
  content: z.union([z.string(), z.array(partSchema)]).nullish(),
  tool_calls: z.array(toolCallSchema).nullish(),
  tool_call_id: z.string().nullish(),
})
type ChatMessage = z.infer<typeof messageSchema>

const functionToolSchema = z.looseObject({
  type: z.literal('function'),
  function: z.looseObject({
    name: z.string().min(1),
    description: z.string().optional(),
    parameters: z.unknown().optional(),
  }),
})
export type FunctionTool = z.infer<typeof functionToolSchema>

const toolChoiceSchema = z.union([
  z.enum(['none', 'auto', 'required']),
  z.looseObject({ type: z.literal('function'), function: z.looseObject({ name: z.string() }) }),
])

const responseFormatSchema = z.discriminatedUnion('type', [
  z.looseObject({ type: z.literal('text') }),
  z.looseObject({ type: z.literal('json_object') }),
  z.looseObject({ type: z.literal('json_schema'), json_schema: z.looseObject({ schema: z.unknown() }) }),
])

/** OpenAI's chat completion request, as far as the sandbox acts on it; other members are let through. */
export const chatRequestSchema = z.looseObject({
  model: z.string().min(1).max(200),
  messages: z.array(messageSchema).min(1),
  stream: z.boolean().nullish(),
  stream_options: z.looseObject({ include_usage: z.boolean().nullish() }).nullish(),
  max_tokens: z.int().min(1).nullish(),
  max_completion_tokens: z.int().min(1).nullish(),
  stop: z.union([z.string(), z.array(z.string())]).nullish(),
  n: z.literal(1).nullish(),
  tools: z.array(functionToolSchema).nullish(),
  tool_choice: toolChoiceSchema.nullish(),
  parallel_tool_calls: z.boolean().nullish(),
  response_format: responseFormatSchema.nullish(),
  plugins: z
    .array(z.looseObject({ id: z.string(), max_results: z.int().min(1).max(50).nullish() }))
    .nullish(),
})
export type ChatRequest = z.infer<typeof chatRequestSchema>

/** Reads the body of a request that was sealed. */
export function parseChatRequest(body: Buffer): Parsed<ChatRequest> {
  const read = readJson(body, undefined, gatewayDialect)
  return 'refusal' in read ? read : parseWith(chatRequestSchema, read.value, gatewayDialect)
}

/** The text of a message: its text parts, one under another. */
export function textOf(message: ChatMessage): string {
  if (message.content === null || message.content === undefined) return ''
  if (typeof message.content === 'string') return message.content
  return message.content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n')
}

/** The parts of a message that are not text. */
export function attachmentsOf(message: ChatMessage): Exclude<ContentPart, { type: 'text' }>[] {
  if (!Array.isArray(message.content)) return []
  return message.content.flatMap((part) => (part.type === 'text' ? [] : [part]))
}

/** @returns the last message of that role */
export function lastOf(request: ChatRequest, role: ChatMessage['role']): ChatMessage | undefined {
  return request.messages.findLast((message) => message.role === role)
}

/** All customers of the service are one tenant to the router. */
const TENANT = 'sandbox-service'

/**
 * Simulates the enclave's router, which handles a request before a model: it names the prompt cache of the
 * request and removes the members from which the name was derived. Requests with the same name share cached
 * prompts.
 *
 * @returns `salt`: 43 characters, base64url
 */
export function routePrompt({ user_cache_secret: secret, cache_salt: _, ...request }: ChatRequest): {
  readonly request: ChatRequest
  readonly salt: string
} {
  const hash = createHash('sha256').update('tinfoil/cache-salt/v1').update(prefixed(TENANT))
  if (typeof secret === 'string' && secret !== '') hash.update(prefixed(secret))
  return { request, salt: hash.digest('base64url') }
}

function prefixed(text: string): Buffer {
  const bytes = Buffer.from(text)
  const length = Buffer.alloc(4)
  length.writeUInt32BE(bytes.length)
  return Buffer.concat([length, bytes])
}
