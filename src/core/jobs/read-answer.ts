import { z } from 'zod'
import { SottoError } from '../../shared/errors.ts'
import { msg } from '../../shared/localized-text.ts'
import { readVideoJob, type VideoJob } from '../../shared/video-job.ts'
import { tryParseJson } from '../../shared/strict-json.ts'

/** As many as the service makes at most (specification, Images), and some. */
const MOST_IMAGES = 16
const address = z.string().min(1).max(8000)
const imageSchema = z.union([
  z.object({ url: address }),
  z.object({
    b64_json: z
      .string()
      .min(1)
      .regex(/^[\w+/-]+={0,2}$/),
  }),
])
const imagesSchema = z.object({ data: z.array(imageSchema).min(1).max(MOST_IMAGES) })

/** An image by a signed address that ends after a day, or the image itself. */
export type NamedImage = z.infer<typeof imageSchema>

/** What an answer of images names, in its order. Throws service/response-invalid. */
export function imagesIn(answer: Uint8Array): readonly NamedImage[] {
  const parsed = imagesSchema.safeParse(tryParseJson(answer))
  if (!parsed.success)
    throw new SottoError('service/response-invalid', { detail: msg('The response isn’t an image result.') })
  return parsed.data.data
}

/** A job of the account, which has an id of the service's own form. */
export type ClipJob = VideoJob & { readonly id: string }

/**
 * How far a clip is.
 *
 * @param status of HTTP
 * @returns undefined if the answer can't be read, or names no job
 */
export function clipJobIn(status: number, answer: Uint8Array): ClipJob | undefined {
  const job = readVideoJob(status, answer)
  return job?.id !== undefined && /^gen_[\w-]{1,200}$/.test(job.id) ? { ...job, id: job.id } : undefined
}
