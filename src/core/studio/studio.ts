import { randomUUID } from 'node:crypto'
import { asSottoError, SottoError } from '../../shared/errors.ts'
import type { JobAsk, JobKind, KeptAsk, KeptFile } from '../../shared/job-ask.ts'
import type { JobRecord } from '../../shared/job-record.ts'
import type { JobEstimate } from '../../shared/job.ts'
import type { Caller } from '../../shared/receipt.ts'
import type { Course, CourseOptions } from './courses/course.ts'
import { dataCourse } from './courses/data-course.ts'
import { imageCourse } from './courses/image-course.ts'
import { speechCourse } from './courses/speech-course.ts'
import { transcriptionCourse } from './courses/transcription-course.ts'
import { videoCourse } from './courses/video-course.ts'
import { followPurchase } from './follow-purchase.ts'
import { FIRST_GIVEN, GivenFiles, givenOf } from './given-files.ts'
import { historyMatches } from './history-match.ts'
import { actionsOf, hasEnded } from './job-state.ts'
import { Jobs } from './jobs.ts'
import { fileAt, Links } from './links.ts'
import { exportJobs } from './export-jobs.ts'
import { JobRemovals } from './job-removals.ts'
import { listJobs } from './list-jobs.ts'
import type { Studio, StudioOptions } from './index.ts'
import type { Given } from './requests/image-request.ts'
import { ANSWER } from './send.ts'
import { readTranscript } from './read-transcript.ts'
import { sleep } from '../../shared/sleep.ts'
import { usageOf } from './usage.ts'
import { Uploads } from './uploads.ts'

/** Opens the jobs over a store. Nothing of what it holds moves before `resume`. */
export function openStudio({ store, spool, service, payer, strip, now, wait = sleep }: StudioOptions): Studio {
  const closing = new AbortController()
  const closed = closing.signal
  const { jobFiles: files } = store
  const jobs = new Jobs(store.jobs, now)
  const uploads = new Uploads(spool, now)
  const links = new Links(now)
  const given = new GivenFiles({ jobs, files, uploads, strip })
  const stopping = new Set<string>()
  const options: CourseOptions = { jobs, files, service, wait, closed, stopped: (id) => stopping.has(id) }
  const courses: Record<JobKind, Course> = { image: imageCourse(options), video: videoCourse(options), speech: speechCourse(options), transcription: transcriptionCourse(options), data: dataCourse(options) }
  const removals = new JobRemovals({ jobs, files, forgetDelivered })
  /** What is not delivered yet stays the payer's: it can still be had. */
  async function forgetDelivered(purchaseId: string): Promise<void> {
    if (payer.get(purchaseId)?.state === 'delivered') await store.deliveredFiles.remove(purchaseId)
  }
  /** One thing at a time for each job. */
  const running = new Map<string, Promise<void>>()

  function run(id: string, work: () => Promise<void>): Promise<void> {
    const before = running.get(id) ?? Promise.resolve()
    const next = before.then(work).catch((thrown: unknown) => fail(id, thrown)).finally(() => {
      if (running.get(id) === next) running.delete(id)
    })
    running.set(id, next)
    return next
  }

  /** Once this is closed, the next start goes on with it. */
  function fail(id: string, thrown: unknown): void {
    if (closed.aborted) return
    const { code, details } = asSottoError(thrown)
    try {
      if (code === 'service/media-gone') jobs.apply(id, { type: 'lost' })
      else jobs.apply(id, { type: 'failed', code, ...(details.detail !== undefined && { detail: details.detail }) })
    } catch {
      // A disk that refuses: the next start finds it as it was written last.
    }
  }

  /** Goes on from where it stands, as far as it goes without its owner. */
  async function goOn(id: string): Promise<void> {
    let job = jobs.of(id)
    if (job.purchaseId !== undefined && !hasEnded(job.state)) {
      const purchase = payer.get(job.purchaseId)
      if (purchase) job = await followPurchase(id, purchase, { jobs, files })
    }
    const course = courses[job.ask.kind]
    if (job.state === 'working' && job.pay === 'balance') {
      await course.follow?.(job)
      job = jobs.of(id)
    }
    if (job.state !== 'saving') return
    await course.save(job)
    jobs.apply(id, { type: 'done' })
  }

  /** It counts as sent from here on: nobody can have it sent a second time. */
  function send(id: string): void {
    const job = jobs.apply(id, { type: 'sent', at: Math.trunc(now()) })
    void run(id, async () => {
      await courses[job.ask.kind].send(job, ownGiven(job))
      await goOn(id)
    })
  }

  function ownGiven({ id, ask, files: kept }: JobRecord): Given | undefined {
    const own = givenOf<KeptFile>(ask)
    if (!own || !('file' in own)) return undefined
    const file = fileAt(kept, own.file)
    return {
      file,
      read: () => {
        const content = files.stream(id, file.index)
        if (!content) throw new SottoError('store/damaged', { detail: 'What a job is made from is gone.' })
        return content
      },
    }
  }

  async function estimate(ask: JobAsk): Promise<JobEstimate> {
    const course = courses[ask.kind]
    course.check(ask)
    const { seconds } = await given.check(ask)
    const cost = await service.estimate(await course.estimated(withoutFiles(ask), seconds))
    if (cost === 'unknown') return { cost: null, unknown: [ask.kind === 'transcription' && seconds === undefined ? 'length' : 'price'] }
    return { cost: { least: cost.least.toString(), most: cost.most.toString() }, unknown: cost.least === cost.most ? [] : ['choice'] }
  }

  async function begin({ ask, pay, most, caller, signal }: Parameters<Studio['start']>[0]): Promise<JobRecord> {
    const { cost } = await estimate(ask)
    if (most !== undefined) requireWithin(cost, BigInt(most))
    const accountId = service.accountId()
    if (pay === 'single' && !courses[ask.kind].payable) throw new SottoError('studio/balance-only')
    if (pay === 'balance' && accountId === null) throw new SottoError('service/no-account')
    const id = randomUUID()
    try {
      const gathered = await given.gather(id, ask)
      const at = Math.trunc(now())
      const job = jobs.put({
        id, at, changedAt: at, state: 'ready', pay, caller, ask: gathered.ask, files: gathered.files,
        ...(cost && { estimate: cost }), ...(pay === 'balance' && accountId !== null && { accountId }),
      })
      if (pay === 'single') await quote(job, caller, signal)
      for (const uploadId of gathered.uploadIds) uploads.discard(uploadId)
      if (pay === 'balance') send(id)
      return jobs.of(id)
    } catch (thrown) {
      await discard(id)
      throw thrown
    }
  }

  /** Asks the service for its price; the job then waits for its owner. */
  async function quote(job: JobRecord, caller: Caller, signal: AbortSignal): Promise<void> {
    const { payable } = courses[job.ask.kind]
    if (!payable) throw new SottoError('studio/balance-only')
    const ask = await payable(job.ask, ownGiven(job))
    const purchaseId = await service.quote({ ask, caller, signal: AbortSignal.any([signal, closed]) })
    const receiptId = payer.get(purchaseId)?.receiptId
    jobs.apply(job.id, { type: 'quoted', purchaseId, ...(receiptId !== undefined && { receiptId }) })
  }

  /** Nothing came of it: whoever asked is told why, and still has what was asked for. */
  async function discard(id: string): Promise<void> {
    await files.remove(id).catch(() => undefined)
    if (!store.jobs.get(id)) return
    store.jobs.remove(id)
    jobs.tell({ jobId: id, job: null })
  }

  function requireAction(id: string, action: ReturnType<typeof actionsOf>[number]): JobRecord {
    const job = jobs.of(id)
    if (!actionsOf(job).includes(action)) throw new SottoError('studio/state')
    return job
  }

  async function followPurchases(): Promise<void> {
    for await (const { id: purchaseId } of payer.changes(closed)) {
      const job = store.jobs.ofPurchase(purchaseId)
      if (!job) continue
      // What is shown of the purchase changed, whether or not the job does.
      jobs.tell({ jobId: job.id, job })
      void run(job.id, async () => {
        const current = jobs.of(job.id)
        const purchase = payer.get(purchaseId)
        if (purchase && current.state === 'failed') await followPurchase(job.id, purchase, { jobs, files })
        await goOn(job.id)
      })
    }
  }
  const following = followPurchases().catch(() => undefined)

  return {
    jobs,
    uploads,
    links,
    estimate,
    start: begin,
    again(id, { pay, caller, signal }) {
      const job = requireAction(id, 'again')
      return begin({ ask: askedAgain(job), pay: pay ?? job.pay, caller, signal })
    },
    /** From the balance; what is paid by itself is paid by the payer, which the job follows. */
    send(id) {
      const job = requireAction(id, 'pay')
      if (job.pay === 'balance') send(id)
      return jobs.of(id)
    },
    async settled(id) {
      if (jobs.of(id).pay === 'single') await run(id, () => goOn(id))
      return jobs.of(id)
    },
    stop(id) {
      const { purchaseId, state } = requireAction(id, 'stop')
      if (state === 'sending') {
        // The part that is under way is waited for: it is paid.
        stopping.add(id)
        return jobs.of(id)
      }
      if (purchaseId !== undefined) payer.decline(purchaseId)
      return jobs.apply(id, { type: 'stopped' })
    },
    resume(id) {
      const { pay, purchaseId, files: kept } = requireAction(id, 'resume')
      const { state } = jobs.apply(id, { type: 'resumed' })
      stopping.delete(id)
      if (state === 'ready' && pay === 'balance') send(id)
      else if (pay === 'single' && purchaseId !== undefined && !kept.some(({ index }) => index === ANSWER)) {
        // What becomes of it is followed; a failure of the call itself is told by the purchase.
        void payer.retry(purchaseId, closed).catch((thrown: unknown) => fail(id, thrown))
      } else void run(id, () => goOn(id))
      return jobs.of(id)
    },
    async poll(id) {
      const job = requireAction(id, 'poll')
      // What is paid by itself the payer asks about; what follows the others sees what came of this, and goes on.
      if (job.pay === 'single') await run(id, () => goOn(id))
      else await courses[job.ask.kind].poll?.(job)
      return jobs.of(id)
    },
    compare: (id, signal) => historyMatches(requireAction(id, 'compare'), service, AbortSignal.any([signal, closed])),
    remove: (ids) => removals.remove(ids),
    restore: (ids) => removals.restore(ids),
    usage: () => usageOf(store.jobs),
    export(ids) {
      const name = `sotto-library-${new Date(now()).toISOString().slice(0, 10)}.zip`
      const exported = ids.map((id) => jobs.of(id))
      return { ...links.add({ name, type: 'application/zip', download: true, stream: () => exportJobs(exported, { files, receipt: (id) => store.receipts.get(id), now: now() }) }), name }
    },
    transcript: (id) => readTranscript(jobs.of(id), files),
    list: (question) => listJobs(store.jobs, question),
    open: () => store.jobs.open(),
    link(id, index, download) {
      const { name, type, bytes } = fileAt(jobs.of(id).files, index)
      return links.add({ name, type, bytes, download, stream: (from) => files.stream(id, index, from) })
    },
    resumeAll() {
      removals.finishAll()
      for (const { id, state, pay, purchaseId } of store.jobs.open()) {
        // After an unlocking there may be some that this process has begun.
        if (running.has(id)) continue
        if (state === 'sending' && pay === 'balance') interrupted(id)
        if (state === 'ready' && pay === 'single' && purchaseId === undefined) jobs.apply(id, { type: 'stopped' })
        void run(id, () => goOn(id))
      }
    },
    wake() {
      for (const { id, ask, state, pay } of store.jobs.open()) {
        if (state === 'working' && pay === 'balance') void courses[ask.kind].poll?.(jobs.of(id)).catch(() => undefined)
      }
    },
    async [Symbol.asyncDispose]() {
      closing.abort()
      await Promise.all([...running.values(), following])
      await removals[Symbol.asyncDispose]()
      uploads.discardAll()
      links.clear()
    },
  }

  /** Noted as sent, by a process that ended: unless its answer was kept already, nobody knows whether it was done. */
  function interrupted(id: string): void {
    const bytes = files.size(id, ANSWER)
    if (bytes === null) jobs.apply(id, { type: 'interrupted' })
    else jobs.apply(id, { type: 'kept', file: { index: ANSWER, role: 'answer', name: 'answer.json', type: 'application/json', bytes } }, { type: 'answered' })
  }
}

/** A job's own files, as files that are handed over. */
function askedAgain({ id, ask }: JobRecord): JobAsk {
  if (ask.kind === 'speech' || ask.kind === 'data') return ask
  if (ask.kind === 'transcription') return { ...ask, file: 'file' in ask.file ? { jobId: id, index: ask.file.file } : ask.file }
  const { image, ...rest } = ask
  if (!image) return rest
  return { ...rest, image: 'file' in image ? { jobId: id, index: image.file } : image }
}

/** What is in a file costs nothing. */
function withoutFiles(ask: JobAsk): KeptAsk {
  if (ask.kind === 'speech' || ask.kind === 'data') return ask
  if (ask.kind === 'transcription') return { ...ask, file: { file: FIRST_GIVEN } }
  const { image, ...rest } = ask
  return image && 'url' in image ? { ...rest, image } : rest
}

function requireWithin(cost: JobEstimate['cost'], most: bigint): void {
  if (!cost) throw new SottoError('studio/price-unknown')
  if (BigInt(cost.most) > most) throw new SottoError('studio/above-cap')
}
