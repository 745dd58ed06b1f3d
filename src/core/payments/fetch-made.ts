import { SottoError } from '../../shared/errors.ts'
import { limited } from '../../shared/limited-body.ts'
import { msg, type LocalizedText } from '../../shared/localized-text.ts'
import { videoPollDelay, type VideoJob } from '../../shared/video-job.ts'
import { RETRY_DELAYS_MS, withRetries } from '../../shared/with-retries.ts'
import type { PaymentTransport } from '../gateway/relay/index.ts'
import type { PaymentRecord } from '../../shared/payment-record.ts'
import type { DeliveredFiles } from '../storage/index.ts'
import { namedIn, plainContentType, readJob } from './read-answer.ts'
import type { Records } from './records.ts'

const MAX_FILE_BYTES = 1024 * 1024 * 1024

export interface FetchMadeOptions {
  readonly records: Records
  readonly files: DeliveredFiles
  readonly transport: PaymentTransport
  readonly wait: (ms: number, signal: AbortSignal) => Promise<void>
  readonly closed: AbortSignal
}

export type FetchResult =
  | { readonly complete: true }
  | { readonly complete: false; readonly why: LocalizedText }

/**
 * Fetches the files that a stored answer names, because signed addresses expire: images at once, a video when
 * its job is done. Files that were already fetched are skipped. If a file can't be fetched or stored in six
 * attempts, the result is a failure.
 * @throws when it's closed; {SottoError} store/… – the stored answer can't be read, or the job's progress
 * can't be written
 */
export async function fetchMade(record: PaymentRecord, options: FetchMadeOptions): Promise<FetchResult> {
  const { purpose, delivered } = record
  if (purpose.kind !== 'request' || !delivered) return { complete: false, why: msg('There was no response.') }
  const { endpoint } = purpose.request
  if (endpoint === 'data') return { complete: true }
  if (endpoint === 'videos') return await fetchClip(record.id, options)

  const { images } = namedIn(endpoint, (await options.files.read(record.id, 0)) ?? new Uint8Array(0))
  for (const [at, address] of images.entries()) {
    const index = at + 1
    if (index < delivered.files.length) continue
    if (!(await fetchFile(record.id, index, address, options)))
      return {
        complete: false,
        why: msg(
          'The service responded, but the result couldn’t be downloaded yet. The service stores it for one day.',
        ),
      }
  }
  return { complete: true }
}

async function fetchClip(id: string, options: FetchMadeOptions): Promise<FetchResult> {
  const { records, transport, wait, closed } = options
  const { delivered } = records.of(id)
  if (!delivered) return { complete: false, why: msg('There was no response.') }
  if (delivered.files.length > 1) return { complete: true }
  const { statusUrl, job } = delivered
  if (statusUrl === undefined || !job)
    return { complete: false, why: msg('The service provided no address for the video’s status.') }
  let unreadable = 0
  for (let polls = 0; ; polls++) {
    const { status, url: clip, says } = (await ask(transport, statusUrl, closed)) ?? {}
    // A person has abandoned it.
    if (records.of(id).state !== 'paid') return { complete: false, why: msg('You stopped waiting for it.') }
    unreadable = status === undefined ? unreadable + 1 : 0
    if (status === 'failed') {
      records.apply(id, { type: 'job', job: { ...job, status } })
      return {
        complete: false,
        why:
          says === undefined
            ? msg('The service reported that the video failed.')
            : msg('The service reported that the video failed: “{words}”.', { words: says }),
      }
    }
    if (status === 'completed') {
      if (clip === undefined || !(await fetchFile(id, 1, clip, options)))
        return {
          complete: false,
          why: msg('The video is ready but couldn’t be downloaded yet. The service stores it for one day.'),
        }
      records.apply(id, { type: 'job', job: { ...job, status } })
      return { complete: true }
    }
    await wait(videoPollDelay(polls, unreadable), closed)
  }
}

/** Returns undefined if the answer is unreadable: the next poll may get a readable one. */
async function ask(
  transport: PaymentTransport,
  statusUrl: string,
  closed: AbortSignal,
): Promise<VideoJob | undefined> {
  try {
    return await readJob(await transport.fetchOwn(statusUrl, closed))
  } catch (thrown) {
    if (closed.aborted) throw thrown
    return undefined
  }
}

/** Returns false if it's unavailable. */
async function fetchFile(
  id: string,
  index: number,
  address: string,
  { records, files, transport, wait, closed }: FetchMadeOptions,
): Promise<boolean> {
  const fetchOnce = async (): Promise<void> => {
    const { status, contentType, body } = await transport.fetchOwn(address, closed)
    if (status !== 200) {
      for await (const _ of body) break
      throw new SottoError('service/failed')
    }
    const bytes = await files.save(id, index, limited(body, MAX_FILE_BYTES))
    records.apply(id, { type: 'kept', file: { contentType: plainContentType(contentType), bytes } })
  }
  try {
    await withRetries(fetchOnce, RETRY_DELAYS_MS, { wait, closed, mayPass: () => !closed.aborted })
    return true
  } catch (thrown) {
    if (closed.aborted) throw thrown
    return false
  }
}
