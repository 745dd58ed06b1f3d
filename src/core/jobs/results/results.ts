import { SottoError } from '../../../shared/errors.ts'
import type { JobRecord } from '../../../shared/job-record.ts'
import { batchExportForms, type embeddingExportForms } from '../../../shared/job-rows.ts'
import { nameOf } from '../names.ts'
import { batchCsv, batchJson } from './batch-export.ts'
import type { BatchRowsOptions } from './batch-rows.ts'
import { vectorsCsv, vectorsJson, vectorsNpy, vectorsParquet } from './vector-export.ts'

/** A batch has two of these: csv and json. */
export type ResultsForm = (typeof embeddingExportForms)[number]
export type ResultsOptions = BatchRowsOptions

/** A file that is written anew each time it is read. */
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

/** What a batch or an embedding has come to, as one file that is written while it is read. Throws studio/invalid-state. */
export function resultsOf(job: JobRecord, form: ResultsForm, options: ResultsOptions): ResultsFile {
  const write = writerOf(job, form)
  return {
    name: nameOf(job, 0, '').replace(/-0\.bin$/, `.${form}`),
    type: TYPES[form],
    stream: () => write(job, options),
  }
}

/** As they stand in the library's folder: a batch by its rows and as it was answered, an embedding by its texts; of all else, nothing. */
export function resultsToExport(job: JobRecord, options: ResultsOptions): readonly ResultsFile[] {
  const forms =
    job.ask.kind === 'batch' ? batchExportForms : job.ask.kind === 'embedding' ? ['csv' as const] : []
  return forms.map((form) => resultsOf(job, form, options))
}

function writerOf({ ask }: JobRecord, form: ResultsForm) {
  const kept = batchExportForms.find((each) => each === form)
  if (ask.kind === 'batch' && kept) return ofBatch[kept]
  if (ask.kind === 'embedding') return ofEmbedding[form]
  throw new SottoError('studio/invalid-state')
}
