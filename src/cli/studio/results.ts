import type { embeddingExportForms } from '../../shared/job-rows.ts'
import type { Job } from '../../shared/job.ts'
import { unusable, type Studio } from './at-studio.ts'
import type { Saved } from './save-files.ts'
import { savedFiles } from './words.ts'

type ResultForm = (typeof embeddingExportForms)[number]

const FORMS = {
  batch: ['csv', 'json'],
  embedding: ['npy', 'csv', 'json', 'parquet'],
} as const satisfies Record<string, readonly ResultForm[]>

/** What `sotto jobs save` saves: of a batch and of an embedding what they have come to, in one form; of all else its files. Throws request/invalid. */
export function savedOf(
  { door: { client } }: Studio,
  job: Job,
  wanted: { readonly format?: string | undefined; readonly out?: string | undefined },
): Saved[] {
  if (job.kind !== 'batch' && job.kind !== 'embedding') {
    return savedFiles(job).map(({ name, index }) => ({
      name,
      path: async () => (await client.studio.link({ jobId: job.id, index, download: true })).path,
    }))
  }
  const format = resultForm(job.kind, wanted)
  return [
    {
      name: `${job.kind}-${job.id.slice(0, 8)}.${format}`,
      path: async () => (await client.studio.results({ jobId: job.id, format })).path,
    },
  ]
}

/** The chosen format, otherwise the one of the file name. */
export function resultForm(
  kind: keyof typeof FORMS,
  { format, out }: { readonly format?: string | undefined; readonly out?: string | undefined },
): ResultForm {
  const forms: readonly ResultForm[] = FORMS[kind]
  const ending = out === undefined || out === '-' ? undefined : /\.(\w+)$/.exec(out)?.[1]?.toLowerCase()
  const named = format ?? ending
  const found = forms.find((form) => form === named) ?? (named === undefined ? forms[0] : undefined)
  if (found === undefined)
    throw unusable(`The format “${named ?? ''}” isn’t supported here.`, `Use one of ${forms.join(', ')}.`)
  return found
}
