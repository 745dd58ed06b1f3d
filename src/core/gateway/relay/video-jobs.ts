import { toAsyncIterable } from '../../../shared/byte-buffer.ts'
import { SottoError } from '../../../shared/errors.ts'
import { readBytes } from '../../../shared/limited-body.ts'
import { readVideoJob } from '../../../shared/video-job.ts'
import { perform, type Service } from '../service/http/perform.ts'
import { endpoints, passThrough, type PassedAnswer } from '../service/inference/pass-through.ts'
import { movedAddress } from './payment-transport.ts'
import type { RelayOptions } from './relay.ts'
import { tryParseJson } from '../../../shared/strict-json.ts'

/**
 * Replaces the model's name in a JSON answer with the caller's alias. Without an alias, or if the answer
 * names no model, the bytes remain unchanged.
 * @param bytes the whole answer
 */
export function renameModel(bytes: Uint8Array, contentType: string, alias: string | undefined): Uint8Array {
  if (alias === undefined || !/^application\/json(?:;|$)/i.test(contentType)) return bytes
  const answer = tryParseJson(new TextDecoder().decode(bytes))
  return hasModel(answer) ? Buffer.from(JSON.stringify({ ...answer, model: alias })) : bytes
}

function hasModel(value: unknown): value is { model: string } {
  return typeof value === 'object' && value !== null && 'model' in value && typeof value.model === 'string'
}

/** The number of jobs whose names are cached; the oldest are dropped first. */
const MOST_JOBS = 1000

/**
 * Caches the model names of callers' video jobs. A status request has only the ID of a job, and its answer
 * names the model as the caller did. The names are in memory: after a restart, only a purchase still has its
 * name, because Sotto doesn't store the other jobs.
 */
export class VideoJobs {
  readonly #service: Service
  readonly #options: Pick<RelayOptions, 'profile' | 'payer' | 'receipts'>
  readonly #names = new Map<string, string>()

  constructor(service: Service, options: Pick<RelayOptions, 'profile' | 'payer' | 'receipts'>) {
    this.#service = service
    this.#options = options
  }

  /**
   * Caches the name that the caller sent for the model.
   * @param answer to the request that submitted the job
   */
  note(status: number, answer: Uint8Array, name: string): void {
    const id = readVideoJob(status, answer)?.id
    if (id === undefined) return
    this.#names.set(id, name)
    const [oldest] = this.#names.keys()
    if (this.#names.size > MOST_JOBS && oldest !== undefined) this.#names.delete(oldest)
  }

  /**
   * Returns the state of a job.
   * @throws {SottoError} service/not-found – the ID isn't one of a job; service/…
   */
  async look(id: string, signal: AbortSignal): Promise<PassedAnswer> {
    // The service's form of IDs (specification, Video job).
    if (!/^gen_[\w-]{1,200}$/.test(id)) throw new SottoError('service/not-found', { param: 'id' })
    const { profile, payer, receipts } = this.#options
    const access = this.#service.access()
    const statusRequest = passThrough(
      'videos/status',
      { method: 'GET', below: `/${id}`, repeatable: true },
      access,
    )
    // A job that was paid per request belongs to no account. It can only be read at its signed address.
    const { statusUrl, receiptId } = (await payer?.jobOf(id)) ?? {}
    const answer = await perform(
      this.#service,
      statusUrl === undefined
        ? statusRequest
        : {
            ...statusRequest,
            target: { address: movedAddress(profile.kind, access, statusUrl) },
            auth: 'none',
          },
      { signal },
    )
    const name = this.#names.get(id) ?? (receiptId === undefined ? undefined : receipts.askedModel(receiptId))
    if (name === undefined) return answer
    const body = renameModel(
      await readBytes(answer.body, endpoints['videos/status'].limit),
      answer.contentType,
      name,
    )
    return { ...answer, contentLength: body.byteLength, body: toAsyncIterable(body) }
  }
}
