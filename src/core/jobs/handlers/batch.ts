import { asSottoError, SottoError } from '../../../shared/errors.ts'
import type { JobAsk } from '../../../shared/job-ask.ts'
import type { JobPart } from '../../../shared/job-record.ts'
import type { RowState } from '../../../shared/job-rows.ts'
import type { JobEstimate } from '../../../shared/job.ts'
import { BatchBook, partsOf } from '../batch/batch-book.ts'
import { BatchBreaker } from '../batch/batch-breaker.ts'
import { readyAgain, rowOfPurchase, unknownRow, unsent } from '../batch/batch-row.ts'
import { runBatch, type Row } from '../batch/run-batch.ts'
import type { Failure } from '../failure.ts'
import { FIRST_GIVEN, type GivenFiles } from '../source-files.ts'
import { batchRequest, checkBatchAsk, type BatchAsk } from '../requests/batch-request.ts'
import { cellsSchema } from '../tables/read-csv.ts'
import { ofKind, type JobHandler, type HandlerOptions } from './job-handler.ts'

/** A handler whose parts may each have a purchase. */
export interface BatchHandler extends JobHandler {
  /** The batch whose row this purchase pays for, unless something waits for it already. */
  jobOfPurchase(purchaseId: string): string | undefined
  /**
   * Updates the row that this purchase pays for to the state of the purchase. Does nothing if no row waits
   * for it. Throws store/….
   */
  purchaseChanged(purchaseId: string): Promise<void>
}

/**
 * Sends each row of a table to one data endpoint. Each row is recorded before it's sent, and paid once.
 */
export function createBatchHandler(options: HandlerOptions, givenFiles: GivenFiles): BatchHandler {
  const { jobs, parts, payer, lines, closed, stopped, service } = options
  /** Purchases whose outcome is unknown yet, with their rows. */
  const open = new Map<string, { readonly jobId: string; readonly part: number }>()
  const awaited = new Set<string>()

  async function* rowsFrom(jobId: string): AsyncGenerator<Row, void> {
    let index = 0
    for await (const cells of lines.from(jobId, FIRST_GIVEN, 1))
      yield { index: index++, cells: cellsSchema.parse(cells) }
  }

  /** Settles the rows that were in progress when another process ended or a connection broke. */
  async function settleLeft(jobId: string, book: BatchBook): Promise<void> {
    for await (const part of partsOf(jobId, parts, ['sending'])) {
      if (part.purchaseId === undefined) book.put(unknownRow(part))
      else await followRow(jobId, part, part.purchaseId, book)
    }
  }

  /** Never pays: declines a purchase that was only quoted, and waits for one in progress. */
  async function followRow(jobId: string, part: JobPart, purchaseId: string, book: BatchBook): Promise<void> {
    const found = payer.get(purchaseId)
    const record = found?.state === 'quoted' ? payer.decline(purchaseId) : found
    const row = record ? await rowOfPurchase(jobId, part, record, options) : unsent(part)
    if (row) book.put(row)
    if (row) open.delete(purchaseId)
    else open.set(purchaseId, { jobId, part: part.part })
  }

  async function makeReady(jobId: string, book: BatchBook, states: readonly RowState[]): Promise<void> {
    if (states.length === 0) return
    for await (const part of partsOf(jobId, parts, states)) {
      const undelivered = part.purchaseId !== undefined && payer.get(part.purchaseId)?.state === 'undelivered'
      book.put(readyAgain(part, undelivered))
    }
  }

  function end(id: string, book: BatchBook, pause: Failure | undefined): void {
    book.write()
    if (closed.aborted) return
    const asked = stopped(id)
    if (asked) jobs.apply(id, { type: asked })
    else if (pause) jobs.apply(id, { type: 'paused', ...pause })
    else if (book.inState('sending') > 0) jobs.apply(id, { type: 'paused', code: 'payment/unresolved' })
    else if (book.inState('failed') + book.inState('unknown') > 0)
      jobs.apply(id, { type: 'failed', code: 'studio/rows-failed' })
    else jobs.apply(id, { type: 'answered' })
  }

  return {
    paysParts: true,
    check: (ask) => checkBatchAsk(ofKind('batch', ask)),
    estimated: () => Promise.reject(new SottoError('proxy/internal')),
    async estimateAll(asked): Promise<JobEstimate> {
      const ask = ofKind<'batch', JobAsk>('batch', asked)
      const { request, usable, unusable } = await checkRows(ask, await givenFiles.rows(ask))
      const cost = await service.estimate(request)
      const counted = { of: usable + unusable, unusable, requests: usable }
      if (cost === 'unknown') return { cost: null, unknown: ['price'], counted }
      return {
        cost: {
          least: (cost.least * BigInt(usable)).toString(),
          most: (cost.most * BigInt(usable)).toString(),
        },
        unknown: [],
        counted,
      }
    },
    async send(job, _source, states = []) {
      const ask = ofKind('batch', job.ask)
      const book = await BatchBook.open(job.id, options)
      await settleLeft(job.id, book)
      await makeReady(job.id, book, states)
      book.write()
      const rows = rowsFrom(job.id)
      try {
        const pause = await runBatch(
          { job, ask, book, breaker: new BatchBreaker(job.id, options), options },
          rows,
          awaited,
        )
        for await (const { part, purchaseId } of partsOf(job.id, parts, ['sending']))
          if (purchaseId !== undefined) open.set(purchaseId, { jobId: job.id, part })
        end(job.id, book, pause)
      } finally {
        await rows.return()
      }
    },
    async interrupted({ id, state }) {
      const book = await BatchBook.open(id, options)
      await settleLeft(id, book)
      book.write()
      if (state === 'sending')
        jobs.apply(id, {
          type: 'paused',
          code: book.inState('unknown') > 0 ? 'studio/outcome-unknown' : 'studio/interrupted',
        })
    },
    jobOfPurchase: (purchaseId) => (awaited.has(purchaseId) ? undefined : open.get(purchaseId)?.jobId),
    async purchaseChanged(purchaseId) {
      const row = open.get(purchaseId)
      const part = row && parts.get(row.jobId, row.part)
      if (!part || part.state !== 'sending') return void open.delete(purchaseId)
      const book = await BatchBook.open(row.jobId, options)
      await followRow(row.jobId, part, purchaseId, book)
      book.write()
    },
    save: () => Promise.resolve(),
  }
}

/**
 * The number of rows that can be sent, and the request of the first one. Throws studio/invalid-cell if no
 * row can be sent.
 */
async function checkRows(
  ask: Pick<BatchAsk, 'method' | 'path' | 'columns' | 'input'>,
  rows: AsyncIterable<readonly string[]>,
) {
  let columns: number | undefined
  let request: ReturnType<typeof batchRequest> | undefined
  let [usable, unusable] = [0, 0]
  let refusal = new SottoError('studio/csv-empty')
  for await (const cells of rows) {
    if (columns === undefined) {
      columns = cells.length
      if (Object.values(ask.columns).some(({ column }) => column >= cells.length))
        throw new SottoError('studio/csv-column')
      continue
    }
    try {
      const rowRequest = batchRequest(ask, cells)
      request ??= rowRequest
      usable += 1
    } catch (thrown) {
      refusal = asSottoError(thrown)
      unusable += 1
    }
  }
  if (!request) throw refusal
  return { request, usable, unusable }
}
