import { SottoError } from '../../../../shared/errors.ts'
import { toAsyncIterable } from '../../../../shared/byte-buffer.ts'
import { readBytes } from '../../../../shared/limited-body.ts'
import type { JsonObject } from '../../../../shared/strict-json.ts'
import { readVideoJob, type VideoJob } from '../../../../shared/video-job.ts'
import type { WrittenAnswer } from '../plaintext-answer.ts'
import { objectIn } from './members.ts'

/** The states of OpenAI's videos. */
const STATES = { pending: 'in_progress', completed: 'completed', failed: 'failed' } as const satisfies Record<
  VideoJob['status'],
  string
>

/**
 * Writes a video job with OpenAI's members in addition to the service's own. `status` has OpenAI's values,
 * because its SDKs poll while it's `queued` or `in_progress`. An unreadable answer is passed on unchanged.
 * @throws the errors of the answer's body
 */
export async function writeVideo(
  { status, contentType, body }: WrittenAnswer,
  requestMembers: JsonObject = {},
): Promise<WrittenAnswer> {
  const bytes = await readBytes(body, Infinity)
  const job = readVideoJob(status, bytes)
  const members = objectIn(bytes)
  if (!job || !members || members['status'] === undefined)
    return { status, contentType, contentLength: bytes.byteLength, body: toAsyncIterable(bytes) }
  const { seconds, size, prompt } = requestMembers
  const failed = job.status === 'failed'
  const text = JSON.stringify({
    completed_at: null,
    expires_at: null,
    remixed_from_video_id: null,
    ...(seconds !== undefined && { seconds }),
    ...(size !== undefined && { size }),
    prompt: prompt ?? null,
    ...members,
    object: 'video',
    status: STATES[job.status],
    created_at: members['created'] ?? null,
    progress: job.status === 'completed' ? 100 : 0,
    error: failed
      ? { code: 'video_generation_failed', message: job.says ?? 'The service names no reason.' }
      : null,
  })
  return {
    status,
    contentType: 'application/json',
    contentLength: Buffer.byteLength(text),
    body: toAsyncIterable(Buffer.from(text)),
  }
}

/**
 * Returns the address of a finished video.
 * @throws {SottoError} service/not-found – it isn't finished, or it failed: SDKs don't repeat that request
 * @throws {SottoError} service/response-invalid – the answer has no address
 */
export async function videoAddress({ status, body }: WrittenAnswer): Promise<string> {
  const job = readVideoJob(status, await readBytes(body, Infinity))
  if (job?.status === 'failed')
    throw new SottoError('service/not-found', { toolDetail: 'The video failed, so it has no content.' })
  if (job?.status === 'pending')
    throw new SottoError('service/not-found', {
      toolDetail: 'The video is not finished. Retrieve it until its status is "completed".',
    })
  if (job?.url === undefined) throw new SottoError('service/response-invalid')
  return job.url
}
