import { createHash } from 'node:crypto'
import { z } from 'zod'
import { SottoError } from '../../shared/errors.ts'

/** Only releases: three numbers in the format of Semantic Versioning 2.0. */
const RELEASE_VERSION = /^(0|[1-9]\d{0,8})\.(0|[1-9]\d{0,8})\.(0|[1-9]\d{0,8})$/

const INSTALLED = /^(\d{1,9})\.(\d{1,9})\.(\d{1,9})(-[0-9A-Za-z.-]{1,64})?(\+[0-9A-Za-z.-]{1,64})?$/

/**
 * Whether a release is newer than the installed version. An unreadable version is never newer, so that
 * nothing unknown replaces the running app. An installed prerelease is older than its own release.
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
 * Whether a partial rollout includes this computer. It's decided here with a random text that is never
 * sent, so the publisher learns only the number of downloads. Each release has a different selection.
 */
export function isPublished(version: string, percentage: number, seed: string): boolean {
  const drawn = createHash('sha256').update(`${seed} ${version}`).digest().readUInt32BE(0) / 2 ** 32
  return drawn * 100 < percentage
}

/** An announcement of electron-builder has a few hundred bytes. */
export const MAX_FEED_BYTES = 64 * 1024
const MAX_FILE_BYTES = 2 * 1024 ** 3

/**
 * A plain file name next to the feed: no path, no other host, and no character with a meaning in a shell,
 * because package managers are started with it.
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
  /** The percentage of the rollout. */
  stagingPercentage: z.number().min(0).max(100).default(100),
  minimumSystemVersion: z
    .string()
    .regex(/^\d{1,6}(\.\d{1,6}){0,3}$/)
    .optional(),
})

/** An unverified announcement: it only determines what to fetch. Unknown members are dropped. */
export type Announcement = z.infer<typeof feedSchema>

/** Throws update/feed-unreadable. */
export function parseAnnouncement(feed: unknown): Announcement {
  const parsed = feedSchema.safeParse(feed)
  if (!parsed.success) throw new SottoError('update/feed-unreadable', { cause: parsed.error })
  return parsed.data
}
