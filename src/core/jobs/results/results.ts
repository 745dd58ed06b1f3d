import { SottoError } from '../../../shared/errors.ts'
import type { JobRecord } from '../../../shared/job-record.ts'
import { batchExportForms, type embeddingExportForms } from '../../../shared/job-rows.ts'
import { nameOf } from '../names.ts'
import { batchCsv, batchJson } from './batch-export.ts'
import type { BatchRowsOptions } from './batch-rows.ts'
import { vectorsCsv, vectorsJson, vectorsNpy, vectorsParquet } from './vector-export.ts'

/** A batch has only csv and json. */
export type ResultsForm = (typeof embeddingExportForms)[number]
export type ResultsOptions = BatchRowsOptions

/** A file that is generated each time it's read. */
export interface ResultsFile {
  readonly name: string
  readonly type: string
  stream(): AsyncIterable<Uint8Array>
}

const TYPES: Readonly<Record<ResultsForm, string>> = {
  csv: 'text/csv',
  json: 'application/json',
  npy: 'application/octet-stream',
  parquet: 'application/vnd.apache.parquet',
}
const ofBatch = { csv: batchCsv, json: batchJson }
const ofEmbedding = { csv: vectorsCsv, json: vectorsJson, npy: vectorsNpy, parquet: vectorsParquet }

/**
 * The results of a batch or an embedding as one file, which is generated while it's read. Throws
 * studio/invalid-state.
 */
export function resultsOf(job: JobRecord, form: ResultsForm, options: ResultsOptions): ResultsFile {
  const write = writerOf(job, form)
  return {
    name: nameOf(job, 0, '').replace(/-0\.bin$/, `.${form}`),
    type: TYPES[form],
    stream: () => write(job, options),
  }
}

/**
 * The files for the job's folder in an export: the rows and the original responses of a batch, the texts of
 * an embedding, and nothing for other jobs.
 */
export function resultsToExport(job: JobRecord, options: ResultsOptions): readonly ResultsFile[] {
  const forms =
    job.ask.kind === 'batch' ? batchExportForms : job.ask.kind === 'embedding' ? ['csv' as const] : []
  return forms.map((form) => resultsOf(job, form, options))
}

function writerOf({ ask }: JobRecord, form: ResultsForm) {
  const batchForm = batchExportForms.find((each) => each === form)
  if (ask.kind === 'batch' && batchForm) return ofBatch[batchForm]
  if (ask.kind === 'embedding') return ofEmbedding[form]
  throw new SottoError('studio/invalid-state')
}
