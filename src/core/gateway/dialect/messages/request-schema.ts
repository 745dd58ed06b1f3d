import { z } from 'zod'
import { emptyList, exactly, jsonObject, textAsParts, UNSUPPORTED, withoutNulls } from '../read-request.ts'

/** A cache hint, which chat completions don't have. It doesn't change the answer. */
const cacheControl = { cache_control: z.unknown().optional() }

/** The ID that the caller or its SDK added to a message or block. Nothing refers to it. */
const itsName = { id: z.unknown().optional() }

/** The official SDK adds the parsed text as an extra member, and callers send it back. */
const text = z.strictObject({
  type: z.literal('text'),
  text: z.string(),
  parsed_output: z.unknown().optional(),
  citations: z.array(z.unknown()).optional(),
  ...itsName,
  ...cacheControl,
})

const imageSource = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('base64'), media_type: z.string().max(100), data: z.string() }),
  z.strictObject({ type: z.literal('url'), url: z.string() }),
])
const image = z.strictObject({ type: z.literal('image'), source: imageSource, ...itsName, ...cacheControl })

const documentSource = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('base64'), media_type: z.literal('application/pdf'), data: z.string() }),
  z.strictObject({ type: z.literal('text'), media_type: z.literal('text/plain'), data: z.string() }),
])
const document = z.strictObject({
  type: z.literal('document'),
  source: documentSource,
  title: z.string().optional(),
  citations: exactly({ enabled: z.literal(false).optional() }).optional(),
  ...cacheControl,
})

const toolReference = z.strictObject({
  type: z.literal('tool_reference'),
  tool_name: z.string(),
  ...cacheControl,
})

function blocks<
  const Options extends readonly [z.core.$ZodTypeDiscriminable, ...z.core.$ZodTypeDiscriminable[]],
>(options: Options): z.ZodPreprocess<z.ZodArray<z.ZodPreprocess<z.ZodDiscriminatedUnion<Options>>>> {
  return z.preprocess(
    textAsParts('text'),
    z.array(z.preprocess(withoutNulls, z.discriminatedUnion('type', options))),
  )
}

const toolResult = z.strictObject({
  type: z.literal('tool_result'),
  tool_use_id: z.string(),
  content: blocks([text, image, document, toolReference]).optional(),
  is_error: z.boolean().optional(),
  ...cacheControl,
})

const toolUse = z.strictObject({
  type: z.literal('tool_use'),
  id: z.string(),
  name: z.string(),
  input: jsonObject,
  // A call by the model itself, and not by code that it wrote.
  caller: exactly({ type: z.literal('direct') }).optional(),
  ...cacheControl,
})

const thinking = z.strictObject({
  type: z.literal('thinking'),
  thinking: z.string(),
  signature: z.string(),
  ...itsName,
})
/** Reasoning that only Anthropic can read, from a conversation that began at Anthropic. */
const redactedThinking = z.strictObject({
  type: z.literal('redacted_thinking'),
  data: z.string(),
  ...itsName,
})

const message = z.preprocess(
  withoutNulls,
  z.discriminatedUnion('role', [
    z.strictObject({
      role: z.literal('user'),
      content: blocks([text, image, document, toolResult]),
      ...itsName,
    }),
    z.strictObject({
      role: z.literal('assistant'),
      content: blocks([text, toolUse, thinking, redactedThinking]),
      ...itsName,
    }),
    z.strictObject({ role: z.literal('system'), content: blocks([text]), ...itsName }),
  ]),
)

const functionTool = z.strictObject({
  type: z.literal('custom').optional(),
  name: z.string().min(1),
  description: z.string().optional(),
  input_schema: jsonObject,
  strict: z.boolean().optional(),
  /** The model doesn't see it before a `tool_reference` names it. */
  defer_loading: z.boolean().optional(),
  allowed_callers: z.array(z.literal('direct')).optional(),
  input_examples: emptyList.optional(),
  eager_input_streaming: z.unknown().optional(),
  ...cacheControl,
})

/**
 * Anthropic's own web search. The service's plugin searches once, without limits for domains or location, so
 * such limits are refused by name.
 */
const webSearch = z.strictObject({
  type: z.literal(['web_search_20250305', 'web_search_20260209']),
  name: z.literal('web_search'),
  max_uses: z.int().min(1).optional(),
  allowed_domains: emptyList.optional(),
  blocked_domains: emptyList.optional(),
  allowed_callers: z.array(z.literal('direct')).optional(),
  ...cacheControl,
})

const tool = z.preprocess(withoutNulls, z.discriminatedUnion('type', [functionTool, webSearch]))

const parallel = { disable_parallel_tool_use: z.boolean().optional() }
const toolChoice = z.preprocess(
  withoutNulls,
  z.discriminatedUnion('type', [
    z.strictObject({ type: z.literal('auto'), ...parallel }),
    z.strictObject({ type: z.literal('any'), ...parallel }),
    z.strictObject({ type: z.literal('tool'), name: z.string(), ...parallel }),
    z.strictObject({ type: z.literal('none') }),
  ]),
)

const display = { display: z.enum(['summarized', 'omitted']).optional() }
const thinkingConfig = z.preprocess(
  withoutNulls,
  z.discriminatedUnion('type', [
    z.strictObject({ type: z.literal('adaptive'), ...display }),
    z.strictObject({ type: z.literal('enabled'), budget_tokens: z.int().min(1).optional(), ...display }),
    z.strictObject({ type: z.literal('disabled') }),
  ]),
)

const outputFormat = exactly({ type: z.literal('json_schema'), schema: jsonObject })

const shared = {
  model: z.string(),
  messages: z.array(message).min(1),
  system: blocks([text]).optional(),
  stream: z.boolean().optional(),
  stop_sequences: z.array(z.string()).optional(),
  temperature: z.number().optional(),
  top_p: z.number().optional(),
  tools: z.array(tool).optional(),
  tool_choice: toolChoice.optional(),
  thinking: thinkingConfig.optional(),
  output_config: exactly({
    effort: z.enum(['low', 'medium', 'high', 'xhigh', 'max']).optional(),
    format: outputFormat.optional(),
  }).optional(),
  output_format: outputFormat.optional(),
  // An edit that clears earlier blocks only saves tokens. One that rewrites the conversation changes its meaning.
  context_management: exactly({
    edits: z
      .array(
        z.looseObject({
          type: z.string().refine((type) => /^clear_(thinking|tool_uses)_\d+$/.test(type), UNSUPPORTED),
        }),
      )
      .optional(),
  }).optional(),
  mcp_servers: emptyList.optional(),
  service_tier: z.string().optional(),
  top_k: z.int().optional(),
  // The SDK sends them as a header; some callers send them in the body.
  betas: z.array(z.string()).optional(),
  speed: z.literal('standard').optional(),
  metadata: z.unknown().optional(),
  ...cacheControl,
}

/** Anthropic's `POST /v1/messages`, as far as chat completions can do the same. */
export const messagesSchema = exactly({ ...shared, max_tokens: z.int().min(1) })
export type MessagesRequest = z.infer<typeof messagesSchema>

/** `POST /v1/messages/count_tokens`. */
export const countSchema = exactly({ ...shared, max_tokens: z.int().optional() })

export type FunctionTool = z.infer<typeof functionTool>

export type MessageBlock = MessagesRequest['messages'][number]['content'][number]
export type ResultBlock = Exclude<
  Extract<MessageBlock, { type: 'tool_result' }>['content'],
  undefined
>[number]
