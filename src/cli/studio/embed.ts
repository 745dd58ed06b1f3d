import type { JobAsk } from '../../shared/job-ask.ts'
import { unusable, type Studio, asExtra } from './at-studio.ts'
import { columnOf } from './batch.ts'
import type { EmbedOptions } from './embed-command.ts'
import { uploadShown } from './given-image.ts'
import { requireModel } from './media.ts'
import { makeJob } from './make-job.ts'
import { readStdin } from './read-input.ts'
import { resultForm, savedOf } from './save-files.ts'
import { uploadBytes } from './upload-file.ts'

/** The limit of standard input, in bytes. */
const MAX_BYTES = 64 * 1024 * 1024

/** `sotto embed`: texts as vectors. Returns the exit code. */
export function embed(files: readonly string[], options: EmbedOptions): Promise<number> {
  const { model, dimensions, extra, format, out, maxCost } = options
  return makeJob(options, {
    kinds: ['embedding'],
    check: () => void resultForm('embedding', { format, out }),
    ask: async (studio) => ({
      kind: 'embedding',
      model: requireModel(model, 'embed'),
      ...(dimensions !== undefined && { dimensions }),
      ...asExtra(extra),
      source: await sourceOf(studio, files, options),
    }),
    saved: (studio, job) => savedOf(studio, job, { format, out }),
    resume: ({ connection: { client } }, { id }) =>
      client.studio.resume({ jobId: id, ...(maxCost !== undefined && { most: maxCost }) }),
  })
}

type Source = Extract<JobAsk, { kind: 'embedding' }>['source']

async function sourceOf(
  studio: Studio,
  files: readonly string[],
  { column, header, delimiter, whole }: EmbedOptions,
): Promise<Source> {
  const [first, ...others] = files
  if (whole) {
    if (first === undefined)
      throw unusable('No files were named.', 'Name one or more files, each with one text.')
    const uploads: { uploadId: string }[] = []
    for (const file of files) uploads.push(await uploadInput(studio, file))
    return { form: 'files', files: uploads }
  }
  if (others.length > 0)
    throw unusable('Only one file can be read as lines.', 'To embed each file as one text, add --whole.')
  if (first === undefined && process.stdin.isTTY)
    throw unusable('No text was given.', 'Name a file, or pipe lines to standard input.')
  const file = await uploadInput(studio, first)
  if (column === undefined)
    return { form: first !== undefined && /\.jsonl$/i.test(first) ? 'jsonl' : 'lines', file }
  const read = { header, ...(delimiter !== undefined && { delimiter }) }
  const table = await studio.connection.client.studio.table(
    { file, ...read },
    { signal: studio.interrupts.asked },
  )
  return { form: 'csv', file, column: columnOf(table, column).column, ...read }
}

async function uploadInput(studio: Studio, file: string | undefined): Promise<{ uploadId: string }> {
  const { uploadId } =
    file === undefined || file === '-'
      ? await uploadBytes(
          studio.connection,
          'standard-input.txt',
          await readStdin(MAX_BYTES),
          studio.interrupts.asked,
        )
      : await uploadShown(studio, file)
  return { uploadId }
}
