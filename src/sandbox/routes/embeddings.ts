import { z } from 'zod'
import { textTokens } from '../../shared/token-estimate.ts'
import { mediaDialect } from '../dialect.ts'
import { embeddingModels, maxTokens, embed } from '../embedding/vectors.ts'
import { modelOf } from '../models.ts'
import { json } from '../refusal.ts'
import { chargeOnce } from '../route/pay-per-request.ts'
import { accountRoute, bare, type Route } from '../route/route.ts'

const inputText = z
  .string()
  .min(1, 'must not be empty')
  .refine((text) => textTokens(text) <= maxTokens, `must not be longer than ${maxTokens} tokens`)

const requestSchema = z.looseObject({
  model: z.string().min(1).max(200),
  input: z
    .union(
      [z.string(), z.array(z.string()).min(1, 'must not be empty').max(2048, 'must be at most 2048 texts')],
      'must be a text or a list of texts',
    )
    .transform((input) => (typeof input === 'string' ? [input] : input))
    .pipe(z.array(inputText)),
  encoding_format: z.enum(['float', 'base64']).default('float'),
  dimensions: z.int().min(1).optional(),
})

const answerSchema = z.object({
  object: z.literal('list'),
  model: z.string(),
  data: z.array(
    z.object({
      object: z.literal('embedding'),
      index: z.int(),
      embedding: z.union([z.array(z.number()), z.string()]),
    }),
  ),
  usage: z.object({ prompt_tokens: z.int(), total_tokens: z.int() }),
})

/** Texts as vectors, in OpenAI's form. */
export const embeddingRoutes: readonly Route[] = [
  accountRoute({
    ...bare,
    method: 'POST',
    path: '/v1/embeddings',
    tag: 'Embeddings',
    summary: 'Embed one or more texts',
    answers: {
      200: { description: 'One normalized vector for each text', schema: answerSchema },
      402: { description: 'The balance or the cap of the key is too low' },
      404: { description: 'No such model' },
    },
    dialect: mediaDialect,
    takes: ['authorization'],
    input: requestSchema,
    serve: ({ ledger }, call) => {
      const { model: id, input, encoding_format: encoding, dimensions } = call.input
      const [model, facts] = [modelOf(id, 'embedding'), embeddingModels[id]]
      if (!model || !facts) return mediaDialect.refuse(404, `Unknown embedding model: ${id}`, 'model')
      if (dimensions !== undefined && !facts.shortens)
        return mediaDialect.refuse(400, `not supported by ${id}`, 'dimensions')
      if (dimensions !== undefined && dimensions > facts.dimensions)
        return mediaDialect.refuse(400, `must be at most ${facts.dimensions}`, 'dimensions')
      const tokens = input.reduce((sum, text) => sum + textTokens(text), 0)
      const charged = chargeOnce(
        ledger,
        mediaDialect,
        call,
        { model: id, type: 'embedding' },
        BigInt(tokens) * model.picoPerInputToken,
        { input: tokens },
      )
      if ('refusal' in charged) return charged.refusal
      const data = input.map((text, index) => {
        const vector = embed(text, dimensions ?? facts.dimensions)
        return {
          object: 'embedding',
          index,
          embedding: encoding === 'base64' ? littleEndian(vector).toString('base64') : Array.from(vector),
        }
      })
      return json(200, {
        object: 'list',
        data,
        model: id,
        usage: { prompt_tokens: tokens, total_tokens: tokens },
      })
    },
  }),
]

function littleEndian(vector: Float32Array): Buffer {
  const bytes = Buffer.alloc(vector.length * 4)
  vector.forEach((value, at) => bytes.writeFloatLE(value, at * 4))
  return bytes
}
