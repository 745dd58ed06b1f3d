import { toAsyncIterable, giveBackEach } from '../../shared/byte-buffer.ts'
import { CUT_TYPES, HEARD_TYPES, MAX_HEARD_BYTES } from '../../shared/audio-limits.ts'
import { SottoError } from '../../shared/errors.ts'
import type { GivenFile, JobAsk, StoredAsk, StoredFile, TextSource } from '../../shared/job-ask.ts'
import type { JobRecord } from '../../shared/job-record.ts'
import type { JobFile } from '../../shared/job.ts'
import { readBytes } from '../../shared/limited-body.ts'
import { MAX_PICTURE_BYTES } from '../../shared/attachment-limits.ts'
import { msg } from '../../shared/localized-text.ts'
import type { Store } from '../storage/index.ts'
import { secondsOf } from './audio/cut-audio.ts'
import { headOf } from './byte-streams.ts'
import type { Jobs } from './jobs.ts'
import { fileAt } from './links.ts'
import type { SourceFile } from './requests/image-request.ts'
import { endingOf, sniffFile, sniffMedia } from './sniff-media.ts'
import { asLines, LINES_TYPE } from './tables/line-file.ts'
import type { TableSource } from './tables/read-csv.ts'
import { rowsOf } from './tables/read-table.ts'
import { textsOf, type LabelledText, type TextSources } from './tables/texts.ts'
import type { Uploads } from './uploads.ts'

/** Input files are numbered from here, after the results. */
export const FIRST_GIVEN = 10_000
/** The largest side of an input image in pixels (specification, Limits). */
const MAX_SIDE = 16_384
const IMAGE_TYPES = new Set(['image/jpeg', 'image/png', 'image/webp'])

export interface GivenFilesOptions {
  readonly jobs: Jobs
  readonly files: Store['jobFiles']
  readonly uploads: Uploads
  /** Removes metadata of cameras and programs from an image. Throws if the bytes aren't such an image. */
  readonly removeMetadata: (bytes: Uint8Array) => Uint8Array
}

/** An input file. */
interface Source extends TableSource {
  readonly bytes: number
  readonly name: string
}

/** An ask with the files that its job stores for it. */
export interface Gathered {
  readonly ask: StoredAsk
  readonly files: readonly JobFile[]
  /** The number of parts, if it's known already. */
  readonly parts?: number
  /** The uploads among the files. They can be discarded once the job is written. */
  readonly uploadIds: readonly string[]
}

/**
 * Turns input files into files of the job, and validates their bytes before anything is sent. Throws
 * studio/….
 */
export class GivenFiles {
  readonly #options: GivenFilesOptions

  constructor(options: GivenFilesOptions) {
    this.#options = options
  }

  /**
   * Validates the input files without storing anything. Returns the duration of a recording, if its format
   * states it.
   */
  async check(ask: JobAsk): Promise<{ readonly seconds?: number }> {
    const references = givenOf(ask)
    if (!references || 'url' in references) return {}
    const source = await this.#source(references)
    if (ask.kind === 'image' || ask.kind === 'video') checkImageFile(source)
    else if (ask.kind === 'transcription') {
      const { seconds = ask.seconds } = checkAudioFile(source, ask.split === true)
      if (seconds !== undefined) return { seconds }
    }
    return {}
  }

  /**
   * Saves the input as files of this job, which isn't written yet, and names them in the ask. Metadata is
   * removed from an image unless the owner wants to keep it. Texts and tables become JSON Lines. Throws
   * request/invalid, studio/…, store/….
   */
  async gather(jobId: string, ask: JobAsk): Promise<Gathered> {
    switch (ask.kind) {
      case 'speech':
      case 'data':
        return { ask, files: [], uploadIds: [] }
      case 'transcription': {
        // The service accepts a recording only in a form.
        if ('url' in ask.file)
          throw new SottoError('request/invalid', {
            param: 'file',
            detail: msg('A recording must be a file.'),
          })
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
      case 'embedding': {
        const { source, ...rest } = ask
        const { file, lines } = await this.#keepLines(jobId, 'texts.jsonl', await this.texts(ask))
        return {
          ask: { ...rest, source: { form: source.form, file: { file: file.index } } },
          files: [file],
          parts: lines,
          uploadIds: source.form === 'files' ? source.files.flatMap(uploadsOf) : uploadsOf(source.file),
        }
      }
      case 'batch': {
        const { file, lines } = await this.#keepLines(jobId, 'rows.jsonl', await this.rows(ask))
        // The first line has the names of the columns.
        return {
          ask: { ...ask, file: { file: file.index } },
          files: [file],
          parts: lines - 1,
          uploadIds: uploadsOf(ask.file),
        }
      }
    }
  }

  /**
   * The stored input file of an image, a clip or a transcript; undefined if the input isn't a stored file,
   * or there is none. Throws studio/unknown, and store/damaged when it's read.
   */
  sourceOf({ id, ask, files: jobFiles }: JobRecord): SourceFile | undefined {
    const storedFile = givenOf<StoredFile>(ask)
    if (!storedFile || !('file' in storedFile)) return undefined
    const file = fileAt(jobFiles, storedFile.file)
    return {
      file,
      read: () => {
        const content = this.#options.files.stream(id, file.index)
        if (!content) throw new SottoError('store/damaged', { detail: msg('A job’s input is missing.') })
        return content
      },
    }
  }

  /** Reads the texts again on each call. Throws studio/…. */
  async texts({ source }: Extract<JobAsk, { kind: 'embedding' }>): Promise<AsyncIterable<LabelledText>> {
    return textsOf(await this.#textSources(source))
  }

  /** The names of the columns, followed by the cells of each row. Throws studio/…. */
  async rows({
    file,
    header,
    delimiter,
  }: Pick<Extract<JobAsk, { kind: 'batch' }>, 'file' | 'header' | 'delimiter'>): Promise<
    AsyncIterable<readonly string[]>
  > {
    return rowsOf(await this.tableSource(file), { header, delimiter })
  }

  /** Throws studio/…. */
  async tableSource(file: GivenFile): Promise<TableSource> {
    return this.#source(fileOnly(file))
  }

  async #textSources(source: TextSource): Promise<TextSources> {
    if (source.form === 'files')
      return {
        form: 'files',
        sources: await Promise.all(source.files.map((file) => this.#source(fileOnly(file)))),
      }
    const table = await this.tableSource(source.file)
    // The file of an earlier job has the texts as JSON Lines already.
    if (table.type === LINES_TYPE) return { form: 'jsonl', source: table }
    return source.form === 'csv'
      ? { form: 'csv', source: table, column: source.column, csv: source }
      : { form: source.form, source: table }
  }

  async #keepLines(
    jobId: string,
    name: string,
    values: AsyncIterable<unknown>,
  ): Promise<{ readonly file: JobFile; readonly lines: number }> {
    let lines = 0
    async function* counted(): AsyncGenerator<unknown, void> {
      for await (const value of values) {
        lines += 1
        yield value
      }
    }
    const bytes = await this.#options.files.save(jobId, FIRST_GIVEN, asLines(counted()))
    return { file: { index: FIRST_GIVEN, role: 'given', name, type: LINES_TYPE, bytes }, lines }
  }

  async #keepAudio(
    jobId: string,
    input: Exclude<GivenFile, { url: string }>,
    split: boolean,
  ): Promise<JobFile> {
    const source = await this.#source(input)
    const { type, seconds } = checkAudioFile(source, split)
    const fileEntry = {
      index: FIRST_GIVEN,
      role: 'given',
      name: `audio.${endingOf(type)}`,
      type,
      ...(seconds !== undefined && { seconds }),
    } as const
    const adopted = 'jobId' in input ? await this.#options.files.adopt(jobId, FIRST_GIVEN, input) : null
    return {
      ...fileEntry,
      bytes: adopted ?? (await this.#options.files.save(jobId, FIRST_GIVEN, giveBackEach(source.read()))),
    }
  }

  async #keepImage(
    jobId: string,
    input: Exclude<GivenFile, { url: string }>,
    keepMetadata: boolean,
  ): Promise<JobFile> {
    const source = await this.#source(input)
    const { type, width, height } = checkImageFile(source)
    const content = keepMetadata
      ? giveBackEach(source.read())
      : toAsyncIterable(stripped(await readBytes(source.read(), Infinity), this.#options.removeMetadata))
    const bytes = await this.#options.files.save(jobId, FIRST_GIVEN, content)
    return { index: FIRST_GIVEN, role: 'given', name: `image.${endingOf(type)}`, type, bytes, width, height }
  }

  async #source(input: Exclude<GivenFile, { url: string }>): Promise<Source> {
    const { uploads, jobs, files } = this.#options
    if ('uploadId' in input) {
      const upload = uploads.getFile(input.uploadId)
      return { bytes: upload.bytes, name: upload.name, head: upload.head, read: () => upload.read() }
    }
    const { jobId, index } = input
    const { bytes, name, type } = fileAt(jobs.of(jobId).files, index)
    const read = (): AsyncIterable<Uint8Array> => files.stream(jobId, index) ?? gone()
    return { bytes, name, type, read, head: await headOf(read()) }
  }
}

function checkImageFile({ bytes, head }: Source): {
  readonly type: string
  readonly width: number
  readonly height: number
} {
  if (bytes === 0) throw new SottoError('studio/file-empty')
  if (bytes > MAX_PICTURE_BYTES)
    throw new SottoError('studio/file-too-large', { detail: msg('An image can be up to 25 MB.') })
  const { type, width, height } = sniffFile(head)
  if (!IMAGE_TYPES.has(type)) throw new SottoError('studio/image-type')
  if (width === undefined || height === undefined) throw new SottoError('studio/image-malformed')
  if (width > MAX_SIDE || height > MAX_SIDE)
    throw new SottoError('studio/image-too-large', {
      detail: msg('The image is {width} × {height} pixels.', { width, height }),
    })
  return { type, width, height }
}

function checkAudioFile(
  { bytes, head }: Source,
  split: boolean,
): { readonly type: string; readonly seconds?: number } {
  if (bytes === 0) throw new SottoError('studio/file-empty')
  const type = sniffMedia(head)
  if (!HEARD_TYPES.has(type)) throw new SottoError('studio/audio-type')
  if (bytes > MAX_HEARD_BYTES && !(split && CUT_TYPES.has(type)))
    throw new SottoError('studio/audio-too-large')
  const seconds = secondsOf({ head, bytes, type })
  return { type, ...(seconds !== undefined && { seconds }) }
}

function stripped(bytes: Uint8Array, removeMetadata: (bytes: Uint8Array) => Uint8Array): Uint8Array {
  try {
    return removeMetadata(bytes)
  } catch (cause) {
    throw new SottoError('studio/image-malformed', { cause })
  }
}

function gone(): never {
  throw new SottoError('studio/unknown')
}

/** The single input file of an ask, if it's sent as a file. */
function givenOf<File>(
  ask:
    | { readonly image?: File }
    | { readonly file: File }
    | { readonly kind: 'speech' | 'data' | 'embedding' | 'batch' },
): File | undefined {
  // Tables are read line by line when they are sent.
  if ('kind' in ask && ask.kind === 'batch') return undefined
  if ('file' in ask) return ask.file
  return 'image' in ask ? ask.image : undefined
}

/** An input that is read on this computer must be a file. */
function fileOnly(reference: GivenFile): Exclude<GivenFile, { url: string }> {
  if ('url' in reference)
    throw new SottoError('request/invalid', { param: 'file', detail: msg('The input must be a file.') })
  return reference
}

function uploadsOf(reference: GivenFile): string[] {
  return 'url' in reference ? [] : uploadsIn(reference)
}

function uploadsIn(reference: Exclude<GivenFile, { url: string }>): string[] {
  return 'uploadId' in reference ? [reference.uploadId] : []
}
