import { randomBytes } from 'node:crypto'
import { SottoError } from '../../shared/errors.ts'
import type { JobFile } from '../../shared/job.ts'

const LIFETIME_MS = 15 * 60_000
const MOST_LINKS = 5000

/** A file that can be had by its link. */
export interface LinkedFile {
  readonly name: string
  readonly type: string
  readonly download: boolean
  /** Undefined where it is made as it is read. */
  readonly bytes?: number
  /** From this byte on; null where it is gone. */
  stream(from: number): AsyncIterable<Uint8Array> | null
}

/** Paths that carry their own authority, for as long as a page is looked at: a player and an image cannot send a token. */
export class Links {
  readonly #now: () => number
  readonly #links = new Map<string, { readonly file: LinkedFile; readonly expiresAt: number }>()

  constructor(now: () => number) {
    this.#now = now
  }

  /** For fifteen minutes, as often as it is wanted (`expiresAt` in Unix ms). Where too many are there already, the oldest ends. */
  add(file: LinkedFile): { readonly path: string; readonly expiresAt: number } {
    for (const [token, { expiresAt }] of this.#links)
      if (expiresAt <= this.#now() || this.#links.size >= MOST_LINKS) this.#links.delete(token)
    const token = randomBytes(32).toString('base64url')
    const expiresAt = this.#now() + LIFETIME_MS
    this.#links.set(token, { file, expiresAt })
    return { path: `/media/${token}`, expiresAt }
  }

  /** undefined where there is none, or it has expired. @param token the last part of its path */
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
