import type { ErrorCode } from '../../shared/error-codes.ts'
import { asSottoError, type SottoError } from '../../shared/errors.ts'
import type { JobRecord } from '../../shared/job-record.ts'
import type { Store } from '../store/index.ts'
import { once, whole } from './given-files.ts'
import type { Jobs } from './jobs.ts'
import type { OpenAsk, StudioService } from './service.ts'

/** The answer itself. */
export const ANSWER = 0
const SAVE_DELAYS_MS = [500, 1000, 2000, 5000, 10_000]
/** No connection came about, so that nothing left (Node's and undici's names). */
const UNCONNECTED: ReadonlySet<unknown> = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'ENETUNREACH', 'EHOSTUNREACH', 'UND_ERR_CONNECT_TIMEOUT'])
/** After these nobody knows whether the service did it. */
const BROKEN = new Set<ErrorCode>(['service/unreachable', 'service/interrupted', 'service/stalled', 'request/cancelled', 'proxy/internal'])

export interface SendOptions {
  readonly jobs: Jobs
  readonly files: Store['jobFiles']
  readonly service: StudioService
  readonly wait: (ms: number, signal: AbortSignal) => Promise<void>
  readonly closed: AbortSignal
}

export interface Answered {
  readonly job: JobRecord
  readonly status: number
  readonly answer: Uint8Array
  /** Pico-USD. */
  readonly cost?: string
  readonly receiptId: string
}

/**
 * Sends a job from the balance, once: that it leaves was written before. Returns its answer, kept; null where it ended,
 * as the job then says: `failed` where the service turned it away, `unknown` where nobody knows.
 */
export async function sendFromBalance(id: string, ask: OpenAsk, { jobs, files, service, wait, closed }: SendOptions): Promise<Answered | null> {
  const { caller } = jobs.of(id)
  let receiptId: string | undefined
  try {
    const answer = await service.open({ ask, caller, signal: closed, mayPayPerRequest: false })
    receiptId = answer.receiptId
    const bytes = await whole(answer.body)
    await keptAnswer(files, id, bytes, wait, closed)
    const type = answer.contentType.split(';', 1)[0]?.trim().toLowerCase() ?? ''
    const job = jobs.apply(id, { type: 'kept', file: { index: ANSWER, role: 'answer', name: 'answer.json', type, bytes: bytes.byteLength } })
    const cost = answer.receipt()?.cost
    return { job, status: answer.status, answer: bytes, receiptId, ...(cost !== undefined && { cost }) }
  } catch (thrown) {
    noteFailure(jobs, id, asSottoError(thrown), receiptId)
    return null
  }
}

/** What became of a job whose sending failed. */
export function noteFailure(jobs: Jobs, id: string, failure: SottoError, receiptId = failure.details.receiptId): void {
  const receipt = receiptId === undefined ? {} : { receiptId }
  if (failure.details.privacy !== 'refused' && BROKEN.has(failure.code) && !neverLeft(failure)) jobs.apply(id, { type: 'interrupted', ...receipt })
  else jobs.apply(id, { type: 'failed', code: failure.code, ...(failure.details.detail !== undefined && { detail: failure.details.detail }), ...receipt })
}

/** Of several addresses that were tried, none took it. */
export function neverLeft(failure: unknown, depth = 0): boolean {
  if (!(failure instanceof Error) || depth > 5) return false
  if (failure instanceof AggregateError) return failure.errors.length > 0 && failure.errors.every((error) => neverLeft(error, depth + 1))
  if ('code' in failure && UNCONNECTED.has(failure.code)) return true
  return neverLeft(failure.cause, depth + 1)
}

/** It may never come again: a disk that refuses is asked more than once. */
async function keptAnswer(files: Store['jobFiles'], id: string, bytes: Uint8Array, wait: SendOptions['wait'], closed: AbortSignal): Promise<void> {
  for (let tries = 0; ; tries++) {
    try {
      await files.save(id, ANSWER, once(bytes))
      return
    } catch (thrown) {
      const delay = SAVE_DELAYS_MS[tries]
      if (delay === undefined) throw thrown
      await wait(delay, closed)
    }
  }
}
