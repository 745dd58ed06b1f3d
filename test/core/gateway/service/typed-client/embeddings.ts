import { z } from 'zod'
import { SottoError } from '../../../../../src/shared/errors.ts'
import { msg } from '../../../../../src/shared/localized-text.ts'
import {
  checked,
  jsonBody,
  perform,
  type CallOptions,
  type Service,
  type ServiceRequest,
} from '../../../../../src/core/gateway/service/http/perform.ts'
import { readJson } from './read-json.ts'

const MAX_ANSWER_BYTES = 64 * 1024 * 1024
const TIMEOUT_MS = 2 * 60_000

const inputSchema = z.object({
  model: z.string().min(1).max(200),
  input: z.union([z.string().min(1), z.array(z.string().min(1)).min(1).max(2048)]),
  encodingFormat: z.enum(['float', 'base64']).optional(),
  dimensions: z.int().positive().optional(),
})
export type EmbeddingsInput = z.input<typeof inputSchema>

export interface Embeddings {
  readonly model?: string | undefined
  /** One for each input, in their order: numbers, or base64 of little-endian float32 where that was asked for. */
  readonly vectors: readonly (readonly number[] | string)[]
  readonly totalTokens: number
}

const vector = z.union([z.array(z.number()).min(1).max(65_536), z.string().min(1).max(1_000_000)])
const count = z
  .union([
    z.number(),
    z
      .string()
      .regex(/^\d{1,15}$/)
      .transform(Number),
  ])
  .pipe(z.int().min(0))
const answerSchema = z.object({
  model: z.string().max(300).optional().catch(undefined),
  data: z.array(z.object({ index: count.optional(), embedding: vector })).max(2048),
  usage: z.object({ total_tokens: count }),
})

/** `POST /v1/embeddings` (specification, Embeddings). */
function embeddingsRequest(input: EmbeddingsInput): ServiceRequest<Embeddings> {
  const { model, input: texts, encodingFormat, dimensions } = checked(inputSchema, input)
  const expected = typeof texts === 'string' ? 1 : texts.length
  return {
    method: 'POST',
    target: { path: '/v1/embeddings' },
    auth: 'key',
    body: jsonBody({ model, input: texts, encoding_format: encodingFormat, dimensions }),
    timeoutMs: TIMEOUT_MS,
    read: async (response) => {
      const { success, data: answer } = answerSchema.safeParse(
        await readJson(response.body, MAX_ANSWER_BYTES),
      )
      if (!success)
        throw new SottoError('service/response-invalid', {
          detail: msg('The response isn’t an embedding of every input.'),
        })
      return {
        model: answer.model,
        vectors: inOrder(answer.data, expected),
        totalTokens: answer.usage.total_tokens,
      }
    },
  }
}

/** A vector under the wrong text would go unnoticed: there must be one of each index. */
function inOrder(data: z.infer<typeof answerSchema>['data'], expected: number): Embeddings['vectors'] {
  const vectors = new Map(data.map(({ index, embedding }, at) => [index ?? at, embedding]))
  const ordered = Array.from({ length: expected }, (_, at) => vectors.get(at))
  const whole = ordered.filter((embedding) => embedding !== undefined)
  if (data.length !== expected || whole.length !== expected)
    throw new SottoError('service/response-invalid', {
      detail: msg('The response doesn’t embed every input once.'),
    })
  return whole
}

export function createEmbeddings(
  service: Service,
  input: EmbeddingsInput,
  options: CallOptions = {},
): Promise<Embeddings> {
  return perform(service, embeddingsRequest(input), options)
}
