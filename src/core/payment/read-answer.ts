import { z } from 'zod'
import { SottoError } from '../../shared/errors.ts'
import { GatheredBytes } from '../../shared/gathered-bytes.ts'
import { say } from '../../shared/say.ts'
import { videoJobStatusSchema } from '../../shared/video-job-status.ts'
import type { FrozenRequest } from './journal.ts'
import type { Job } from './payment-state.ts'

const MAX_ANSWER_BYTES = 64 * 1024 * 1024
const MAX_JOB_BYTES = 1024 * 1024
/** As many images as the service makes at most (specification, Images), and some. */
const MAX_IMAGES = 16
const MAX_ADDRESS = 4096

const address = z.string().min(1).max(MAX_ADDRESS)
/** A state that nobody knows must not lose the address, by which alone a job that was paid for can be asked about. */
const jobSchema = z.object({ id: z.string().max(200).optional(), status: videoJobStatusSchema.optional().catch(undefined), status_url: address.optional().catch(undefined) })
const imagesSchema = z.object({ data: z.array(z.object({ url: address.optional().catch(undefined) })).max(MAX_IMAGES).optional() })
const clipSchema = z.object({ url: address })
const polledSchema = z.object({ status: videoJobStatusSchema, data: z.union([clipSchema, z.array(clipSchema).min(1).max(MAX_IMAGES).transform(([first]) => first)]).optional().catch(undefined) })

/** What an answer names besides what it says: the job that was begun, or images to fetch. */
export interface Named {
  readonly job?: Job
  readonly statusUrl?: string
  readonly images: readonly string[]
}

/** An answer whole. Throws service/response-invalid where it is too long, and what the body throws. */
export async function readAnswer(body: AsyncIterable<Uint8Array>, limit = MAX_ANSWER_BYTES): Promise<Uint8Array> {
  const gathered = new GatheredBytes()
  for await (const piece of body) {
    if (gathered.bytes + piece.byteLength > limit) throw new SottoError('service/response-invalid', { detail: say('It exceeds the length limit.') })
    gathered.add(piece)
  }
  return gathered.take()
}

/** Of whatever comes back; data is the buyer's own, and nothing that it names is fetched. */
export function namedIn(endpoint: FrozenRequest['endpoint'], answer: Uint8Array): Named {
  if (endpoint === 'data') return { images: [] }
  const json = jsonOf(answer)
  if (endpoint !== 'videos') {
    const images = imagesSchema.safeParse(json)
    return { images: images.success ? (images.data.data ?? []).flatMap(({ url }) => (url === undefined ? [] : [url])) : [] }
  }
  const job = jobSchema.safeParse(json)
  if (!job.success) return { images: [] }
  const { id = '', status = 'pending', status_url: statusUrl } = job.data
  return { images: [], job: { id, status }, ...(statusUrl !== undefined && { statusUrl }) }
}

/** How far a job is, and where its clip is once it is completed. Throws service/response-invalid, and what the body throws. */
export async function readJob(body: AsyncIterable<Uint8Array>): Promise<{ readonly status: Job['status']; readonly clip?: string }> {
  const job = polledSchema.safeParse(jsonOf(await readAnswer(body, MAX_JOB_BYTES)))
  if (!job.success) throw new SottoError('service/response-invalid', { detail: say('The response isn’t a video status.') })
  const { status, data } = job.data
  return { status, ...(data && { clip: data.url }) }
}

/** A content type as it may be shown and given on. */
export function plainContentType(contentType: string): string {
  const [, type] = /^\s*([\w.+-]{1,60}\/[\w.+-]{1,60})\s*(?:;.*)?$/s.exec(contentType) ?? []
  return type?.toLowerCase() ?? 'application/octet-stream'
}

function jsonOf(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch {
    return undefined
  }
}
