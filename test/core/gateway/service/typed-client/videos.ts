import { z } from 'zod'
import { msg } from '../../../../../src/shared/localized-text.ts'
import { videoJobStatusSchema } from '../../../../../src/shared/video-job.ts'
import { plainSentence } from '../../../../../src/core/gateway/service/http/error-text.ts'
import {
  checked,
  jsonAnswer,
  jsonBody,
  perform,
  type CallOptions,
  type PayableOptions,
  type Service,
  type ServiceRequest,
} from '../../../../../src/core/gateway/service/http/perform.ts'
import { lenient, moment, text, usd } from '../../../../../src/core/gateway/service/http/wire.ts'

const TIMEOUT_MS = 2 * 60_000

const parameter = z.string().min(1).max(40)
const inputSchema = z.object({
  model: z.string().min(1).max(200),
  prompt: z.string().min(1).max(100_000),
  aspectRatio: parameter.optional(),
  /** Seconds, as text. */
  duration: z
    .string()
    .regex(/^\d{1,4}$/, 'A duration is of whole seconds')
    .optional(),
  quality: parameter.optional(),
  imageUrl: z
    .string()
    .max(8000)
    .regex(/^https:/, 'An image is given by a public https address')
    .optional(),
})
export type VideoInput = z.input<typeof inputSchema>

/** A video job (specification, Video job). */
export interface VideoJob {
  readonly id: string
  readonly state: 'pending' | 'completed' | 'failed'
  readonly model?: string | undefined
  /** Unix ms. */
  readonly createdAt?: number | undefined
  /** Pico-USD. */
  readonly estimatedCost?: bigint | undefined
  readonly cost?: bigint | undefined
  /** Signed: anyone who has it can read the job without a key. Present if the job was paid per request. */
  readonly statusUrl?: string | undefined
  /** Signed, expires after 24 hours. Present once completed. */
  readonly result?: { readonly url: string; readonly contentType?: string | undefined } | undefined
  /** The service's message about a failure. */
  readonly failure?: string | undefined
}

const jobIdSchema = z.string().regex(/^gen_[\w-]{1,200}$/)
const address = z.string().min(1).max(8000)
/** Some clients have seen a text here, others an object. */
const failureSchema = z.union([
  z.string().transform(plainSentence),
  z.object({ message: z.string() }).transform(({ message }) => plainSentence(message)),
  z
    .object({ error: z.object({ message: z.string() }) })
    .transform(({ error }) => plainSentence(error.message)),
])

const jobSchema = z
  .object({
    id: jobIdSchema,
    status: videoJobStatusSchema,
    model: lenient(text(300)),
    created: lenient(moment),
    estimated_cost: lenient(usd),
    cost: lenient(usd),
    status_url: lenient(address),
    data: lenient(
      z.object({ url: address, content_type: lenient(z.string().regex(/^video\/[\w.+-]{1,40}$/)) }),
    ),
    error: lenient(failureSchema),
  })
  .refine(({ status, data }) => status !== 'completed' || data !== undefined)
  .transform((job): VideoJob => ({
    id: job.id,
    state: job.status,
    model: job.model,
    createdAt: job.created,
    estimatedCost: job.estimated_cost,
    cost: job.cost,
    statusUrl: job.status_url,
    result: job.data && { url: job.data.url, contentType: job.data.content_type },
    failure: job.status === 'failed' ? (job.error ?? '') : undefined,
  }))

const read = jsonAnswer(jobSchema, msg('The response isn’t a video job.'))

/**
 * `POST /v1/videos` (specification, Videos): 202 or 200, with the current state of the job. Sent once, because each
 * answer is another job.
 */
function videoRequest(input: VideoInput): ServiceRequest<VideoJob> {
  const { model, prompt, aspectRatio, duration, quality, imageUrl } = checked(inputSchema, input)
  return {
    method: 'POST',
    target: { path: '/v1/videos' },
    auth: 'payable',
    body: jsonBody({ model, prompt, aspect_ratio: aspectRatio, duration, quality, image_url: imageUrl }),
    timeoutMs: TIMEOUT_MS,
    read,
  }
}

/** `GET /v1/videos/{id}`: 202 while the video is generated, 200 once it is done. */
function videoStatusRequest(id: string): ServiceRequest<VideoJob> {
  return {
    method: 'GET',
    target: { path: `/v1/videos/${checked(jobIdSchema, id)}` },
    auth: 'key',
    repeatable: true,
    read,
  }
}

/** Reads the status by the job's signed `status_url`, like videoStatusRequest. No credential is sent. */
function signedVideoStatusRequest(statusUrl: string): ServiceRequest<VideoJob> {
  return { method: 'GET', target: { address: statusUrl }, auth: 'none', repeatable: true, read }
}

export async function submitVideo(
  service: Service,
  input: VideoInput,
  options: PayableOptions = {},
): Promise<VideoJob> {
  return perform(service, videoRequest(input), options)
}

/** Reads the current state of a job: by its signed address if it has one, otherwise with the key. */
export async function readVideo(
  service: Service,
  { id, statusUrl }: Pick<VideoJob, 'id' | 'statusUrl'>,
  options: CallOptions = {},
): Promise<VideoJob> {
  return perform(
    service,
    statusUrl === undefined ? videoStatusRequest(id) : signedVideoStatusRequest(statusUrl),
    options,
  )
}
