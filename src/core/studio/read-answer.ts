import { z } from 'zod'
import { SottoError } from '../../shared/errors.ts'
import { parseUsd } from '../../shared/money.ts'
import { say } from '../../shared/say.ts'
import { videoJobStatusSchema } from '../../shared/video-job-status.ts'

/** As many as the service makes at most (specification, Images), and some. */
const MOST_IMAGES = 16
const address = z.string().min(1).max(8000)
const imageSchema = z.union([z.object({ url: address }), z.object({ b64_json: z.string().min(1).regex(/^[\w+/-]+={0,2}$/) })])
const imagesSchema = z.object({ data: z.array(imageSchema).min(1).max(MOST_IMAGES) })

/** An image by a signed address that ends after a day, or the image itself. */
export type NamedImage = z.infer<typeof imageSchema>

/** What an answer of images names, in its order. Throws service/response-invalid. */
export function imagesIn(answer: Uint8Array): readonly NamedImage[] {
  const parsed = imagesSchema.safeParse(jsonOf(answer))
  if (!parsed.success) throw new SottoError('service/response-invalid', { detail: say('The response isn’t an image result.') })
  return parsed.data.data
}

const clip = z.object({ url: address })
const said = z.union([z.string(), z.object({ message: z.string() }).transform(({ message }) => message), z.object({ error: z.object({ message: z.string() }) }).transform(({ error }) => error.message)])
const clipJobSchema = z.object({
  id: z.string().regex(/^gen_[\w-]{1,200}$/),
  status: videoJobStatusSchema.optional(),
  data: z.union([clip, z.array(clip).min(1).max(MOST_IMAGES).transform(([first]) => first)]).optional().catch(undefined),
  cost: z.union([z.string().max(64), z.number()]).optional().catch(undefined),
  error: said.optional().catch(undefined),
})

/** How far a clip is (specification, Video job). */
export interface ClipJob {
  readonly id: string
  readonly status: 'pending' | 'completed' | 'failed'
  readonly url?: string
  /** Pico-USD. */
  readonly cost?: string
  /** The service's words about a failure: untrusted, one line, short. */
  readonly says?: string
}

/** Throws service/response-invalid. */
export function clipJobIn(answer: Uint8Array): ClipJob {
  const parsed = clipJobSchema.safeParse(jsonOf(answer))
  if (!parsed.success) throw new SottoError('service/response-invalid', { detail: say('The response isn’t a video status.') })
  const { id, status: state = 'pending', data, cost, error } = parsed.data
  const picoUsd = cost === undefined ? null : parseUsd(cost)
  return { id, status: state, ...(picoUsd !== null && picoUsd >= 0n && { cost: picoUsd.toString() }), ...(data && { url: data.url }), ...(error !== undefined && { says: error.replaceAll(/[\p{C}\p{Zl}\p{Zp}]+/gu, ' ').slice(0, 300) }) }
}

/** JSON text in UTF-8, parsed; undefined where it is neither, which no schema of an answer takes. */
export function jsonOf(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch {
    return undefined
  }
}
