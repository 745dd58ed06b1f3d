import { z } from 'zod'
import { exactly, UNSUPPORTED } from '../read-request.ts'

/** Server-specific settings and hints. Chat completions don't have them. */
const ignored = {
  top_k: z.unknown().optional(),
  min_p: z.unknown().optional(),
  repeat_penalty: z.unknown().optional(),
  repetition_penalty: z.unknown().optional(),
  cache_prompt: z.unknown().optional(),
  service_tier: z.unknown().optional(),
}
export const IGNORED = [
  'top_k',
  'min_p',
  'repeat_penalty',
  'repetition_penalty',
  'cache_prompt',
  'service_tier',
] as const satisfies readonly (keyof typeof ignored)[]

/**
 * A list of one text counts as that text. Several texts need several requests, and token numbers depend on
 * one model's tokenizer.
 */
const prompt = z.preprocess(
  (value) => {
    const texts = z.tuple([z.string()]).safeParse(value)
    return texts.success ? texts.data[0] : value
  },
  z
    .unknown()
    .refine((value) => !Array.isArray(value), UNSUPPORTED)
    .pipe(z.string()),
)

/** OpenAI's `POST /v1/completions` (legacy), as far as chat completions can do the same. */
export const completionsSchema = exactly({
  model: z.string(),
  prompt,
  suffix: z.string().optional(),
  max_tokens: z.int().min(1).optional(),
  temperature: z.number().optional(),
  top_p: z.number().optional(),
  presence_penalty: z.number().optional(),
  frequency_penalty: z.number().optional(),
  seed: z.int().optional(),
  stop: z.union([z.string(), z.array(z.string())]).optional(),
  stream: z.boolean().optional(),
  stream_options: exactly({ include_usage: z.boolean().optional() }).optional(),
  user: z.string().optional(),
  n: z.literal(1).optional(),
  best_of: z.literal(1).optional(),
  echo: z.literal(false).optional(),
  ...ignored,
})
export type CompletionsRequest = z.infer<typeof completionsSchema>
