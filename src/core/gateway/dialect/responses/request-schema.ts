import { z } from 'zod'
import { emptyList, exactly, jsonObject, textAsParts, withoutNulls } from '../read-request.ts'

/** A cache hint, which chat completions don't have. */
const cacheHint = { prompt_cache_breakpoint: z.unknown().optional() }

const inputText = z.strictObject({ type: z.literal('input_text'), text: z.string(), ...cacheHint })
const inputImage = z.strictObject({
  type: z.literal('input_image'),
  image_url: z.string(),
  detail: z.enum(['auto', 'low', 'high']).optional(),
  ...cacheHint,
})
const inputFile = z.strictObject({
  type: z.literal('input_file'),
  file_data: z.string(),
  filename: z.string().optional(),
  detail: z.literal('auto').optional(),
  ...cacheHint,
})
const inputAudio = z.strictObject({
  type: z.literal('input_audio'),
  input_audio: exactly({ data: z.string(), format: z.string() }),
  ...cacheHint,
})
/** The official SDKs add the parsed text or arguments as extra members, and callers send them back. */
const outputText = z.strictObject({
  type: z.literal('output_text'),
  text: z.string(),
  parsed: z.unknown().optional(),
  annotations: z.array(z.unknown()).optional(),
  logprobs: z.array(z.unknown()).optional(),
  ...cacheHint,
})
const refusal = z.strictObject({ type: z.literal('refusal'), refusal: z.string() })

function parts<
  const Options extends readonly [z.core.$ZodTypeDiscriminable, ...z.core.$ZodTypeDiscriminable[]],
>(options: Options): z.ZodPreprocess<z.ZodArray<z.ZodPreprocess<z.ZodDiscriminatedUnion<Options>>>> {
  return z.preprocess(
    textAsParts('input_text'),
    z.array(z.preprocess(withoutNulls, z.discriminatedUnion('type', options))),
  )
}

/** The ID and status of an item. A complete item needs neither. */
const itemNames = { id: z.unknown().optional(), status: z.unknown().optional() }

const systemContent = parts([inputText, outputText])
const message = z.discriminatedUnion('role', [
  z.strictObject({
    type: z.literal('message'),
    role: z.literal('user'),
    content: parts([inputText, outputText, inputImage, inputFile, inputAudio]),
    phase: z.unknown().optional(),
    ...itemNames,
  }),
  z.strictObject({
    type: z.literal('message'),
    role: z.literal('assistant'),
    content: parts([inputText, outputText, refusal]),
    phase: z.unknown().optional(),
    ...itemNames,
  }),
  z.strictObject({
    type: z.literal('message'),
    role: z.literal('system'),
    content: systemContent,
    phase: z.unknown().optional(),
    ...itemNames,
  }),
  z.strictObject({
    type: z.literal('message'),
    role: z.literal('developer'),
    content: systemContent,
    phase: z.unknown().optional(),
    ...itemNames,
  }),
])

/** A call by the model itself, whose result it waits for. */
const plainCall = {
  caller: exactly({ type: z.literal('direct') }).optional(),
  async: z.literal(false).optional(),
}

const functionCall = z.strictObject({
  type: z.literal('function_call'),
  call_id: z.string().min(1),
  name: z.string(),
  namespace: z.string().optional(),
  arguments: z.string(),
  parsed_arguments: z.unknown().optional(),
  ...plainCall,
  ...itemNames,
})
const functionOutput = z.strictObject({
  type: z.literal('function_call_output'),
  call_id: z.string().min(1),
  // Facts of the call, repeated. They aren't sent.
  name: z.string().optional(),
  namespace: z.string().optional(),
  output: parts([inputText, inputImage, inputFile]),
  ...plainCall,
  ...itemNames,
})
const reasoning = z.strictObject({
  type: z.literal('reasoning'),
  summary: z.array(exactly({ type: z.literal('summary_text'), text: z.string() })).optional(),
  content: z.array(exactly({ type: z.literal('reasoning_text'), text: z.string() })).optional(),
  encrypted_content: z.string().optional(),
  ...itemNames,
})

/** Adds a missing type: an item with a role is a message, and one with an ID is a reference. */
function withType(value: unknown): unknown {
  const item = withoutNulls(value)
  if (typeof item !== 'object' || item === null || 'type' in item) return item
  return 'role' in item
    ? { type: 'message', ...item }
    : 'id' in item
      ? { type: 'item_reference', ...item }
      : item
}
/** The items of a cached response, which were validated earlier. */
export const cachedItems = z.array(
  z.preprocess(withType, z.discriminatedUnion('type', [message, functionCall, functionOutput, reasoning])),
)

const itemReference = z.strictObject({ type: z.literal('item_reference'), id: z.string().min(1) })
const item = z.preprocess(
  withType,
  z.discriminatedUnion('type', [message, functionCall, functionOutput, reasoning, itemReference]),
)
const input = z.preprocess(
  (value) => (typeof value === 'string' ? [{ role: 'user', content: value }] : value),
  z.array(item),
)

const functionTool = z.strictObject({
  type: z.literal('function'),
  name: z.string().min(1),
  description: z.string().optional(),
  parameters: jsonObject.optional(),
  strict: z.boolean().optional(),
  defer_loading: z.literal(false).optional(),
  allowed_callers: z.array(z.literal('direct')).optional(),
  async: z.literal(false).optional(),
})
const namespaceTool = z.strictObject({
  type: z.literal('namespace'),
  name: z.string().min(1),
  description: z.string().optional(),
  tools: z.array(z.preprocess(withoutNulls, z.discriminatedUnion('type', [functionTool]))),
})
const tool = z.preprocess(withoutNulls, z.discriminatedUnion('type', [functionTool, namespaceTool]))

const namedTool = { type: z.literal('function'), name: z.string(), namespace: z.string().optional() }
const toolChoice = z.preprocess(
  (value) => (typeof value === 'string' ? { type: value } : withoutNulls(value)),
  z.discriminatedUnion('type', [
    z.strictObject({ type: z.literal('auto') }),
    z.strictObject({ type: z.literal('none') }),
    z.strictObject({ type: z.literal('required') }),
    z.strictObject(namedTool),
    z.strictObject({
      type: z.literal('allowed_tools'),
      mode: z.enum(['auto', 'required']),
      tools: z.array(exactly(namedTool)),
    }),
  ]),
)

const textFormat = z.preprocess(
  withoutNulls,
  z.discriminatedUnion('type', [
    z.strictObject({ type: z.literal('text') }),
    z.strictObject({ type: z.literal('json_object') }),
    z.strictObject({
      type: z.literal('json_schema'),
      name: z.string(),
      schema: jsonObject,
      description: z.string().optional(),
      strict: z.boolean().optional(),
    }),
  ]),
)

/**
 * OpenAI's `POST /v1/responses`, as far as chat completions and responses cached in memory can do the same.
 * Features that only OpenAI's servers store (`conversation`, `prompt`) or run (`background`, built-in tools)
 * are refused.
 */
export const responsesSchema = exactly({
  model: z.string(),
  input,
  instructions: z.string().optional(),
  stream: z.boolean().optional(),
  stream_options: exactly({ include_obfuscation: z.boolean().optional() }).optional(),
  store: z.boolean().optional(),
  previous_response_id: z.string().min(1).optional(),
  background: z.literal(false).optional(),
  include: z.array(z.string()).optional(),
  max_output_tokens: z.int().min(1).optional(),
  temperature: z.number().optional(),
  top_p: z.number().optional(),
  top_logprobs: z.literal(0).optional(),
  parallel_tool_calls: z.boolean().optional(),
  tools: z.array(tool).optional(),
  tool_choice: toolChoice.optional(),
  text: exactly({
    format: textFormat.optional(),
    verbosity: z.enum(['low', 'medium', 'high']).optional(),
  }).optional(),
  reasoning: exactly({
    effort: z.enum(['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max']).optional(),
    // A reply contains the reasoning itself and no summary.
    summary: z.string().optional(),
    generate_summary: z.string().optional(),
    context: z.literal('auto').optional(),
    mode: z.literal('standard').optional(),
  }).optional(),
  truncation: z.enum(['auto', 'disabled']).optional(),
  service_tier: z.string().optional(),
  user: z.string().optional(),
  safety_identifier: z.string().optional(),
  context_management: emptyList.optional(),
  // Returned with the answer for the caller.
  metadata: z.record(z.string(), z.string()).optional(),
  // It limits built-in tools, and there are none.
  max_tool_calls: z.int().optional(),
  prompt_cache_key: z.unknown().optional(),
  prompt_cache_retention: z.unknown().optional(),
  prompt_cache_options: exactly({
    mode: z.unknown().optional(),
    ttl: z.unknown().optional(),
    prewarm: z.literal(false).optional(),
  }).optional(),
  client_metadata: z.unknown().optional(),
})
export type ResponsesRequest = z.infer<typeof responsesSchema>

export type InputItem = z.infer<typeof cachedItems>[number]
export type InputPart = Extract<InputItem, { type: 'message' }>['content'][number]
export type FunctionTool = z.infer<typeof functionTool>
