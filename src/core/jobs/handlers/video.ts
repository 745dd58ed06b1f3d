import { toAsyncIterable } from '../../../shared/byte-buffer.ts'
import type { ErrorCode } from '../../../shared/error-codes.ts'
import { asSottoError, SottoError } from '../../../shared/errors.ts'
import type { JobRecord } from '../../../shared/job-record.ts'
import { readBytes } from '../../../shared/limited-body.ts'
import { msg } from '../../../shared/localized-text.ts'
import { readVideoJob, videoPollDelay, type VideoJob } from '../../../shared/video-job.ts'
import { mayBeSubmission } from '../job-state.ts'
import { fetchMade } from '../save-results.ts'
import { clipJobIn } from '../read-answer.ts'
import { checkVideoAsk, videoRequest } from '../requests/video-request.ts'
import { ANSWER, answerFile, sendFromBalance } from '../send.ts'
import { ofKind, type JobHandler, type HandlerOptions } from './job-handler.ts'
import { answerOf } from './image.ts'

/** The file index of the clip. */
const CLIP = 1
/** Limit for the state of a job, which is short. */
const MAX_STATE_BYTES = 1024 * 1024
/**
 * 4xx codes that concern the job itself. For the others, a person can fix the key or the balance, and the
 * job continues.
 */
const ENDS: ReadonlySet<ErrorCode> = new Set(['service/not-found', 'service/rejected'])

/**
 * Generates a clip asynchronously: the job is submitted, and any later process polls it until it's done.
 */
export function createVideoHandler(options: HandlerOptions): JobHandler {
  const { jobs, files, service, wait, closed } = options
  /** Wakes the loop that waits for the next poll when another caller has polled. */
  const waiting = new Map<string, AbortController>()

  /** Returns null if the service didn't report a state. Only the account that pays for the job can ask. */
  async function ask({
    remoteId,
    accountId,
  }: JobRecord): Promise<{ readonly state: VideoJob; readonly answer: Uint8Array } | null> {
    if (remoteId === undefined || service.accountId() !== accountId) return null
    try {
      const { status, body } = await service.look({ at: 'videos', id: remoteId }, closed)
      const answer = await readBytes(body, MAX_STATE_BYTES)
      const state = readVideoJob(status, answer)
      return state ? { answer, state } : null
    } catch (thrown) {
      if (closed.aborted) throw thrown
      // The service refuses to answer for this job. Any other failure may be temporary.
      if (ENDS.has(asSottoError(thrown).code)) throw thrown
      return null
    }
  }

  async function note(
    id: string,
    { state, answer }: { readonly state: VideoJob; readonly answer: Uint8Array },
  ): Promise<void> {
    if (state.status === 'failed') {
      jobs.apply(id, {
        type: 'failed',
        code: 'studio/video-failed',
        ...(state.says !== undefined && {
          detail: msg('The service’s message: “{words}”.', { words: state.says }),
        }),
      })
      return
    }
    if (state.status === 'pending') return
    await files.save(id, ANSWER, toAsyncIterable(answer))
    jobs.apply(
      id,
      { type: 'kept', file: answerFile('application/json', answer.byteLength) },
      { type: 'answered', ...(state.cost !== undefined && { cost: state.cost }) },
    )
  }

  /** Handles the response to the submission: the id of the job at the service, and its progress. */
  async function importItems(id: string, answer: Uint8Array): Promise<void> {
    const state = clipJobIn(200, answer) ?? clipJobIn(202, answer)
    if (!state)
      throw new SottoError('service/response-invalid', { detail: msg('The response isn’t a video status.') })
    jobs.apply(id, { type: 'accepted', remoteId: state.id })
    await note(id, { state, answer })
  }

  async function pause(id: string, ms: number): Promise<void> {
    const woken = new AbortController()
    waiting.set(id, woken)
    try {
      await wait(ms, AbortSignal.any([closed, woken.signal]))
    } catch (thrown) {
      if (closed.aborted) throw thrown
    } finally {
      waiting.delete(id)
    }
  }

  return {
    check: (asked) => checkVideoAsk(ofKind('video', asked)),
    payable: (asked, source) => videoRequest(ofKind('video', asked), source),
    estimated: (asked) => videoRequest(ofKind('video', asked), undefined),
    async send(job, source) {
      const answer = await sendFromBalance(
        job.id,
        await videoRequest(ofKind('video', job.ask), source),
        options,
      )
      if (answer) await importItems(job.id, answer)
    },
    async poll(job) {
      const response = await ask(job)
      if (!response) return
      await note(job.id, response)
      waiting.get(job.id)?.abort()
    },
    async follow({ id }) {
      let unreadable = 0
      for (let polls = 0; jobs.of(id).state === 'working'; polls++) {
        await pause(id, videoPollDelay(polls, unreadable))
        const job = jobs.of(id)
        if (job.state !== 'working') return
        const response = await ask(job)
        unreadable = response ? 0 : unreadable + 1
        if (response) await note(id, response)
      }
    },
    async save(job) {
      if (job.files.some(({ index }) => index === CLIP)) return
      const answer = await answerOf(job, files)
      if (mayBeSubmission(job)) return importItems(job.id, answer)
      const url = clipJobIn(200, answer)?.url
      if (url === undefined)
        throw new SottoError('service/response-invalid', { detail: msg('The response contains no video.') })
      try {
        jobs.apply(job.id, { type: 'kept', file: await fetchMade(job, CLIP, url, options) })
      } catch (thrown) {
        // The address expired while no process was running. The service issues a new one if it still has
        // the clip.
        const again =
          asSottoError(thrown).code === 'service/media-expired' ? await ask(job).catch(() => null) : null
        if (again?.state.url === undefined) throw thrown
        jobs.apply(job.id, { type: 'kept', file: await fetchMade(job, CLIP, again.state.url, options) })
      }
    },
  }
}
