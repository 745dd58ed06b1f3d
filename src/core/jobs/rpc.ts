import { MAX_UPLOAD_BYTES } from '../../shared/contract/studio.ts'
import type { Job } from '../../shared/job.ts'
import type { JobChange, PublicJob } from './index.ts'
import { askerOf } from '../app/confirm.ts'
import type { ApiContext } from '../rpc/context.ts'
import { eventsWithFailures } from '../rpc/failure.ts'
import type { Implementer } from '../rpc/implementer.ts'
import { jobView, rowView, shortRowView } from './job-view.ts'
import { PrivateSources, requireOnward } from './private-sources.ts'
import { waitForPayment } from '../payments/wait-for-payment.ts'

/**
 * Implements studioContract. A job of a private conversation starts and repeats only with a consent. Throws
 * vault/locked, studio/…, privacy/…, request/invalid, model/unknown, service/…, payment/…, wallet/…,
 * confirm/….
 */
export function studioArea(core: ApiContext, os: Implementer['studio']) {
  const never = new AbortController().signal
  const sources = new PrivateSources()
  const studio = () => core.open().studio
  const view = (job: PublicJob): Job => jobView(job, core.open().payer, core.sandbox !== null)

  return {
    upload: {
      begin: os.upload.begin.handler(({ input: { name, size } }) =>
        studio().uploads.begin(name, size, MAX_UPLOAD_BYTES),
      ),
      attached: os.upload.attached.handler(({ input }) => sources.importItems(core.open(), input)),
    },
    link: os.link.handler(({ input: { jobId, index, download } }) => studio().link(jobId, index, download)),
    listen: os.listen.handler(({ input, signal = never }) => studio().listen(input.jobId, signal)),
    estimate: os.estimate.handler(({ input }) => studio().estimate(input.ask)),
    start: os.start.handler(async ({ input: { ask, pay, most, consentId }, signal = never, context }) => {
      const allowed = sources.allow(core.open(), ask, consentId)
      return view(
        await studio().start({ ask: allowed, pay, most, caller: { kind: context.caller.kind }, signal }),
      )
    }),
    pay: os.pay.handler(async ({ input: { jobId }, signal, context }) => {
      const { purchaseId } = studio().send(jobId)
      const { payer } = core.open()
      if (purchaseId !== undefined)
        await waitForPayment(
          payer,
          purchaseId,
          (gone) => payer.pay(purchaseId, { asks: 'person', from: askerOf(context) }, gone),
          signal,
        )
      return view(await studio().settled(jobId))
    }),
    stop: os.stop.handler(({ input }) => view(studio().stop(input.jobId))),
    again: os.again.handler(async ({ input: { jobId, consentId, ...how }, signal = never, context }) => {
      requireOnward(core.open(), studio().jobs.of(jobId).ask, consentId)
      return view(await studio().again(jobId, { ...how, caller: { kind: context.caller.kind }, signal }))
    }),
    pause: os.pause.handler(({ input }) => view(studio().pause(input.jobId))),
    resume: os.resume.handler(({ input: { jobId, ...how } }) => view(studio().resume(jobId, how))),
    poll: os.poll.handler(async ({ input }) => view(await studio().poll(input.jobId))),
    compare: os.compare.handler(({ input, signal = never }) => studio().compare(input.jobId, signal)),
    list: os.list.handler(({ input }) => {
      const { jobs, next } = studio().list(input)
      return { jobs: jobs.map(view), ...(next !== undefined && { next }) }
    }),
    get: os.get.handler(({ input }) => view(studio().jobs.of(input.jobId))),
    watch: os.watch.handler(({ signal = never }) => eventsWithFailures(watch(signal))),
    rename: os.rename.handler(({ input: { jobId, title } }) =>
      view(studio().jobs.apply(jobId, { type: 'renamed', title: title.trim() })),
    ),
    remove: os.remove.handler(({ input }) => studio().remove(input.jobIds)),
    restore: os.restore.handler(({ input }) => studio().restore(input.jobIds).map(view)),
    usage: os.usage.handler(() => [...studio().usage()]),
    export: os.export.handler(({ input }) => studio().export(input.jobIds)),
    transcript: os.transcript.handler(({ input }) => studio().transcript(input.jobId)),
    edit: os.edit.handler(({ input: { jobId, text } }) =>
      view(studio().jobs.apply(jobId, { type: 'noted', text })),
    ),
    table: os.table.handler(({ input }) => studio().table(input)),
    rows: os.rows.handler(async ({ input: { jobId, ...question } }) => {
      const { columns, total, rows } = await studio().rows(jobId, question)
      return { columns: [...columns], total, rows: rows.map(shortRowView) }
    }),
    row: os.row.handler(async ({ input: { jobId, index } }) => rowView(await studio().row(jobId, index))),
    vectors: os.vectors.handler(({ input: { jobId, from, limit } }) => studio().vectors(jobId, from, limit)),
    results: os.results.handler(({ input: { jobId, format } }) => studio().results(jobId, format)),
    models: os.models.handler(async ({ input }) => [...(await core.open().relay.listed(input.types))]),
  }

  async function* watch(signal: AbortSignal): AsyncGenerator<{ jobs: Job[]; removed: string[] }, void> {
    const changes = studio().jobs.changes(signal)
    try {
      // Subscribe before reading the open jobs, so that no change is missed in between.
      await changes.next()
      yield { jobs: studio().open().map(view), removed: [] }
      for await (const changed of changes) yield summarize(changed)
    } finally {
      await changes.return()
    }
  }

  function summarize(changed: readonly JobChange[]): { jobs: Job[]; removed: string[] } {
    return {
      jobs: changed.flatMap(({ job }) => (job ? [view(job)] : [])),
      removed: changed.flatMap(({ jobId, job }) => (job ? [] : [jobId])),
    }
  }
}
