import { toAsyncIterable } from '../../shared/byte-buffer.ts'
import type { ErrorCode } from '../../shared/error-codes.ts'
import { asSottoError, SottoError } from '../../shared/errors.ts'
import { msg } from '../../shared/localized-text.ts'
import type { Store } from '../storage/index.ts'
import { whole } from './byte-streams.ts'
import { addedCost } from './handlers/parts.ts'
import { failureOf } from './failure.ts'
import type { Jobs } from './jobs.ts'
import type { PlaintextAsk, StudioService } from './service.ts'
import { withRetries } from './with-retries.ts'

/** Where the answer itself stands among a job's files. */
export const ANSWER = 0
const SAVE_DELAYS_MS = [500, 1000, 2000, 5000, 10_000]
/** No connection came about, so that nothing left (Node's and undici's names). */
const UNCONNECTED: ReadonlySet<unknown> = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ENETUNREACH',
  'EHOSTUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
])
/** After these nobody knows whether the service did it. */
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
 * Sends a job from the balance, once: that it leaves was written before. Returns its answer, kept, with what it cost on the job; null where
 * it ended, as the job then says: `failed` where the service turned it away, or the disk refused its answer; `unknown` where nobody knows.
 * Throws studio/unknown, store/unwritable.
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
    const bytes = await whole(answer.body)
    const cost = answer.receipt()?.cost
    const type = answer.contentType.split(';', 1)[0]?.trim().toLowerCase() ?? ''
    const keep = async (): Promise<void> => {
      // First: a process that goes on with what is kept knows what it cost, and so does its owner where nothing could be kept.
      jobs.apply(id, { type: 'charged', receiptId: answer.receiptId, ...(cost !== undefined && { cost }) })
      await files.save(id, ANSWER, toAsyncIterable(bytes))
      jobs.apply(id, {
        type: 'kept',
        file: { index: ANSWER, role: 'answer', name: 'answer.json', type, bytes: bytes.byteLength },
      })
    }
    // It may never come again: a disk that refuses is asked more than once.
    await withRetries(keep, SAVE_DELAYS_MS, { wait, closed }).catch((thrown: unknown) => {
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
 * Notes on the job what became of it when its sending failed: `unknown` where the service may have done it, and else `failed`. What a
 * part of it cost counts, although what it answered is not kept. Throws store/unwritable, studio/unknown.
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

/** Whether it left, or may have, and nobody knows if the service did it. What the relay refused did not leave. */
export function mayHaveBeenDone(failure: SottoError): boolean {
  return failure.details.privacy !== 'refused' && BROKEN.has(failure.code) && !neverLeft(failure)
}

/** Whether no connection came about, by what caused the failure: of several addresses that were tried, none took it. @param depth of the causes so far */
export function neverLeft(failure: unknown, depth = 0): boolean {
  if (!(failure instanceof Error) || depth > 5) return false
  if (failure instanceof AggregateError)
    return failure.errors.length > 0 && failure.errors.every((error) => neverLeft(error, depth + 1))
  if ('code' in failure && UNCONNECTED.has(failure.code)) return true
  return neverLeft(failure.cause, depth + 1)
}
