import { toAsyncIterable } from '../../shared/byte-buffer.ts'
import type { ErrorCode } from '../../shared/error-codes.ts'
import { asSottoError, SottoError } from '../../shared/errors.ts'
import type { JobFile } from '../../shared/job.ts'
import { readBytes } from '../../shared/limited-body.ts'
import { msg } from '../../shared/localized-text.ts'
import { RETRY_DELAYS_MS, withRetries } from '../../shared/with-retries.ts'
import type { Store } from '../storage/index.ts'
import { addedCost } from './handlers/parts.ts'
import { failureOf } from './failure.ts'
import type { Jobs } from './jobs.ts'
import type { PlaintextAsk, StudioService } from './service.ts'

/** The file index of the response. */
export const ANSWER = 0
/** Describes the response as a file of the job. */
export const answerFile = (type: string, bytes: number): JobFile => ({
  index: ANSWER,
  role: 'answer',
  name: 'answer.json',
  type,
  bytes,
})
/** Codes of Node and undici for a failed connection: nothing was sent. */
const UNCONNECTED: ReadonlySet<unknown> = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ENETUNREACH',
  'EHOSTUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
])
/** After these errors it's unknown whether the service processed the request. */
const BROKEN = new Set<ErrorCode>([
  'service/unreachable',
  'service/interrupted',
  'service/timeout',
  'request/canceled',
  'request/locked',
  'proxy/internal',
])

export interface SendOptions {
  readonly jobs: Jobs
  readonly files: Store['jobFiles']
  readonly service: StudioService
  readonly wait: (ms: number, signal: AbortSignal) => Promise<void>
  readonly closed: AbortSignal
}

/**
 * Sends a job that the balance pays, once; the caller recorded it as sent before. Returns the stored
 * response, after writing its cost to the job. Returns null if the job ended: `failed` if the service
 * refused it or the response couldn't be stored, `unknown` if the outcome is unknown. Throws
 * studio/unknown, store/unwritable.
 */
export async function sendFromBalance(
  id: string,
  ask: PlaintextAsk,
  { jobs, files, service, wait, closed }: SendOptions,
): Promise<Uint8Array | null> {
  const { caller } = jobs.of(id)
  let receiptId: string | undefined
  try {
    const answer = await service.open({ ask, caller, signal: closed, mayPayPerRequest: false })
    receiptId = answer.receiptId
    const bytes = await readBytes(answer.body, Infinity)
    const cost = answer.receipt()?.cost
    const type = answer.contentType.split(';', 1)[0]?.trim().toLowerCase() ?? ''
    const keep = async (): Promise<void> => {
      // Write the cost first, so that a process that continues with the stored response knows it, and so
      // does the owner if nothing could be stored.
      jobs.apply(id, { type: 'charged', receiptId: answer.receiptId, ...(cost !== undefined && { cost }) })
      await files.save(id, ANSWER, toAsyncIterable(bytes))
      jobs.apply(id, { type: 'kept', file: answerFile(type, bytes.byteLength) })
    }
    // The response can't be requested again, so a failed write is retried.
    await withRetries(keep, RETRY_DELAYS_MS, { wait, closed }).catch((thrown: unknown) => {
      throw closed.aborted || cost === '0'
        ? thrown
        : new SottoError('store/unwritable', {
            detail: msg(
              'The service responded and charged for it, but the response couldn’t be saved. Trying again costs again.',
            ),
            cause: thrown,
          })
    })
    return bytes
  } catch (thrown) {
    noteFailure(jobs, id, asSottoError(thrown), { receiptId })
    return null
  }
}

/**
 * Records the outcome of a failed sending: `unknown` if the service may have processed the request,
 * otherwise `failed`. The cost of a part counts even if its response isn't stored. Throws store/unwritable,
 * studio/unknown.
 */
export function noteFailure(
  jobs: Jobs,
  id: string,
  failure: SottoError,
  {
    receiptId = failure.details.receiptId,
    cost,
  }: { readonly receiptId?: string | undefined; readonly cost?: string | undefined } = {},
): void {
  const receipt = receiptId === undefined ? {} : { receiptId }
  jobs.apply(
    id,
    ...addedCost(jobs.of(id), cost),
    mayHaveBeenDone(failure)
      ? { type: 'interrupted', ...receipt }
      : { type: 'failed', ...failureOf(failure), ...receipt },
  )
}

/**
 * Whether the request was or may have been sent, and it's unknown whether the service processed it. A
 * request that the relay refused wasn't sent.
 */
export function mayHaveBeenDone(failure: SottoError): boolean {
  return failure.details.privacy !== 'refused' && BROKEN.has(failure.code) && !neverLeft(failure)
}

/**
 * Whether no connection was established, according to the causes of the failure. If several addresses were
 * tried, all must have failed. @param depth number of causes so far
 */
export function neverLeft(failure: unknown, depth = 0): boolean {
  if (!(failure instanceof Error) || depth > 5) return false
  if (failure instanceof AggregateError)
    return failure.errors.length > 0 && failure.errors.every((error) => neverLeft(error, depth + 1))
  if ('code' in failure && UNCONNECTED.has(failure.code)) return true
  return neverLeft(failure.cause, depth + 1)
}
