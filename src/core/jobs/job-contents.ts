import { exportJobs, requireOneZip } from './export-jobs.ts'
import type { Studio, StudioOptions } from './index.ts'
import type { Jobs } from './jobs.ts'
import { fileAt, type Links } from './links.ts'
import type { LiveSpeech } from './live-speech.ts'
import { readTranscript } from './read-transcript.ts'
import { rowAt, rowsPage } from './results/batch-rows.ts'
import { resultsOf, resultsToExport } from './results/results.ts'
import { vectorPage } from './results/vectors.ts'
import type { LineFiles } from './tables/line-file.ts'

export interface JobContentsOptions {
  readonly jobs: Jobs
  readonly store: Pick<StudioOptions['store'], 'jobFiles' | 'jobParts' | 'receipts'>
  readonly lines: LineFiles
  readonly links: Links
  readonly live: LiveSpeech
  readonly closed: AbortSignal
  /** Unix ms. */
  readonly now: () => number
}

/**
 * The results of jobs, to be read or fetched by a link. Each function throws studio/unknown, and
 * store/damaged if a stored file can't be decrypted.
 */
export function jobContents({
  jobs,
  store,
  lines,
  links,
  live,
  closed,
  now,
}: JobContentsOptions): Pick<
  Studio,
  'link' | 'listen' | 'export' | 'results' | 'transcript' | 'rows' | 'row' | 'vectors'
> {
  const { jobFiles: files } = store
  const options = { parts: store.jobParts, files, lines }
  return {
    link(id, index, download) {
      const { name, type, bytes } = fileAt(jobs.of(id).files, index)
      return links.add({ name, type, bytes, download, stream: (from) => files.stream(id, index, from) })
    },
    async listen(id, signal) {
      const { type, stream } = await live.listen(id, AbortSignal.any([signal, closed]))
      return { ...links.add({ name: 'speech', type, download: false, stream }), type }
    },
    export(ids) {
      const name = `sotto-library-${new Date(now()).toISOString().slice(0, 10)}.zip`
      const exported = ids.map((id) => jobs.of(id))
      requireOneZip(exported)
      const stream = () =>
        exportJobs(exported, {
          files,
          results: (job) => resultsToExport(job, options),
          receipt: (id) => store.receipts.get(id),
          now: now(),
        })
      return { ...links.add({ name, type: 'application/zip', download: true, stream }), name }
    },
    results(id, format) {
      const results = resultsOf(jobs.of(id), format, options)
      return {
        ...links.add({
          name: results.name,
          type: results.type,
          download: true,
          stream: () => results.stream(),
        }),
        name: results.name,
      }
    },
    transcript: (id) => readTranscript(jobs.of(id), files),
    rows: (id, question) => rowsPage(jobs.of(id), question, options),
    row: (id, index) => rowAt(jobs.of(id), index, options),
    vectors: (id, from, limit) => vectorPage(jobs.of(id), from, limit, options),
  }
}
