import { randomBytes } from 'node:crypto'
import { SottoError } from '../../shared/errors.ts'
import type { JobFile } from '../../shared/job.ts'

const LIFETIME_MS = 15 * 60_000
const MOST_LINKS = 5000

/** A file that a link gives access to. */
export interface LinkedFile {
  readonly name: string
  readonly type: string
  readonly download: boolean
  /** Undefined if the file is generated while it's read. */
  readonly bytes?: number
  /** Streams from this byte on; null if the file no longer exists. */
  stream(from: number): AsyncIterable<Uint8Array> | null
}

/**
 * Temporary paths that grant access to one file each, because a media player or an image can't send a
 * token.
 */
export class Links {
  readonly #now: () => number
  readonly #links = new Map<string, { readonly file: LinkedFile; readonly expiresAt: number }>()

  constructor(now: () => number) {
    this.#now = now
  }

  /**
   * Creates a link for 15 minutes and any number of requests (`expiresAt` in Unix ms). If there are too
   * many links, the oldest expires.
   */
  add(file: LinkedFile): { readonly path: string; readonly expiresAt: number } {
    for (const [token, { expiresAt }] of this.#links)
      if (expiresAt <= this.#now() || this.#links.size >= MOST_LINKS) this.#links.delete(token)
    const token = randomBytes(32).toString('base64url')
    const expiresAt = this.#now() + LIFETIME_MS
    this.#links.set(token, { file, expiresAt })
    return { path: `/media/${token}`, expiresAt }
  }

  /** Undefined if the link doesn't exist or has expired. @param token the last part of its path */
  get(token: string): LinkedFile | undefined {
    const link = this.#links.get(token)
    return link && link.expiresAt > this.#now() ? link.file : undefined
  }

  clear(): void {
    this.#links.clear()
  }
}

/** Throws studio/unknown. */
export function fileAt(files: readonly JobFile[], index: number): JobFile {
  const file = files.find((each) => each.index === index)
  if (!file) throw new SottoError('studio/unknown')
  return file
}
