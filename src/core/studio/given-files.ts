import { CUT_TYPES, HEARD_TYPES, MAX_HEARD_BYTES } from '../../shared/audio-limits.ts'
import { SottoError } from '../../shared/errors.ts'
import type { GivenFile, JobAsk, KeptAsk } from '../../shared/job-ask.ts'
import type { JobFile } from '../../shared/job.ts'
import type { Store } from '../store/index.ts'
import { secondsOf } from './audio/cut-audio.ts'
import { readImageSize } from './image-size.ts'
import type { Jobs } from './jobs.ts'
import { fileAt } from './links.ts'
import { endingOf, sniffMedia } from './sniff-media.ts'
import type { Uploads } from './uploads.ts'

/** What was handed over stands behind what was made. */
export const FIRST_GIVEN = 10_000
/** Of the specification's Limits: an image that is sent. */
const MAX_IMAGE_BYTES = 25_000_000
const MAX_SIDE = 16_384
const IMAGE_TYPES = new Set(['image/jpeg', 'image/png', 'image/webp'])

export interface GivenFilesOptions {
  readonly jobs: Jobs
  readonly files: Store['jobFiles']
  readonly uploads: Uploads
  /** Takes out what a camera and programs wrote beside the picture. Throws where the bytes are no such image. */
  readonly strip: (bytes: Uint8Array) => Uint8Array
}

/** A file as it was handed over. */
interface Source {
  readonly bytes: number
  readonly head: Uint8Array
  read(): AsyncIterable<Uint8Array>
}

export interface Gathered {
  readonly ask: KeptAsk
  readonly files: readonly JobFile[]
  /** Of the files that were uploaded: they are not needed any more once the job is kept. */
  readonly uploadIds: readonly string[]
}

/** Makes what is handed over files of the job, judged by their bytes before anything is sent. Throws studio/…. */
export class GivenFiles {
  readonly #options: GivenFilesOptions

  constructor(options: GivenFilesOptions) {
    this.#options = options
  }

  /** Judges what is handed over, and keeps nothing. Returns how long a recording is, where its form says so. */
  async check(ask: JobAsk): Promise<{ readonly seconds?: number }> {
    const given = givenOf(ask)
    if (!given || 'url' in given) return {}
    const source = await this.#source(given)
    if (ask.kind !== 'transcription') judgeImage(source)
    else {
      const { seconds = ask.seconds } = judgeAudio(source, ask.split === true)
      if (seconds !== undefined) return { seconds }
    }
    return {}
  }

  async gather(jobId: string, ask: JobAsk): Promise<Gathered> {
    switch (ask.kind) {
      case 'speech':
      case 'data':
        return { ask, files: [], uploadIds: [] }
      case 'transcription': {
        // The service takes a recording in its form alone.
        if ('url' in ask.file) throw new SottoError('request/invalid', { param: 'file', detail: 'A recording is a file.' })
        const file = await this.#keepAudio(jobId, ask.file, ask.split === true)
        return { ask: { ...ask, file: { file: file.index } }, files: [file], uploadIds: uploadsIn(ask.file) }
      }
      case 'image':
      case 'video': {
        const { image, ...rest } = ask
        if (!image) return { ask: rest, files: [], uploadIds: [] }
        if ('url' in image) return { ask: { ...rest, image }, files: [], uploadIds: [] }
        const file = await this.#keepImage(jobId, image, ask.keepMetadata === true)
        return { ask: { ...rest, image: { file: file.index } }, files: [file], uploadIds: uploadsIn(image) }
      }
    }
  }

  async #keepAudio(jobId: string, given: Exclude<GivenFile, { url: string }>, split: boolean): Promise<JobFile> {
    const source = await this.#source(given)
    const { type, seconds } = judgeAudio(source, split)
    const own = { index: FIRST_GIVEN, role: 'given', name: `audio.${endingOf(type)}`, type, ...(seconds !== undefined && { seconds }) } as const
    const adopted = 'jobId' in given ? await this.#options.files.adopt(jobId, FIRST_GIVEN, given) : null
    return { ...own, bytes: adopted ?? await this.#options.files.save(jobId, FIRST_GIVEN, source.read()) }
  }

  async #keepImage(jobId: string, given: Exclude<GivenFile, { url: string }>, keepMetadata: boolean): Promise<JobFile> {
    const source = await this.#source(given)
    const { type, width, height } = judgeImage(source)
    const content = keepMetadata ? source.read() : once(stripped(await whole(source.read()), this.#options.strip))
    const bytes = await this.#options.files.save(jobId, FIRST_GIVEN, content)
    return { index: FIRST_GIVEN, role: 'given', name: `image.${endingOf(type)}`, type, bytes, width, height }
  }

  async #source(given: Exclude<GivenFile, { url: string }>): Promise<Source> {
    const { uploads, jobs, files } = this.#options
    if ('uploadId' in given) return uploads.taken(given.uploadId)
    const { jobId, index } = given
    const { bytes } = fileAt(jobs.of(jobId).files, index)
    const read = (): AsyncIterable<Uint8Array> => files.stream(jobId, index) ?? gone()
    return { bytes, read, head: await headOf(read()) }
  }
}

function judgeImage({ bytes, head }: Source): { readonly type: string; readonly width: number; readonly height: number } {
  if (bytes === 0) throw new SottoError('studio/file-empty')
  if (bytes > MAX_IMAGE_BYTES) throw new SottoError('studio/file-too-large', { detail: 'An image may have 25 MB.' })
  const type = sniffMedia(head)
  if (!IMAGE_TYPES.has(type)) throw new SottoError('studio/image-type')
  const size = readImageSize(head, type)
  if (!size) throw new SottoError('studio/image-broken')
  if (size.width > MAX_SIDE || size.height > MAX_SIDE) throw new SottoError('studio/image-too-large', { detail: `It has ${size.width} × ${size.height}.` })
  return { type, ...size }
}

function judgeAudio({ bytes, head }: Source, split: boolean): { readonly type: string; readonly seconds?: number } {
  if (bytes === 0) throw new SottoError('studio/file-empty')
  const type = sniffMedia(head)
  if (!HEARD_TYPES.has(type)) throw new SottoError('studio/audio-type')
  if (bytes > MAX_HEARD_BYTES && !(split && CUT_TYPES.has(type))) throw new SottoError('studio/audio-too-large')
  const seconds = secondsOf({ head, bytes, type })
  return { type, ...(seconds !== undefined && { seconds }) }
}

function stripped(bytes: Uint8Array, strip: (bytes: Uint8Array) => Uint8Array): Uint8Array {
  try {
    return strip(bytes)
  } catch (cause) {
    throw new SottoError('studio/image-broken', { cause })
  }
}

/** The beginning of a file; the rest is not read. */
export async function headOf(content: AsyncIterable<Uint8Array>, length = 1024 * 1024): Promise<Uint8Array> {
  const pieces: Uint8Array[] = []
  let size = 0
  for await (const piece of content) {
    pieces.push(piece)
    size += piece.byteLength
    if (size >= length) break
  }
  return Buffer.concat(pieces, size)
}

/** Of what is short enough. Throws service/response-invalid where it is longer. */
export async function whole(content: AsyncIterable<Uint8Array>, limit = Infinity): Promise<Uint8Array> {
  const bytes = await headOf(content, limit === Infinity ? limit : limit + 1)
  if (bytes.byteLength > limit) throw new SottoError('service/response-invalid', { detail: 'It is larger than it may be.' })
  return bytes
}

export async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array, void> {
  yield await Promise.resolve(bytes)
}

function gone(): never {
  throw new SottoError('studio/unknown')
}

/** What is handed over with an ask. */
export function givenOf<File>(ask: { readonly image?: File } | { readonly file: File } | { readonly kind: 'speech' | 'data' }): File | undefined {
  if ('file' in ask) return ask.file
  return 'image' in ask ? ask.image : undefined
}

function uploadsIn(given: Exclude<GivenFile, { url: string }>): string[] {
  return 'uploadId' in given ? [given.uploadId] : []
}
