import { z } from 'zod'
import { readBytes } from '../../shared/limited-body.ts'
import { readVideoJob, type VideoJob } from '../../shared/video-job.ts'
import type { FrozenRequest } from '../../shared/payment-record.ts'
import type { Job } from './payment-state.ts'
import { tryParseJson } from '../../shared/strict-json.ts'

const MAX_JOB_BYTES = 1024 * 1024
/** More images than the service generates (specification, Images). */
const MAX_IMAGES = 16
const MAX_ADDRESS = 4096

const address = z.string().min(1).max(MAX_ADDRESS)
const imagesSchema = z.object({
  data: z
    .array(z.object({ url: z.unknown().optional() }))
    .max(MAX_IMAGES)
    .optional(),
})

/** The job that an answer started, or the images to fetch. */
export interface Named {
  readonly job?: Job
  readonly statusUrl?: string
  readonly images: readonly string[]
}

/**
 * Reads any answer. The content of a data answer belongs to the buyer, so nothing that it names is fetched.
 */
export function namedIn(endpoint: FrozenRequest['endpoint'], answer: Uint8Array): Named {
  if (endpoint === 'data') return { images: [] }
  const json = tryParseJson(answer)
  if (endpoint !== 'videos') {
    const images = imagesSchema.safeParse(json)
    return {
      images: images.success
        ? (images.data.data ?? []).flatMap(({ url }) => address.safeParse(url).data ?? [])
        : [],
    }
  }
  // An unreadable state must not lose the address, which is the only way to request a paid job.
  const job = readVideoJob(200, answer) ?? readVideoJob(202, answer)
  if (!job || json === undefined) return { images: [] }
  const { id = '', status, statusUrl } = job
  return { images: [], job: { id, status }, ...(statusUrl !== undefined && { statusUrl }) }
}

/**
 * Reads the progress of a job from an answer; undefined if it's unreadable. Throws the errors of the body.
 */
export async function readJob({
  status,
  body,
}: {
  readonly status: number
  readonly body: AsyncIterable<Uint8Array>
}): Promise<VideoJob | undefined> {
  return readVideoJob(status, await readBytes(body, MAX_JOB_BYTES))
}

/** Returns a content type that is safe to show and to pass on. */
export function plainContentType(contentType: string): string {
  const [, type] = /^\s*([\w.+-]{1,60}\/[\w.+-]{1,60})\s*(?:;.*)?$/s.exec(contentType) ?? []
  return type?.toLowerCase() ?? 'application/octet-stream'
}
