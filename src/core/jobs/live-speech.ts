import { SottoError } from '../../shared/errors.ts'
import type { JobRecord } from '../../shared/job-record.ts'
import { hasEnded } from '../../shared/job-state.ts'
import type { Store } from '../storage/index.ts'
import { bareFrames } from './audio/bare-frames.ts'
import { FIRST_PART } from './handlers/parts.ts'
import { WHOLE } from './handlers/speech.ts'
import { headOf } from './byte-streams.ts'
import { GrowingBytes } from './growing-bytes.ts'
import type { Jobs } from './jobs.ts'
import { sniffMedia } from './sniff-media.ts'

/**
 * Only this format is played while it arrives: it can be decoded without its end, and pieces can follow
 * each other.
 */
const STREAMED = 'audio/mpeg'
/** Bytes needed to recognize the format. */
const HEAD_BYTES = 12
/** Limit for a part that is arriving. A longer part is played after it's stored. */
const MOST_HELD = 16 * 1024 * 1024

/** A part that is arriving. */
interface Coming {
  readonly index: number
  readonly received: GrowingBytes
  state: 'coming' | 'whole' | 'broken'
  /** Resolves when there are more bytes, or the part is complete. */
  more: PromiseWithResolvers<void>
}

/**
 * Plays speech while the service sends it: parts that are arriving from memory, earlier ones from the disk.
 */
export class LiveSpeech {
  readonly #coming = new Map<string, Coming>()
  readonly #jobs: Jobs
  readonly #files: Store['jobFiles']
  /** Resolves when a part begins to arrive. */
  #begun = Promise.withResolvers<undefined>()

  constructor(jobs: Jobs, files: Store['jobFiles']) {
    this.#jobs = jobs
    this.#files = files
  }

  /** Passes a part through as it arrives. */
  async *passing(
    jobId: string,
    index: number,
    body: AsyncIterable<Uint8Array>,
  ): AsyncGenerator<Uint8Array, void> {
    const coming: Coming = {
      index,
      received: new GrowingBytes(),
      state: 'coming',
      more: Promise.withResolvers(),
    }
    this.#coming.set(jobId, coming)
    this.#begun.resolve(undefined)
    this.#begun = Promise.withResolvers()
    try {
      for await (const piece of body) {
        if (coming.received.bytes + piece.byteLength > MOST_HELD) coming.state = 'broken'
        // After one piece was left out, no later piece may follow.
        if (coming.state === 'coming') coming.received.add(piece)
        notifyReaders(coming)
        yield piece
      }
      if (coming.state === 'coming') coming.state = 'whole'
    } finally {
      if (coming.state === 'coming') coming.state = 'broken'
      this.#coming.delete(jobId)
      notifyReaders(coming)
    }
  }

  /**
   * Resolves once the format is known, with all speech from the beginning. Throws studio/invalid-state if
   * the job isn't in progress, or if its format can't be streamed.
   */
  async listen(
    jobId: string,
    signal: AbortSignal,
  ): Promise<{ readonly type: string; readonly stream: () => AsyncIterable<Uint8Array> }> {
    for (;;) {
      const job = this.#jobs.of(jobId)
      if (job.ask.kind !== 'speech' || hasEnded(job.state) || job.state === 'ready')
        throw new SottoError('studio/invalid-state')
      const type = await this.#typeOf(job)
      if (type !== undefined && type !== STREAMED) throw new SottoError('studio/invalid-state')
      if (type !== undefined) return { type, stream: () => this.#stream(jobId) }
      await this.#changed(jobId, signal)
    }
  }

  async #typeOf({ id, files }: JobRecord): Promise<string | undefined> {
    const stored = files.some(({ index }) => index === FIRST_PART) ? this.#files.stream(id, FIRST_PART) : null
    const coming = this.#coming.get(id)
    const head = stored
      ? await headOf(stored, HEAD_BYTES)
      : coming?.index === FIRST_PART
        ? coming.received.from(0)
        : new Uint8Array()
    return head.length < HEAD_BYTES ? undefined : sniffMedia(head)
  }

  /**
   * Streams all parts in the order in which they are joined. If they were joined during that time, the
   * stream continues from the joined file.
   */
  async *#stream(jobId: string): AsyncGenerator<Uint8Array, void> {
    let sent = 0
    for (let index = FIRST_PART; ; index++) {
      const part = await this.#partOf(jobId, index)
      if (!part) break
      for await (const piece of bareFrames(part)) {
        sent += piece.byteLength
        yield piece
      }
    }
    const { parts, files } = this.#jobs.of(jobId)
    // A single part is the joined file unchanged, including its tags.
    const joined =
      parts?.of !== 1 && files.some(({ index }) => index === WHOLE)
        ? this.#files.stream(jobId, WHOLE, sent)
        : null
    if (joined) yield* joined
  }

  /** Waits for a part. Returns null if it doesn't arrive, or is no longer a separate file. */
  async #partOf(jobId: string, index: number): Promise<AsyncIterable<Uint8Array> | null> {
    const never = new AbortController().signal
    for (;;) {
      const coming = this.#coming.get(jobId)
      if (coming?.index === index && coming.state !== 'broken') return arrivingBytes(coming)
      const job = this.#jobs.store.get(jobId)
      if (!job) return null
      if (job.files.some((file) => file.index === index && file.role !== 'made'))
        return this.#files.stream(jobId, index)
      if (job.state !== 'sending') return null
      await this.#changed(jobId, never)
    }
  }

  /** Resolves when a part begins to arrive or is complete, or when the job changes. */
  async #changed(jobId: string, signal: AbortSignal): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<undefined>()
    const left = (): void => reject(new SottoError('request/canceled'))
    const off = this.#jobs.onChange((change) => {
      if (change.jobId === jobId) resolve(undefined)
    })
    signal.addEventListener('abort', left, { once: true })
    if (signal.aborted) left()
    try {
      await Promise.race([
        promise,
        this.#begun.promise,
        ...[this.#coming.get(jobId)?.more.promise].filter((more) => more !== undefined),
      ])
    } finally {
      off()
      signal.removeEventListener('abort', left)
    }
  }
}

function notifyReaders(coming: Coming): void {
  const { resolve } = coming.more
  coming.more = Promise.withResolvers()
  resolve()
}

/**
 * Yields the bytes that have arrived, and then those that arrive. Throws service/interrupted if the part
 * breaks off.
 */
async function* arrivingBytes(coming: Coming): AsyncGenerator<Uint8Array, void> {
  for (let at = 0; ;) {
    while (at >= coming.received.bytes && coming.state === 'coming') await coming.more.promise
    const piece = coming.received.from(at)
    at += piece.byteLength
    if (piece.byteLength > 0) yield piece
    else if (coming.state === 'broken') throw new SottoError('service/interrupted')
    else return
  }
}
