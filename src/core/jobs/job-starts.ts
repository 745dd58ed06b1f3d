import { randomUUID } from 'node:crypto'
import { SottoError } from '../../shared/errors.ts'
import type { JobAsk, GivenFile, StoredAsk, StoredFile } from '../../shared/job-ask.ts'
import type { JobRecord } from '../../shared/job-record.ts'
import type { JobEstimate } from '../../shared/job.ts'
import type { JobHandlers } from './handlers/create-handlers.ts'
import { FIRST_GIVEN, type GivenFiles } from './source-files.ts'
import type { NewJob, Studio, StudioOptions } from './index.ts'
import type { JobProgress } from './job-progress.ts'
import type { Jobs } from './jobs.ts'
import type { StudioService } from './service.ts'
import type { Uploads } from './uploads.ts'

/** The ask of a job as a new one: files that the job stores become references to them. */
export function askedAgain({ id, ask }: JobRecord): JobAsk {
  const sourceOf = (file: StoredFile): GivenFile => ('file' in file ? { jobId: id, index: file.file } : file)
  if (ask.kind === 'speech' || ask.kind === 'data') return ask
  if (ask.kind === 'transcription' || ask.kind === 'batch') return { ...ask, file: sourceOf(ask.file) }
  if (ask.kind === 'embedding') return { ...ask, source: { form: 'jsonl', file: sourceOf(ask.source.file) } }
  const { image, ...rest } = ask
  if (!image) return rest
  return { ...rest, image: sourceOf(image) }
}

/** The ask without the content of its files, which doesn't change the cost. */
function withoutFiles(ask: JobAsk): StoredAsk {
  if (ask.kind === 'speech' || ask.kind === 'data') return ask
  if (ask.kind === 'transcription' || ask.kind === 'batch') return { ...ask, file: { file: FIRST_GIVEN } }
  if (ask.kind === 'embedding')
    return { ...ask, source: { form: ask.source.form, file: { file: FIRST_GIVEN } } }
  const { image, ...rest } = ask
  return image && 'url' in image ? { ...rest, image } : rest
}

export interface JobStartsOptions {
  readonly jobs: Jobs
  readonly files: StudioOptions['store']['jobFiles']
  readonly uploads: Uploads
  readonly givenFiles: GivenFiles
  readonly handlers: JobHandlers
  readonly progress: JobProgress
  readonly service: Pick<StudioService, 'estimate' | 'accountId' | 'quote'>
  readonly payer: Pick<StudioOptions['payer'], 'get' | 'decline'>
  readonly closed: AbortSignal
  /** Unix ms. */
  readonly now: () => number
}

/**
 * Starts jobs: estimates the cost, writes the files and the record, and then requests the price or sends
 * the job. If a step fails, nothing of the job is left.
 */
export function jobStarts({
  jobs,
  files,
  uploads,
  givenFiles,
  handlers,
  progress,
  service,
  payer,
  closed,
  now,
}: JobStartsOptions): Pick<Studio, 'estimate' | 'start'> {
  async function estimate(ask: JobAsk): Promise<JobEstimate> {
    const handler = handlers[ask.kind]
    handler.check(ask)
    if (handler.estimateAll) return handler.estimateAll(ask)
    const { seconds } = await givenFiles.check(ask)
    const cost = await service.estimate(await handler.estimated(withoutFiles(ask), seconds))
    if (cost === 'unknown')
      return {
        cost: null,
        unknown: [ask.kind === 'transcription' && seconds === undefined ? 'length' : 'price'],
      }
    return {
      cost: { least: cost.least.toString(), most: cost.most.toString() },
      unknown: cost.least === cost.most ? [] : ['choice'],
    }
  }

  async function start({ ask, pay, most, caller, signal }: NewJob): Promise<JobRecord> {
    const { cost } = await estimate(ask)
    if (most !== undefined) requireWithin(cost, BigInt(most))
    // The cap is checked before each row is sent, so the price must be known.
    if (ask.kind === 'batch' && ask.most !== undefined && !cost) throw new SottoError('studio/price-unknown')
    const accountId = service.accountId()
    const { payable, paysParts } = handlers[ask.kind]
    if (pay === 'single' && !payable && !paysParts) throw new SottoError('studio/balance-only')
    if (pay === 'balance' && accountId === null) throw new SottoError('service/no-account')
    const id = randomUUID()
    try {
      const gathered = await givenFiles.gather(id, ask)
      const at = Math.trunc(now())
      const job = jobs.put({
        id,
        at,
        changedAt: at,
        state: 'ready',
        pay,
        caller,
        ask: gathered.ask,
        files: gathered.files,
        ...(cost && { estimate: cost }),
        ...(gathered.parts !== undefined && { parts: { of: gathered.parts, done: 0 } }),
        ...(pay === 'balance' && accountId !== null && { accountId }),
      })
      if (pay === 'single' && !paysParts) await quote(job, { most, caller, signal })
      for (const uploadId of gathered.uploadIds) uploads.discard(uploadId)
      // If it throws, nothing was sent.
      if (pay === 'balance') progress.send(id)
    } catch (thrown) {
      await discard(id)
      throw thrown
    }
    return jobs.of(id)
  }

  /**
   * Requests the price from the service; the job then waits for its owner. Throws studio/above-cap and
   * declines the purchase if it's too expensive at the known exchange rate.
   */
  async function quote(
    job: JobRecord,
    { most, caller, signal }: Pick<NewJob, 'most' | 'caller' | 'signal'>,
  ): Promise<void> {
    const { payable } = handlers[job.ask.kind]
    if (!payable) throw new SottoError('studio/balance-only')
    const ask = await payable(job.ask, givenFiles.sourceOf(job))
    const purchaseId = await service.quote({ ask, caller, signal: AbortSignal.any([signal, closed]) })
    const { receiptId, worth } = payer.get(purchaseId) ?? {}
    if (most !== undefined && worth !== undefined && worth > BigInt(most)) {
      payer.decline(purchaseId)
      throw new SottoError('studio/above-cap')
    }
    jobs.apply(job.id, { type: 'quoted', purchaseId, ...(receiptId !== undefined && { receiptId }) })
  }

  /** Discards a job that couldn't be started. The caller receives the error, and still has the ask. */
  async function discard(id: string): Promise<void> {
    await files.remove(id).catch(() => undefined)
    if (!jobs.store.get(id)) return
    jobs.store.remove(id)
    jobs.tell({ jobId: id, job: null })
  }

  return { estimate, start }
}

function requireWithin(cost: JobEstimate['cost'], most: bigint): void {
  if (!cost) throw new SottoError('studio/price-unknown')
  if (BigInt(cost.most) > most) throw new SottoError('studio/above-cap')
}
