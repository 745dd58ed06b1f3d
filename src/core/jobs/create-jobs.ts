import { sleep } from '../../shared/sleep.ts'
import type { HandlerOptions } from './handlers/job-handler.ts'
import { createJobHandlers } from './handlers/create-handlers.ts'
import { GivenFiles } from './source-files.ts'
import type { Studio, StudioOptions } from './index.ts'
import { jobActions } from './job-actions.ts'
import { jobContents } from './job-contents.ts'
import { JobProgress } from './job-progress.ts'
import { JobRemovals } from './job-removals.ts'
import { JobRuns } from './job-runs.ts'
import { jobStarts } from './job-starts.ts'
import { Jobs } from './jobs.ts'
import { Links } from './links.ts'
import { listJobs } from './list-jobs.ts'
import { LiveSpeech } from './live-speech.ts'
import { LineFiles } from './tables/line-file.ts'
import { readTable } from './tables/read-table.ts'
import { Uploads } from './uploads.ts'
import { usageOf } from './usage.ts'

/** Creates the jobs over a store. No stored job continues before `resumeAll`. */
export function createJobs({
  store,
  spool,
  service,
  payer,
  removeMetadata,
  now,
  wait = sleep,
}: StudioOptions): Studio {
  const closing = new AbortController()
  const closed = closing.signal
  const { jobFiles: files, jobParts: parts } = store
  const jobs = new Jobs(store.jobs, now)
  const uploads = new Uploads(spool, now)
  const links = new Links(now)
  const givenFiles = new GivenFiles({ jobs, files, uploads, removeMetadata })
  const stopping = new Map<string, 'stopped' | 'paused'>()
  const lines = new LineFiles(files)
  const live = new LiveSpeech(jobs, files)
  const options: HandlerOptions = {
    jobs,
    files,
    service,
    wait,
    closed,
    stopped: (id) => stopping.get(id),
    parts,
    delivered: store.deliveredFiles,
    payer,
    lines,
    now,
  }
  const handlers = createJobHandlers(options, givenFiles, live)
  const runs = new JobRuns(jobs, closed)
  const progress = new JobProgress({ jobs, files, payer, runs, handlers, givenFiles, now })
  const { estimate, start } = jobStarts({
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
  })
  const removals = new JobRemovals({
    jobs,
    files,
    parts,
    // A purchase that isn't delivered yet stays with the payer, and can still be delivered.
    async forgetDelivered(purchaseId) {
      if (payer.get(purchaseId)?.state === 'delivered') await store.deliveredFiles.remove(purchaseId)
    },
  })
  const following = progress.followPurchases(closed).catch(() => undefined)

  return {
    jobs,
    uploads,
    links,
    estimate,
    start,
    ...jobActions({ jobs, parts, runs, handlers, progress, start, service, payer, stopping, closed }),
    ...jobContents({ jobs, store, lines, links, live, closed, now }),
    list: (question) => listJobs(store.jobs, question),
    open: () => store.jobs.open(),
    usage: () => usageOf(store.jobs),
    table: async ({ file, header, delimiter }) =>
      readTable(await givenFiles.tableSource(file), { header, delimiter }),
    remove: (ids) => removals.remove(ids),
    restore: (ids) => removals.restore(ids),
    resumeAll() {
      removals.finishAll()
      progress.resumeAll()
    },
    wake: () => progress.wake(),
    async [Symbol.asyncDispose]() {
      closing.abort()
      await Promise.all([runs.settled(), following])
      await removals[Symbol.asyncDispose]()
      uploads.discardAll()
      links.clear()
    },
  }
}
