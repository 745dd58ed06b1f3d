import { createHash } from 'node:crypto'
import { z } from 'zod'
import { SottoError } from '../../shared/errors.ts'

/** Releases alone: three numbers, as Semantic Versioning 2.0 writes them. */
const RELEASE_VERSION = /^(0|[1-9]\d{0,8})\.(0|[1-9]\d{0,8})\.(0|[1-9]\d{0,8})$/

const INSTALLED = /^(\d{1,9})\.(\d{1,9})\.(\d{1,9})(-[0-9A-Za-z.-]{1,64})?(\+[0-9A-Za-z.-]{1,64})?$/

/**
 * Whether a release is newer than what is installed. What cannot be read as one is not newer, so that nothing unknown ever
 * takes the place of what runs. An installed prerelease is older than its own release.
 */
export function isNewer(offered: string, installed: string): boolean {
  const wanted = RELEASE_VERSION.exec(offered)
  const present = INSTALLED.exec(installed)
  if (!wanted || !present) return false
  for (const part of [1, 2, 3]) {
    const difference = Number(wanted[part]) - Number(present[part])
    if (difference !== 0) return difference > 0
  }
  return present[4] !== undefined
}

/**
 * Whether a release that is handed out to some in a hundred is for this machine too. Decided here, by a random text that never
 * leaves, so whoever hands it out learns only how many fetched it; another release draws others.
 */
export function isPublished(version: string, percentage: number, seed: string): boolean {
  const drawn = createHash('sha256').update(`${seed} ${version}`).digest().readUInt32BE(0) / 2 ** 32
  return drawn * 100 < percentage
}

/** What electron-builder writes of a release is a few hundred bytes. */
export const MAX_FEED_BYTES = 64 * 1024
const MAX_FILE_BYTES = 2 * 1024 ** 3

/**
 * A plain name beside the feed: no path, no other host, and nothing that a shell reads, for it becomes the name of a file that
 * package managers are started with.
 */
const fileName = z.string().regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/)

const feedSchema = z.object({
  version: z.string().regex(RELEASE_VERSION),
  files: z
    .array(
      z.object({
        url: fileName,
        /** Base64 of 64 bytes. */
        sha512: z.string().regex(/^[A-Za-z0-9+/]{86}==$/),
        size: z.int().min(1).max(MAX_FILE_BYTES),
      }),
    )
    .min(1)
    .max(16),
  /** To how many in a hundred it is handed out. */
  stagingPercentage: z.number().min(0).max(100).default(100),
  minimumSystemVersion: z
    .string()
    .regex(/^\d{1,6}(\.\d{1,6}){0,3}$/)
    .optional(),
})

/** What is announced, of which nothing is proven: it says only what to fetch. Whatever else stands there is dropped. */
export type Announcement = z.infer<typeof feedSchema>

/** Throws update/feed-unreadable. */
export function parseAnnouncement(feed: unknown): Announcement {
  const parsed = feedSchema.safeParse(feed)
  if (!parsed.success) throw new SottoError('update/feed-unreadable', { cause: parsed.error })
  return parsed.data
}
