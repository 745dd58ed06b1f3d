import { type JobAsk } from '../../shared/job-ask.ts'
import { unusable, type Studio } from './at-studio.ts'
import { jobNamed } from './job-named.ts'
import { uploadFile } from './upload-file.ts'
import { megabytes, savedFiles } from './words.ts'

/** An image that goes with what is asked: a file of this machine, or of a former job. */
export interface ImageOptions {
  readonly image?: string
  /** `job` or `job:file`. */
  readonly imageOf?: string
  readonly keepMetadata: boolean
}

type Image = Extract<JobAsk, { kind: 'image' }>['image']

/** As a member of what is asked; nothing where none was named. Throws studio/…, request/invalid. */
export async function givenImage(studio: Studio, { image, imageOf, keepMetadata }: ImageOptions): Promise<{ image?: NonNullable<Image>; keepMetadata?: true }> {
  if (image !== undefined && imageOf !== undefined) throw unusable('One image goes with it.', 'Name it by --image or by --image-of.')
  const given = image !== undefined ? await uploaded(studio, image) : imageOf !== undefined ? await former(studio, imageOf) : undefined
  return { ...(given && { image: given }), ...(given && keepMetadata && { keepMetadata: true }) }
}

async function uploaded(studio: Studio, path: string): Promise<{ uploadId: string }> {
  const { uploadId } = await uploadShown(studio, path)
  return { uploadId }
}

/** With its progress. */
export function uploadShown({ door, progress, interrupts }: Studio, path: string): ReturnType<typeof uploadFile> {
  return uploadFile(door, path, (bytes, of) => progress.show(`reading the file: ${megabytes(bytes)} of ${megabytes(of)}, ${String(Math.floor((bytes / of) * 100))}%`), interrupts.asked)
}

async function former({ door: { client } }: Studio, named: string): Promise<{ jobId: string; index: number }> {
  const [name = '', file] = named.split(':')
  const job = await jobNamed(client, name)
  const index = file === undefined ? savedFiles(job)[0]?.index : Number(file)
  if (index === undefined || !job.files.some((each) => each.index === index)) throw unusable('The job has no such file.', `See "sotto jobs get ${job.id.slice(0, 8)}".`)
  return { jobId: job.id, index }
}
