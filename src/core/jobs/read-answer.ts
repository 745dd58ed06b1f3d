import { z } from 'zod'
import { SottoError } from '../../shared/errors.ts'
import { msg } from '../../shared/localized-text.ts'
import { readVideoJob, type VideoJob } from '../../shared/video-job.ts'
import { tryParseJson } from '../../shared/strict-json.ts'

/** More than the service generates at most (specification, Images). */
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

/** An image as a signed address that expires after a day, or as its bytes. */
export type NamedImage = z.infer<typeof imageSchema>

/** Reads the images that a response names, in their order. Throws service/response-invalid. */
export function imagesIn(answer: Uint8Array): readonly NamedImage[] {
  const parsed = imagesSchema.safeParse(tryParseJson(answer))
  if (!parsed.success)
    throw new SottoError('service/response-invalid', { detail: msg('The response isn’t an image result.') })
  return parsed.data.data
}

/** A job of the account, with an id in the service's format. */
export type ClipJob = VideoJob & { readonly id: string }

/**
 * Reads the progress of a clip.
 *
 * @param status of HTTP
 * @returns undefined if the answer can't be read, or names no job
 */
export function clipJobIn(status: number, answer: Uint8Array): ClipJob | undefined {
  const job = readVideoJob(status, answer)
  return job?.id !== undefined && /^gen_[\w-]{1,200}$/.test(job.id) ? { ...job, id: job.id } : undefined
}
