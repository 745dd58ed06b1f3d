import { randomBytes, randomUUID } from 'node:crypto'
import { SottoError } from '../../shared/errors.ts'
import type { Upload } from '../../shared/job.ts'
import type { Spool, SpooledBytes } from '../storage/spool.ts'
import { PassingHead } from './byte-streams.ts'
import { sniffFile } from './sniff-media.ts'

const LIFETIME_MS = 10 * 60_000
/**
 * The beginning of a file, which determines its type. Color profiles before the size of an image are
 * shorter than this.
 */
export const HEAD_BYTES = 1024 * 1024
const MOST_WAITING = 200

/** An uploaded file, which can be read any number of times. */
export interface TakenFile extends Upload {
  readonly name: string
  readonly head: Uint8Array
  read(): AsyncIterable<Uint8Array>
}

interface Waiting {
  readonly uploadId: string
  readonly token: string
  readonly name: string
  readonly size: number
  readonly expiresAt: number
  spooled?: SpooledBytes
  file?: TakenFile
}

/**
 * Uploads: each has its own path, can be written once, has the declared size, and is never completely in
 * memory.
 */
export class Uploads {
  readonly #spool: Spool
  readonly #now: () => number
  readonly #waiting = new Map<string, Waiting>()

  constructor(spool: Spool, now: () => number) {
    this.#spool = spool
    this.#now = now
  }

  /**
   * Creates a path that accepts one file, once (./media-handler.ts). The path and the file expire after ten
   * minutes (`expiresAt` in Unix ms). Throws studio/file-empty, studio/file-too-large.
   *
   * @param size the exact size in bytes
   * @param most the size limit
   */
  begin(
    name: string,
    size: number,
    most: number,
  ): { readonly uploadId: string; readonly path: string; readonly expiresAt: number } {
    if (size === 0) throw new SottoError('studio/file-empty')
    if (size > most) throw new SottoError('studio/file-too-large')
    this.#sweep()
    const waiting: Waiting = {
      uploadId: randomUUID(),
      token: randomBytes(32).toString('base64url'),
      name,
      size,
      expiresAt: this.#now() + LIFETIME_MS,
    }
    this.#waiting.set(waiting.uploadId, waiting)
    return { uploadId: waiting.uploadId, path: `/upload/${waiting.token}`, expiresAt: waiting.expiresAt }
  }

  /**
   * Throws studio/upload-unknown, studio/upload-incomplete, store/unwritable, and the errors of the body.
   * After a failure, the upload can only be restarted.
   */
  async receive(token: string, body: AsyncIterable<Uint8Array>): Promise<Upload> {
    this.#sweep()
    const waiting = [...this.#waiting.values()].find((each) => each.token === token && !each.spooled)
    if (!waiting) throw new SottoError('studio/upload-unknown')
    const spooled = await this.#spool.open()
    // The path can be used only once: a later request finds no upload.
    if (waiting.spooled) {
      await spooled.discard()
      throw new SottoError('studio/upload-unknown')
    }
    waiting.spooled = spooled
    try {
      const head = await this.#write(waiting, spooled, body)
      const { uploadId, name } = waiting
      const upload: Upload = { uploadId, bytes: spooled.size, ...sniffFile(head) }
      waiting.file = { ...upload, name, head, read: () => spooled.read() }
      return upload
    } catch (thrown) {
      this.discard(waiting.uploadId)
      throw thrown
    }
  }

  /** Throws studio/upload-unknown. */
  getFile(uploadId: string): TakenFile {
    this.#sweep()
    const file = this.#waiting.get(uploadId)?.file
    if (!file) throw new SottoError('studio/upload-unknown')
    return file
  }

  /** Deletes the upload and its bytes. Does nothing if it doesn't exist. */
  discard(uploadId: string): void {
    const waiting = this.#waiting.get(uploadId)
    this.#waiting.delete(uploadId)
    void waiting?.spooled?.discard()
  }

  /** Also discards uploads in progress. */
  discardAll(): void {
    for (const uploadId of [...this.#waiting.keys()]) this.discard(uploadId)
  }

  async #write(
    { size }: Waiting,
    spooled: SpooledBytes,
    body: AsyncIterable<Uint8Array>,
  ): Promise<Uint8Array> {
    const head = new PassingHead(HEAD_BYTES)
    for await (const chunk of body) {
      if (spooled.size + chunk.byteLength > size) throw new SottoError('studio/upload-incomplete')
      head.pass(chunk)
      await spooled.write(chunk)
    }
    if (spooled.size !== size) throw new SottoError('studio/upload-incomplete')
    return head.take()
  }

  /** Discards expired uploads, and the oldest if too many wait. */
  #sweep(): void {
    for (const { uploadId, expiresAt } of this.#waiting.values())
      if (expiresAt <= this.#now()) this.discard(uploadId)
    for (const uploadId of [...this.#waiting.keys()].slice(0, Math.max(0, this.#waiting.size - MOST_WAITING)))
      this.discard(uploadId)
  }
}
