import { z } from 'zod'
import { SottoError } from '../../shared/errors.ts'
import { ByteBuffer } from '../../shared/byte-buffer.ts'
import { msg } from '../../shared/localized-text.ts'
import { readVideoJob, type VideoJob } from '../../shared/video-job.ts'
import type { FrozenRequest } from './journal.ts'
import type { Job } from './payment-state.ts'
import { tryParseJson } from '../../shared/strict-json.ts'

const MAX_ANSWER_BYTES = 64 * 1024 * 1024
const MAX_JOB_BYTES = 1024 * 1024
/** As many images as the service makes at most (specification, Images), and some. */
const MAX_IMAGES = 16
const MAX_ADDRESS = 4096

const address = z.string().min(1).max(MAX_ADDRESS)
const imagesSchema = z.object({
  data: z
    .array(z.object({ url: z.unknown().optional() }))
    .max(MAX_IMAGES)
    .optional(),
})

/** What an answer names besides what it says: the job that was begun, or images to fetch. */
export interface Named {
  readonly job?: Job
  readonly statusUrl?: string
  readonly images: readonly string[]
}

/** An answer whole. Throws service/response-invalid where it is too long, and what the body throws. */
export async function readAnswer(
  body: AsyncIterable<Uint8Array>,
  limit = MAX_ANSWER_BYTES,
): Promise<Uint8Array> {
  const gathered = new ByteBuffer()
  for await (const piece of body) {
    if (gathered.bytes + piece.byteLength > limit)
      throw new SottoError('service/response-invalid', { detail: msg('It exceeds the length limit.') })
    gathered.add(piece)
  }
  return gathered.take()
}

/** Of whatever comes back; data is the buyer's own, and nothing that it names is fetched. */
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
  // A state that can't be read must not lose the address, which is the only way to ask about a job that was paid for.
  const job = readVideoJob(200, answer) ?? readVideoJob(202, answer)
  if (!job || json === undefined) return { images: [] }
  const { id = '', status, statusUrl } = job
  return { images: [], job: { id, status }, ...(statusUrl !== undefined && { statusUrl }) }
}

/** How far a job is, by an answer about it; undefined if it can't be read. Throws what the body throws. */
export async function readJob({
  status,
  body,
}: {
  readonly status: number
  readonly body: AsyncIterable<Uint8Array>
}): Promise<VideoJob | undefined> {
  return readVideoJob(status, await readAnswer(body, MAX_JOB_BYTES))
}

/** A content type as it may be shown and given on. */
export function plainContentType(contentType: string): string {
  const [, type] = /^\s*([\w.+-]{1,60}\/[\w.+-]{1,60})\s*(?:;.*)?$/s.exec(contentType) ?? []
  return type?.toLowerCase() ?? 'application/octet-stream'
}
