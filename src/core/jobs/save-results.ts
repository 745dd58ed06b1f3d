import { toAsyncIterable } from '../../shared/byte-buffer.ts'
import { SottoError } from '../../shared/errors.ts'
import type { ErrorCode } from '../../shared/error-codes.ts'
import type { JobRecord } from '../../shared/job-record.ts'
import type { JobFile } from '../../shared/job.ts'
import { limited } from '../../shared/limited-body.ts'
import { RETRY_DELAYS_MS, withRetries } from '../../shared/with-retries.ts'
import type { Store } from '../storage/index.ts'
import { PassingHead } from './byte-streams.ts'
import { nameOf } from './names.ts'
import type { StudioService } from './service.ts'
import { sniffFile } from './sniff-media.ts'
import { HEAD_BYTES } from './uploads.ts'

/** Longer than any clip that the service generates. */
const MAX_BYTES = 1024 * 1024 * 1024
/**
 * The codes of an expired signed address: 403 or 404, with a code that depends on the service's message.
 */
const GONE = new Set<ErrorCode>([
  'service/not-found',
  'service/key-refused',
  'service/key-expired',
  'service/key-revoked',
  'service/media-expired',
])
const PASSING = new Set<ErrorCode>([
  'service/unreachable',
  'service/interrupted',
  'service/timeout',
  'service/unavailable',
  'service/failed',
  'service/rate-limited',
])

export interface KeepMadeOptions {
  readonly files: Store['jobFiles']
  readonly service: Pick<StudioService, 'fetchOwn'>
  readonly wait: (ms: number, signal: AbortSignal) => Promise<void>
  readonly closed: AbortSignal
}

/**
 * Fetches a result that a response names and saves it as a file of the job. Throws service/media-expired if
 * the address expired, service/…, store/unwritable.
 */
export async function fetchMade(
  job: JobRecord,
  index: number,
  address: string,
  options: KeepMadeOptions,
): Promise<JobFile> {
  const { service, wait, closed } = options
  const mayPass = (thrown: unknown): boolean =>
    !closed.aborted && thrown instanceof SottoError && PASSING.has(thrown.code)
  try {
    return await withRetries(
      async () => keepMade(job, index, (await service.fetchOwn(address, closed)).body, options),
      RETRY_DELAYS_MS,
      { wait, closed, mayPass },
    )
  } catch (thrown) {
    if (!closed.aborted && thrown instanceof SottoError && GONE.has(thrown.code))
      throw new SottoError('service/media-expired', { cause: thrown })
    throw thrown
  }
}

/**
 * Saves bytes as a file of the job, with their detected type. Other types than the media that Sotto shows
 * can only be downloaded. Throws service/response-invalid above 1 GiB, store/unwritable, and the errors of
 * the body.
 */
export async function keepMade(
  job: JobRecord,
  index: number,
  body: AsyncIterable<Uint8Array>,
  { files }: Pick<KeepMadeOptions, 'files'>,
): Promise<JobFile> {
  const head = new PassingHead(HEAD_BYTES)
  const bytes = await files.save(job.id, index, limited(watched(body, head), MAX_BYTES))
  return describe(job, index, bytes, head.take())
}

/** Saves base64 text, which `imagesIn` has validated, as a file of the job. See keepMade. */
export function keepBase64(
  job: JobRecord,
  index: number,
  text: string,
  options: Pick<KeepMadeOptions, 'files'>,
): Promise<JobFile> {
  return keepMade(job, index, toAsyncIterable(Buffer.from(text, 'base64')), options)
}

/**
 * Describes a result by its first bytes: its detected type, whatever type was declared, a name, and the
 * size of an image in pixels if they include it.
 */
export function describe(job: JobRecord, index: number, bytes: number, head: Uint8Array): JobFile {
  const media = sniffFile(head)
  return { index, role: 'made', name: nameOf(job, index, media.type), bytes, ...media }
}

async function* watched(
  body: AsyncIterable<Uint8Array>,
  head: PassingHead,
): AsyncGenerator<Uint8Array, void> {
  for await (const piece of body) {
    head.pass(piece)
    yield piece
  }
}
