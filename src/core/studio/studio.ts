import { randomUUID } from 'node:crypto'
import { SottoError } from '../../shared/errors.ts'
import type { JobAsk, JobKind, KeptFile } from '../../shared/job-ask.ts'
import type { JobRecord } from '../../shared/job-record.ts'
import type { RowState } from '../../shared/job-rows.ts'
import type { JobEstimate } from '../../shared/job.ts'
import { say } from '../../shared/say.ts'
import { askedAgain, withoutFiles } from './asked-again.ts'
import { batchCourse } from './courses/batch-course.ts'
import type { Course, CourseOptions } from './courses/course.ts'
import { dataCourse } from './courses/data-course.ts'
import { embeddingCourse } from './courses/embedding-course.ts'
import { imageCourse } from './courses/image-course.ts'
import { speechCourse } from './courses/speech-course.ts'
import { transcriptionCourse } from './courses/transcription-course.ts'
import { videoCourse } from './courses/video-course.ts'
import { followPurchase } from './follow-purchase.ts'
import { GivenFiles, givenOf } from './given-files.ts'
import { historyMatches } from './history-match.ts'
import { actionsOf, hasEnded } from './job-state.ts'
import { JobRuns } from './job-runs.ts'
import { Jobs } from './jobs.ts'
import { fileAt, Links } from './links.ts'
import { exportJobs, requireOneZip } from './export-jobs.ts'
import { LiveSpeech } from './live-speech.ts'
import { JobRemovals } from './job-removals.ts'
import { readTable } from './tables/read-table.ts'
import { LineFiles } from './tables/line-file.ts'
import { rowAt, rowsPage } from './results/batch-rows.ts'
import { resultsOf, resultsToExport, type ResultsOptions } from './results/results.ts'
import { vectorPage } from './results/vectors.ts'
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
  const stopping = new Map<string, 'stopped' | 'paused'>()
  const lines = new LineFiles(files)
  const options: CourseOptions = { jobs, files, service, wait, closed, stopped: (id) => stopping.get(id), parts: store.jobParts, delivered: store.deliveredFiles, payer, lines, now }
  const live = new LiveSpeech(jobs, files)
  const batch = batchCourse(options, given)
  const courses: Record<JobKind, Course> = {
    image: imageCourse(options), video: videoCourse(options), speech: speechCourse(options, live), transcription: transcriptionCourse(options), data: dataCourse(options),
    embedding: embeddingCourse(options, given), batch,
  }
  const removals = new JobRemovals({ jobs, files, parts: store.jobParts, forgetDelivered })
  /** What is not delivered yet stays the payer's: it can still be had. */
  async function forgetDelivered(purchaseId: string): Promise<void> {
    if (payer.get(purchaseId)?.state === 'delivered') await store.deliveredFiles.remove(purchaseId)
  }
  const results: ResultsOptions = { parts: store.jobParts, files, lines }
  const runs = new JobRuns(jobs, closed)

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

  /** Its owner chose whose balance pays; and no other account's history knows of it. Throws service/no-account. */
  function requireOwnAccount({ pay, accountId }: JobRecord): void {
    if (pay === 'balance' && service.accountId() !== accountId) throw new SottoError('service/no-account', { detail: say('It is paid from the account that it was begun with.') })
  }

  /** It counts as sent from here on: nobody can have it sent a second time. */
  function send(id: string, rows: readonly RowState[] = []): void {
    const job = jobs.apply(id, { type: 'sent', at: Math.trunc(now()) })
    stopping.delete(id)
    void runs.run(id, async () => {
      await courses[job.ask.kind].send(job, ownGiven(job), rows)
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
        if (!content) throw new SottoError('store/damaged', { detail: say('What a job is made from is gone.') })
        return content
      },
    }
  }

  async function estimate(ask: JobAsk): Promise<JobEstimate> {
    const course = courses[ask.kind]
    course.check(ask)
    if (course.estimateAll) return course.estimateAll(ask)
    const { seconds } = await given.check(ask)
    const cost = await service.estimate(await course.estimated(withoutFiles(ask), seconds))
    if (cost === 'unknown') return { cost: null, unknown: [ask.kind === 'transcription' && seconds === undefined ? 'length' : 'price'] }
    return { cost: { least: cost.least.toString(), most: cost.most.toString() }, unknown: cost.least === cost.most ? [] : ['choice'] }
  }

  async function begin({ ask, pay, most, caller, signal }: Parameters<Studio['start']>[0]): Promise<JobRecord> {
    const { cost } = await estimate(ask)
    if (most !== undefined) requireWithin(cost, BigInt(most))
    // Its own cap is asked before each row leaves, and nobody can ask about a price that is not known.
    if (ask.kind === 'batch' && ask.most !== undefined && !cost) throw new SottoError('studio/price-unknown')
    const accountId = service.accountId()
    const { payable, paysParts } = courses[ask.kind]
    if (pay === 'single' && !payable && !paysParts) throw new SottoError('studio/balance-only')
    if (pay === 'balance' && accountId === null) throw new SottoError('service/no-account')
    const id = randomUUID()
    try {
      const gathered = await given.gather(id, ask)
      const at = Math.trunc(now())
      const job = jobs.put({
        id, at, changedAt: at, state: 'ready', pay, caller, ask: gathered.ask, files: gathered.files,
        ...(cost && { estimate: cost }), ...(gathered.parts !== undefined && { parts: { of: gathered.parts, done: 0 } }), ...(pay === 'balance' && accountId !== null && { accountId }),
      })
      if (pay === 'single' && !paysParts) await quote(job, { most, caller, signal })
      for (const uploadId of gathered.uploadIds) uploads.discard(uploadId)
      if (pay === 'balance') send(id)
      return jobs.of(id)
    } catch (thrown) {
      await discard(id)
      throw thrown
    }
  }

  /** Asks the service for its price; the job then waits for its owner. Throws studio/above-cap, having declined what is too dear by the rate that is known. */
  async function quote(job: JobRecord, { most, caller, signal }: Pick<Parameters<Studio['start']>[0], 'most' | 'caller' | 'signal'>): Promise<void> {
    const { payable } = courses[job.ask.kind]
    if (!payable) throw new SottoError('studio/balance-only')
    const ask = await payable(job.ask, ownGiven(job))
    const purchaseId = await service.quote({ ask, caller, signal: AbortSignal.any([signal, closed]) })
    const { receiptId, worth } = payer.get(purchaseId) ?? {}
    if (most !== undefined && worth !== undefined && worth > BigInt(most)) {
      payer.decline(purchaseId)
      throw new SottoError('studio/above-cap')
    }
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
      const batchId = job ? undefined : batch.jobOfPurchase(purchaseId)
      if (batchId !== undefined) void runs.run(batchId, () => batch.purchaseChanged?.(purchaseId) ?? Promise.resolve())
      if (!job) continue
      // What is shown of the purchase changed, whether or not the job does.
      jobs.tell({ jobId: job.id, job })
      void runs.run(job.id, async () => {
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
    again(id, { pay, most, caller, signal }) {
      const job = requireAction(id, 'again')
      const ask = askedAgain(job)
      // What holds for all of a batch holds each of its rows, too.
      const held = ask.kind === 'batch' && most !== undefined ? { ...ask, most } : ask
      return begin({ ask: held, pay: pay ?? job.pay, most, caller, signal })
    },
    /** From the balance; what is paid by itself is paid by the payer, which the job follows. */
    send(id) {
      const job = requireAction(id, 'pay')
      requireOwnAccount(job)
      if (job.pay === 'balance' || courses[job.ask.kind].paysParts) send(id)
      return jobs.of(id)
    },
    async settled(id) {
      const { pay, ask } = jobs.of(id)
      // What pays its parts goes on for long, and is watched.
      if (pay === 'single' && !courses[ask.kind].paysParts) await runs.run(id, () => goOn(id))
      return jobs.of(id)
    },
    stop(id) {
      const { purchaseId, state } = requireAction(id, 'stop')
      if (state === 'sending') {
        // The part that is under way is waited for: it is paid.
        stopping.set(id, 'stopped')
        return jobs.of(id)
      }
      if (purchaseId !== undefined) payer.decline(purchaseId)
      return jobs.apply(id, { type: 'stopped' })
    },
    pause(id) {
      requireAction(id, 'pause')
      // Those parts that are under way are waited for: they are paid.
      stopping.set(id, 'paused')
      return jobs.of(id)
    },
    resume(id, { rows = [], most } = {}) {
      const former = requireAction(id, 'resume')
      const { pay, purchaseId, ask, files: kept } = former
      // What only has to be fetched or joined costs nothing more.
      if (former.parts && former.parts.done < former.parts.of) requireOwnAccount(former)
      const { state } = jobs.apply(id, ...(most === undefined ? [] : [{ type: 'capped' as const, most }]), { type: 'resumed' })
      stopping.delete(id)
      if (state === 'ready' && (pay === 'balance' || courses[ask.kind].paysParts)) send(id, rows)
      else if (pay === 'single' && purchaseId !== undefined && !kept.some(({ index }) => index === ANSWER)) {
        // What becomes of it is followed; a failure of the call itself is told by the purchase.
        void payer.retry(purchaseId, closed).catch((thrown: unknown) => runs.fail(id, thrown))
      } else void runs.run(id, () => goOn(id))
      return jobs.of(id)
    },
    async poll(id) {
      const job = requireAction(id, 'poll')
      // What is paid by itself the payer asks about; what follows the others sees what came of this, and goes on.
      if (job.pay === 'single') await runs.run(id, () => goOn(id))
      else await courses[job.ask.kind].poll?.(job)
      return jobs.of(id)
    },
    async compare(id, signal) {
      const job = requireAction(id, 'compare')
      requireOwnAccount(job)
      return historyMatches(job, { service, parts: store.jobParts, signal: AbortSignal.any([signal, closed]) })
    },
    remove: (ids) => removals.remove(ids),
    restore: (ids) => removals.restore(ids),
    usage: () => usageOf(store.jobs),
    export(ids) {
      const name = `sotto-library-${new Date(now()).toISOString().slice(0, 10)}.zip`
      const exported = ids.map((id) => jobs.of(id))
      requireOneZip(exported)
      return { ...links.add({ name, type: 'application/zip', download: true, stream: () => exportJobs(exported, { files, results: (job) => resultsToExport(job, results), receipt: (id) => store.receipts.get(id), now: now() }) }), name }
    },
    transcript: (id) => readTranscript(jobs.of(id), files),
    table: async ({ file, header, delimiter }) => readTable(await given.tableSource(file), { header, delimiter }),
    rows: (id, question) => rowsPage(jobs.of(id), question, results),
    row: (id, index) => rowAt(jobs.of(id), index, results),
    vectors: (id, from, limit) => vectorPage(jobs.of(id), from, limit, results),
    results(id, format) {
      const job = jobs.of(id)
      const made = resultsOf(job, format, results)
      return { ...links.add({ name: made.name, type: made.type, download: true, stream: () => made.stream() }), name: made.name }
    },
    list: (question) => listJobs(store.jobs, question),
    open: () => store.jobs.open(),
    link(id, index, download) {
      const { name, type, bytes } = fileAt(jobs.of(id).files, index)
      return links.add({ name, type, bytes, download, stream: (from) => files.stream(id, index, from) })
    },
    async listen(id, signal) {
      const { type, stream } = await live.listen(id, AbortSignal.any([signal, closed]))
      return { ...links.add({ name: 'speech', type, download: false, stream }), type }
    },
    resumeAll() {
      removals.finishAll()
      for (const found of store.jobs.open()) {
        const { id, ask, state, pay, purchaseId } = found
        // After an unlocking there may be some that this process has begun.
        if (runs.has(id)) continue
        const course = courses[ask.kind]
        // As it was found: its owner may have it go on before this comes to it.
        if (course.interrupted && (state === 'sending' || state === 'paused')) void runs.run(id, async () => course.interrupted?.(found))
        else if (state === 'sending' && pay === 'balance') interrupted(id)
        if (state === 'ready' && pay === 'single' && purchaseId === undefined) jobs.apply(id, { type: 'stopped' })
        void runs.run(id, () => goOn(id))
      }
    },
    wake() {
      for (const { id, ask, state, pay } of store.jobs.open()) {
        if (state === 'working' && pay === 'balance') void courses[ask.kind].poll?.(jobs.of(id)).catch(() => undefined)
      }
    },
    async [Symbol.asyncDispose]() {
      closing.abort()
      await Promise.all([runs.settled(), following])
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

function requireWithin(cost: JobEstimate['cost'], most: bigint): void {
  if (!cost) throw new SottoError('studio/price-unknown')
  if (BigInt(cost.most) > most) throw new SottoError('studio/above-cap')
}
