import { z } from 'zod'
import { SottoError } from '../../../../shared/errors.ts'
import { msg } from '../../../../shared/localized-text.ts'
import type { JsonObject } from '../../../../shared/strict-json.ts'
import { readUsage } from '../../answer/index.ts'
import { readRequest } from '../read-request.ts'
import { embeddingsSchema, embedSchema } from './request-schema.ts'
import { ignoredMembers } from './request.ts'
import { nanoseconds } from './writer.ts'
import { tryParseJson } from '../../../../shared/strict-json.ts'

/** A request for embeddings, translated to the service's. */
export interface TranslatedEmbed {
  /** `POST /v1/embeddings`; null if there is no text to embed, so nothing is sent. */
  readonly body: JsonObject | null
  readonly model: string
  readonly ignored: readonly string[]
  /**
   * @param json the service's answer; null if nothing was sent
   * @throws {SottoError} service/response-invalid
   */
  readonly answer: (json: string | null, elapsedMs: number) => JsonObject
}

const NONE: ReadonlySet<string> = new Set()

/**
 * Translates Ollama's `POST /api/embed`.
 * @throws {SottoError} dialect/unsupported, proxy/invalid-request, proxy/model-missing – each with `param`
 */
export function translateEmbed(body: JsonObject): TranslatedEmbed {
  const request = readRequest(embedSchema, body)
  const { model, input, dimensions } = request
  const texts = typeof input === 'string' ? [input].filter(Boolean) : input
  // A number, so that the answer doesn't keep the texts in memory.
  const count = texts.length
  return {
    model,
    body: count === 0 ? null : { model, input: texts, ...(dimensions !== undefined && { dimensions }) },
    ignored: ignoredMembers(request, NONE),
    answer(json, elapsedMs) {
      const { vectors, tokens } = readVectors(json, count)
      return {
        model,
        embeddings: vectors,
        total_duration: nanoseconds(elapsedMs),
        load_duration: 0,
        ...(tokens !== undefined && { prompt_eval_count: tokens }),
      }
    },
  }
}

/**
 * Translates Ollama's `POST /api/embeddings` (legacy), which has one text. Throws the errors of
 * translateEmbed.
 */
export function translateEmbeddings(body: JsonObject): TranslatedEmbed {
  const request = readRequest(embeddingsSchema, body)
  const { model, prompt } = request
  const count = prompt === '' ? 0 : 1
  return {
    model,
    body: count === 0 ? null : { model, input: prompt },
    ignored: ignoredMembers(request, NONE),
    answer: (json) => ({ embedding: readVectors(json, count).vectors[0] ?? [] }),
  }
}

const answerSchema = z.object({
  data: z.array(z.object({ index: z.int().min(0).optional(), embedding: z.array(z.number()) })),
  usage: z.unknown().optional(),
})

/** @param count the required number of vectors */
function readVectors(
  json: string | null,
  count: number,
): { vectors: number[][]; tokens: number | undefined } {
  if (json === null) return { vectors: [], tokens: undefined }
  const read = answerSchema.safeParse(tryParseJson(json))
  if (!read.success || read.data.data.length !== count)
    throw new SottoError('service/response-invalid', {
      detail: msg('The response doesn’t have one embedding for each text.'),
      cause: read.error,
    })
  const { data, usage } = read.data
  const counted = readUsage(usage)
  return {
    vectors: data
      .map((entry, at) => ({ at, ...entry }))
      .sort((a, b) => (a.index ?? a.at) - (b.index ?? b.at))
      .map(({ embedding }) => embedding),
    tokens: counted && Math.max(counted.prompt, counted.total ?? 0),
  }
}
