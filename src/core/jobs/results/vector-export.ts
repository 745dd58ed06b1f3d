import type { JobRecord } from '../../../shared/job-record.ts'
import { csvRow } from '../../../shared/csv-row.ts'
import { encoded } from '../byte-streams.ts'
import { embedded, labelOf, vectorFiles, vectorsOf, type VectorsOptions } from './vectors.ts'

/** CSV with the label, the text, and a column for each number of the vector. */
export async function* vectorsCsv(job: JobRecord, options: VectorsOptions): AsyncGenerator<Uint8Array, void> {
  const { dimensions } = vectorsOf(job)
  yield* encoded(rows())

  async function* rows(): AsyncGenerator<string, void> {
    yield csvRow(['label', 'text', ...Array.from({ length: dimensions }, (_, at) => `v${String(at)}`)])
    for await (const { vector, ...text } of embedded(job, options))
      yield csvRow([labelOf(text), text.text, ...Array.from(vector, shortest)])
  }
}

/**
 * JSON with the model, the length of the vectors, and each text with its label and vector. Throws
 * studio/invalid-state if the job isn't an embedding, and store/damaged.
 */
export async function* vectorsJson(
  job: JobRecord,
  options: VectorsOptions,
): AsyncGenerator<Uint8Array, void> {
  const { dimensions } = vectorsOf(job)
  const model = job.ask.kind === 'embedding' ? job.ask.model : ''
  yield* encoded(rows())

  async function* rows(): AsyncGenerator<string, void> {
    let before = `{"model":${JSON.stringify(model)},"dimensions":${String(dimensions)},"data":[`
    for await (const { vector, ...text } of embedded(job, options)) {
      yield `${before}\n{"label":${JSON.stringify(labelOf(text))},"text":${JSON.stringify(text.text)},"embedding":[${Array.from(vector, shortest).join(',')}]}`
      before = ','
    }
    yield `${before.startsWith('{') ? before : ''}\n]}\n`
  }
}

const ALIGNED = 64

/**
 * A matrix with one row for each text, in NumPy's format, version 1.0
 * (numpy.org/doc/stable/reference/generated/numpy.lib.format.html).
 */
export async function* vectorsNpy(
  job: JobRecord,
  { files }: VectorsOptions,
): AsyncGenerator<Uint8Array, void> {
  const { count, dimensions } = vectorsOf(job)
  const description = `{'descr': '<f4', 'fortran_order': False, 'shape': (${String(count)}, ${String(dimensions)}), }`
  const length = Math.ceil((10 + description.length + 1) / ALIGNED) * ALIGNED - 10
  yield Buffer.concat([
    Buffer.from('\x93NUMPY', 'latin1'),
    Buffer.from([1, 0, length & 0xff, length >> 8]),
    Buffer.from(`${description.padEnd(length - 1)}\n`, 'latin1'),
  ])
  yield* vectorFiles(job, files)
}

/** Rows in a row group, all of which are in memory at once. */
const GROUP = 500

/** Parquet with the columns `label`, `text` and `embedding`, a list of floats. */
export async function* vectorsParquet(
  job: JobRecord,
  options: VectorsOptions,
): AsyncGenerator<Uint8Array, void> {
  const { ByteWriter, ParquetWriter } = await import('hyparquet-writer')
  const writer = new ByteWriter()
  const file = new ParquetWriter({
    writer,
    codec: 'UNCOMPRESSED',
    schema: [
      { name: 'root', num_children: 3 },
      { name: 'label', type: 'BYTE_ARRAY', converted_type: 'UTF8', repetition_type: 'REQUIRED' },
      { name: 'text', type: 'BYTE_ARRAY', converted_type: 'UTF8', repetition_type: 'REQUIRED' },
      { name: 'embedding', repetition_type: 'REQUIRED', converted_type: 'LIST', num_children: 1 },
      { name: 'list', repetition_type: 'REPEATED', num_children: 1 },
      { name: 'element', type: 'FLOAT', repetition_type: 'REQUIRED' },
    ],
  })
  /** Takes the bytes that were written so far, and releases their memory. */
  function flush(): Uint8Array {
    const bytes = Uint8Array.from(writer.getBytes())
    writer.index = 0
    return bytes
  }
  async function write(
    rows: readonly { readonly label: string; readonly text: string; readonly vector: number[] }[],
  ): Promise<Uint8Array> {
    await file.write({
      rowGroupSize: rows.length,
      columnData: [
        { name: 'label', data: rows.map(({ label }) => label) },
        { name: 'text', data: rows.map(({ text }) => text) },
        { name: 'embedding', data: rows.map(({ vector }) => vector) },
      ],
    })
    return flush()
  }

  let group: { readonly label: string; readonly text: string; readonly vector: number[] }[] = []
  for await (const { vector, ...text } of embedded(job, options)) {
    group.push({ label: labelOf(text), text: text.text, vector: Array.from(vector) })
    if (group.length < GROUP) continue
    yield await write(group)
    group = []
  }
  if (group.length > 0) yield await write(group)
  await file.finish()
  yield flush()
}

/** The shortest decimal text that parses to the same 32-bit float. */
function shortest(value: number): string {
  return String(Number(value.toPrecision(9)))
}
