import { formatBytes } from '../../shared/byte-size.ts'
import { type JobAsk } from '../../shared/job-ask.ts'
import { unusable, type Studio } from './at-studio.ts'
import { jobNamed } from './job-named.ts'
import { uploadFile } from './upload-file.ts'
import { savedFiles } from './labels.ts'

/** The source image of a request: a local file, or a file of an earlier job. */
export interface ImageOptions {
  readonly image?: string
  /** `job` or `job:file`. */
  readonly imageOf?: string
  readonly keepMetadata: boolean
}

type Image = Extract<JobAsk, { kind: 'image' }>['image']

/** The member of the request for the source image, if one was named. Throws studio/…, request/invalid. */
export async function givenImage(
  studio: Studio,
  { image, imageOf, keepMetadata }: ImageOptions,
): Promise<{ image?: NonNullable<Image>; keepMetadata?: true }> {
  if (image !== undefined && imageOf !== undefined)
    throw unusable('Only one source image is possible.', 'Use --image or --image-of, not both.')
  const source =
    image !== undefined
      ? await uploaded(studio, image)
      : imageOf !== undefined
        ? await former(studio, imageOf)
        : undefined
  return { ...(source && { image: source }), ...(source && keepMetadata && { keepMetadata: true }) }
}

async function uploaded(studio: Studio, path: string): Promise<{ uploadId: string }> {
  const { uploadId } = await uploadShown(studio, path)
  return { uploadId }
}

/** Uploads a file to the core and shows the progress. */
export function uploadShown(
  { connection, progress, interrupts }: Studio,
  path: string,
): ReturnType<typeof uploadFile> {
  return uploadFile(
    connection,
    path,
    (bytes, of) =>
      progress.show(
        `Reading file: ${formatBytes(bytes)} of ${formatBytes(of)} (${String(Math.floor((bytes / of) * 100))}%)`,
      ),
    interrupts.asked,
  )
}

async function former(
  { connection: { client } }: Studio,
  named: string,
): Promise<{ jobId: string; index: number }> {
  const [name = '', file] = named.split(':')
  const job = await jobNamed(client, name)
  const index = file === undefined ? savedFiles(job)[0]?.index : Number(file)
  if (index === undefined || !job.files.some((each) => each.index === index))
    throw unusable(
      'The job has no such file.',
      `To list its files, run "sotto jobs get ${job.id.slice(0, 8)}".`,
    )
  return { jobId: job.id, index }
}
