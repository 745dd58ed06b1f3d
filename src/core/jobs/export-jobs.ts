import { Zip, ZipPassThrough } from 'fflate/browser'
import { SottoError } from '../../shared/errors.ts'
import type { JobRecord } from '../../shared/job-record.ts'
import type { Receipt } from '../../shared/receipt.ts'
import { msg } from '../../shared/localized-text.ts'
import type { Store } from '../storage/index.ts'
import { nameOf } from './names.ts'
import type { ResultsFile } from './results/results.ts'

export interface ExportOptions {
  readonly files: Pick<Store['jobFiles'], 'stream'>
  /** The results of a batch or an embedding. */
  readonly results: (job: JobRecord) => readonly Pick<ResultsFile, 'name' | 'stream'>[]
  readonly receipt: (id: string) => Receipt | null
  /** Unix ms. */
  readonly now: number
}

/**
 * Without the 64-bit extensions, ZIP has 32 bits for sizes and offsets and 16 for the number of entries
 * (APPNOTE 4.4.1.4). The rest is reserved for the manifest and the headers.
 */
const MOST_BYTES = 4_200_000_000
const MOST_FILES = 65_000

/** Throws request/invalid if the jobs don't fit into one ZIP file, which would otherwise be invalid. */
export function requireOneZip(jobs: readonly Pick<JobRecord, 'files'>[]): void {
  const files = jobs.flatMap((job) => job.files)
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0)
  if (bytes > MOST_BYTES || files.length > MOST_FILES)
    throw new SottoError('request/invalid', { param: 'jobIds', detail: msg('It exceeds the size limit.') })
}

/**
 * Writes jobs as one ZIP stream: a folder for each job, and a manifest of the request, the cost and the
 * receipt. Media is stored as it is, because it's compressed already. If a file can't be read, the stream
 * ends with the error, and the ZIP file is incomplete.
 */
export async function* exportJobs(
  jobs: readonly JobRecord[],
  { files, results, receipt, now }: ExportOptions,
): AsyncGenerator<Uint8Array, void> {
  const written: Uint8Array[] = []
  let failure: Error | undefined
  const zip = new Zip((error, data) => {
    if (error) failure = error
    else written.push(data)
  })
  function* flushed(): Generator<Uint8Array, void> {
    if (failure) throw failure
    yield* written.splice(0)
  }

  async function* entry(
    name: string,
    at: number,
    content: AsyncIterable<Uint8Array>,
  ): AsyncGenerator<Uint8Array, void> {
    const file = add(zip, name, at)
    for await (const piece of content) {
      file.push(piece)
      yield* flushed()
    }
    file.push(new Uint8Array(0), true)
    yield* flushed()
  }

  const manifest = {
    format: 'sotto-library/v1',
    exportedAt: new Date(now).toISOString(),
    jobs: jobs.map((job) => manifestOf(job, results(job), receipt)),
  }
  add(zip, 'manifest.json', now).push(Buffer.from(JSON.stringify(manifest, null, 2)), true)
  yield* flushed()
  for (const job of jobs) {
    for (const { index, name } of job.files) {
      const content = files.stream(job.id, index)
      if (content) yield* entry(`${folderOf(job)}/${String(index)}-${name}`, job.at, content)
    }
    for (const { name, stream } of results(job)) yield* entry(`${folderOf(job)}/${name}`, job.at, stream())
  }
  zip.end()
  yield* flushed()
}

function add(zip: Zip, name: string, at: number): ZipPassThrough {
  const entry = new ZipPassThrough(name)
  // The format can't express times before 1980 or after 2099.
  entry.mtime = Math.min(Math.max(at, Date.UTC(1980, 0, 2)), Date.UTC(2099, 0, 1))
  zip.add(entry)
  return entry
}

/** The id distinguishes jobs of one day with the same title. */
function folderOf(job: JobRecord): string {
  return `${new Date(job.at).toISOString().slice(0, 10)}-${nameOf(job, 0, '').replace(/-0\.bin$/, '')}-${job.id.slice(0, 8)}`
}

function manifestOf(
  job: JobRecord,
  results: ReturnType<ExportOptions['results']>,
  receipt: ExportOptions['receipt'],
): object {
  const { id, at, state, pay, ask, title, note, estimate, cost, paidMsat, receiptId, files } = job
  return {
    folder: folderOf(job),
    id,
    at: new Date(at).toISOString(),
    state,
    pay,
    ask,
    title,
    note,
    estimate,
    cost,
    paidMsat,
    files: files.map(({ index, name, role, type, bytes }) => ({
      file: `${String(index)}-${name}`,
      role,
      type,
      bytes,
    })),
    ...(results.length > 0 && { results: results.map(({ name }) => ({ file: name })) }),
    receipt: receiptId === undefined ? undefined : (receipt(receiptId) ?? { id: receiptId }),
  }
}
