import { z } from 'zod'
import { emptyList, exactly, jsonObject, withoutNulls } from '../read-request.ts'

/**
 * The time for which a model remains in memory, and the handling of a prompt that is too long. The service
 * decides both.
 */
const hints = {
  keep_alive: z.unknown().optional(),
  truncate: z.unknown().optional(),
  shift: z.unknown().optional(),
}
/** If the number of tokens (`num_predict`) isn't positive, there is no limit. */
const options = z.preprocess(
  withoutNulls,
  z.looseObject({
    temperature: z.number().optional(),
    top_p: z.number().optional(),
    seed: z.int().optional(),
    stop: z.union([z.string(), z.array(z.string())]).optional(),
    num_predict: z.int().optional(),
    presence_penalty: z.number().optional(),
    frequency_penalty: z.number().optional(),
  }),
)

const settings = {
  model: z.string(),
  stream: z.boolean().optional(),
  /** `json`, or a JSON Schema. Some callers send an empty text for none. */
  format: z.union([z.literal('json'), z.literal(''), jsonObject]).optional(),
  think: z.union([z.boolean(), z.enum(['low', 'medium', 'high'])]).optional(),
  options: options.optional(),
  logprobs: z.literal(false).optional(),
  top_logprobs: z.literal(0).optional(),
  ...hints,
}

/** Base64 without a media type. */
const images = z.array(z.string())
const call = exactly({
  id: z.string().optional(),
  type: z.literal('function').optional(),
  function: exactly({
    name: z.string().min(1),
    arguments: jsonObject.optional(),
    index: z.unknown().optional(),
  }),
})

const message = z.preprocess(
  withoutNulls,
  z.discriminatedUnion('role', [
    z.strictObject({ role: z.literal('system'), content: z.string().default('') }),
    z.strictObject({ role: z.literal('user'), content: z.string().default(''), images: images.optional() }),
    z.strictObject({
      role: z.literal('assistant'),
      content: z.string().default(''),
      thinking: z.string().optional(),
      tool_calls: z.array(call).optional(),
      images: emptyList.optional(),
    }),
    z.strictObject({
      role: z.literal('tool'),
      content: z.string().default(''),
      images: images.optional(),
      tool_name: z.string().optional(),
      tool_call_id: z.string().optional(),
    }),
  ]),
)

const tool = exactly({
  type: z.literal('function').optional(),
  function: exactly({
    name: z.string().min(1),
    description: z.string().optional(),
    parameters: jsonObject.optional(),
    type: z.literal('function').optional(),
  }),
})

/** Ollama's `POST /api/chat`, as far as chat completions can do the same. */
export const chatSchema = exactly({
  ...settings,
  messages: z.array(message).default([]),
  tools: z.array(tool).optional(),
})
export type OllamaChat = z.infer<typeof chatSchema>
export type OllamaMessage = OllamaChat['messages'][number]

/**
 * Ollama's `POST /api/generate`, as far as chat completions can do the same. The service applies the template
 * of the model, and `context` contains tokens of one model's tokenizer.
 */
export const generateSchema = exactly({
  ...settings,
  prompt: z.string().default(''),
  suffix: z.string().default(''),
  system: z.string().default(''),
  template: z.literal('').optional(),
  context: emptyList.optional(),
  raw: z.boolean().optional(),
  images: images.optional(),
})
export type OllamaGenerate = z.infer<typeof generateSchema>

/** Ollama's `POST /api/embed`. */
export const embedSchema = exactly({
  model: z.string(),
  input: z.union([z.string(), z.array(z.string())]),
  dimensions: z.int().min(1).optional(),
  options: z.looseObject({}).optional(),
  ...hints,
})
/** Ollama's `POST /api/embeddings` (legacy). */
export const embeddingsSchema = exactly({
  model: z.string(),
  prompt: z.string().default(''),
  options: z.looseObject({}).optional(),
  ...hints,
})

/** Ollama's `POST /api/show`. The other members affect only the description of a local model. */
export const showSchema = exactly({
  model: z.string(),
  name: z.unknown().optional(),
  verbose: z.unknown().optional(),
  system: z.unknown().optional(),
  template: z.unknown().optional(),
  options: z.unknown().optional(),
})
