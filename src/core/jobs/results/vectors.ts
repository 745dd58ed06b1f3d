import { SottoError } from '../../../shared/errors.ts'
import type { JobRecord } from '../../../shared/job-record.ts'
import type { VectorPage } from '../../../shared/job-rows.ts'
import { msg } from '../../../shared/localized-text.ts'
import type { Store } from '../../storage/index.ts'
import { headOf } from '../byte-streams.ts'
import { partFiles } from '../handlers/parts.ts'
import { FIRST_GIVEN } from '../source-files.ts'
import type { LineFiles } from '../tables/line-file.ts'
import { storedTexts, type LabelledText } from '../tables/texts.ts'

/** The file index of all vectors, one after another, as little-endian float32. */
export const VECTORS = 1
/** The type of bytes that no program displays. */
export const VECTORS_TYPE = 'application/octet-stream'
const BYTES = 4
const LABEL = 200

type Files = Pick<Store['jobFiles'], 'stream'>

export interface VectorsOptions {
  readonly files: Files
  readonly lines: LineFiles
}

/** Throws studio/invalid-state if the job isn't an embedding. */
export function vectorsOf(job: JobRecord): { readonly count: number; readonly dimensions: number } {
  if (job.ask.kind !== 'embedding') throw new SottoError('studio/invalid-state')
  return job.vectors ?? { count: 0, dimensions: 0 }
}

/**
 * The bytes from this vector on, from the joined file or from the stored parts. Throws store/damaged if a
 * file is missing.
 */
export async function* vectorFiles(
  { id, files: jobFiles }: Pick<JobRecord, 'id' | 'files'>,
  files: Files,
  from = 0,
): AsyncGenerator<Uint8Array, void> {
  const whole = jobFiles.find(({ index }) => index === VECTORS)
  let skip = from
  for (const { index, bytes } of whole ? [whole] : partFiles({ files: jobFiles })) {
    if (skip >= bytes) {
      skip -= bytes
      continue
    }
    yield* files.stream(id, index, skip) ?? gone()
    skip = 0
  }
}

/** Yields each vector with its text, from this one on. Throws studio/invalid-state, store/damaged. */
export async function* embedded(
  job: JobRecord,
  { files, lines }: VectorsOptions,
  from = 0,
): AsyncGenerator<LabelledText & { readonly vector: Float32Array }, void> {
  const { count, dimensions } = vectorsOf(job)
  if (from >= count) return
  const size = dimensions * BYTES
  const texts = storedTexts(lines, job.id, FIRST_GIVEN, from)
  let rest: Uint8Array = new Uint8Array(0)
  try {
    for await (const piece of vectorFiles(job, files, from * size)) {
      rest = rest.byteLength === 0 ? piece : Buffer.concat([rest, piece])
      let at = 0
      for (; rest.byteLength - at >= size; at += size) {
        const text = await texts.next()
        if (text.done === true) return
        yield { ...text.value, vector: floats(rest.subarray(at, at + size)) }
      }
      rest = rest.subarray(at)
    }
  } finally {
    await texts.return()
  }
}

function floats(bytes: Uint8Array): Float32Array {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  return Float32Array.from({ length: bytes.byteLength / BYTES }, (_, at) => view.getFloat32(at * BYTES, true))
}

/** Throws studio/invalid-state. */
export async function vectorPage(
  job: JobRecord,
  from: number,
  limit: number,
  { files, lines }: VectorsOptions,
): Promise<VectorPage> {
  const { count: total, dimensions } = vectorsOf(job)
  const count = Math.max(0, Math.min(limit, total - from))
  if (count === 0) return { total, dimensions, labels: [], vectors: '' }
  const length = count * dimensions * BYTES
  const bytes = (await headOf(vectorFiles(job, files, from * dimensions * BYTES), length)).subarray(0, length)
  const labels: string[] = []
  for await (const text of storedTexts(lines, job.id, FIRST_GIVEN, from)) {
    labels.push(labelOf(text))
    if (labels.length === count) break
  }
  return { total, dimensions, labels, vectors: Buffer.from(bytes).toString('base64') }
}

/** The label, or the first 200 characters of the text. */
export function labelOf({ label, text }: LabelledText): string {
  return label ?? (text.length > LABEL ? `${text.slice(0, LABEL)}…` : text)
}

function gone(): never {
  throw new SottoError('store/damaged', { detail: msg('A job’s vectors are missing.') })
}
