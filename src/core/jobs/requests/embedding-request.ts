import { z } from 'zod'
import { SottoError } from '../../../shared/errors.ts'
import type { StoredAsk } from '../../../shared/job-ask.ts'
import { msg } from '../../../shared/localized-text.ts'
import { tryParseJson } from '../../../shared/strict-json.ts'
import type { PlaintextAsk } from '../service.ts'
import type { LabelledText } from '../tables/texts.ts'
import { refuseClash } from './image-request.ts'

/** The parameters of an embedding. */
export type EmbeddingAsk = Extract<StoredAsk, { kind: 'embedding' }>

const KNOWN = ['model', 'input', 'dimensions', 'encoding_format']
/**
 * Limits of one request. They are far below those of the service, so that a failed request costs little and
 * progress is visible.
 */
const MOST_TEXTS = 256
const MOST_BYTES = 256 * 1024

/** Throws studio/parameter-clash. */
export function checkEmbeddingAsk({ extra = {} }: Pick<EmbeddingAsk, 'extra'>): void {
  refuseClash(extra, KNOWN)
}

/**
 * Builds the request of one part. It requests vectors as base64 of little-endian float32, which is a third
 * of the size of decimal text.
 */
export function embeddingRequest(
  { model, dimensions, extra }: Pick<EmbeddingAsk, 'model' | 'dimensions' | 'extra'>,
  texts: readonly string[],
): PlaintextAsk {
  return {
    endpoint: 'embeddings',
    body: {
      ...extra,
      model,
      input: [...texts],
      encoding_format: 'base64',
      ...(dimensions !== undefined && { dimensions }),
    },
  }
}

/** Groups texts into parts. The result is deterministic, so that a part is identified by its number. */
export async function* partsOfTexts(
  texts: AsyncIterable<LabelledText>,
): AsyncGenerator<readonly string[], void> {
  let [part, size]: [string[], number] = [[], 0]
  for await (const { text } of texts) {
    const bytes = Buffer.byteLength(text)
    if (part.length > 0 && (part.length === MOST_TEXTS || size + bytes > MOST_BYTES)) {
      yield part
      ;[part, size] = [[], 0]
    }
    part.push(text)
    size += bytes
  }
  if (part.length > 0) yield part
}

const MOST_DIMENSIONS = 65_536
const vectorSchema = z.union([
  z.array(z.number()).min(1).max(MOST_DIMENSIONS),
  z
    .string()
    .min(1)
    .max(MOST_DIMENSIONS * 6)
    .regex(/^[\w+/-]+={0,2}$/),
])
const answerSchema = z.object({
  data: z.array(z.object({ index: z.int().min(0).optional(), embedding: vectorSchema })).max(2048),
})

/**
 * Reads the vectors of a response as little-endian float32, in the order of the texts. A vector with the
 * wrong text would go unnoticed, so there must be exactly one for each index, all of the same length.
 * Throws service/response-invalid.
 */
export function vectorsIn(
  answer: Uint8Array,
  texts: number,
): { readonly dimensions: number; readonly bytes: Uint8Array } {
  const parsed = answerSchema.safeParse(tryParseJson(answer))
  if (!parsed.success || parsed.data.data.length !== texts) throw invalid()
  const byIndex = new Map(
    parsed.data.data.map(({ index, embedding }, at) => [index ?? at, floatsOf(embedding)]),
  )
  const dimensions = byIndex.get(0)?.length ?? 0
  const bytes = new Float32Array(texts * dimensions)
  for (let at = 0; at < texts; at++) {
    const vector = byIndex.get(at)
    if (!vector || vector.length === 0 || vector.length !== dimensions || !vector.every(Number.isFinite))
      throw invalid()
    bytes.set(vector, at * dimensions)
  }
  return { dimensions, bytes: littleEndian(bytes) }
}

function floatsOf(embedding: readonly number[] | string): Float32Array {
  if (typeof embedding !== 'string') return Float32Array.from(embedding)
  const bytes = Buffer.from(embedding, 'base64')
  if (bytes.length % 4 !== 0) throw invalid()
  return Float32Array.from({ length: bytes.length / 4 }, (_, at) => bytes.readFloatLE(at * 4))
}

function littleEndian(floats: Float32Array): Uint8Array {
  const bytes = Buffer.alloc(floats.length * 4)
  floats.forEach((value, at) => bytes.writeFloatLE(value, at * 4))
  return bytes
}

function invalid(): SottoError {
  return new SottoError('service/response-invalid', {
    detail: msg('The response doesn’t embed every text exactly once in the same way.'),
  })
}
