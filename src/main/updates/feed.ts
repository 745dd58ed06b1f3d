import { z } from 'zod'
import { SottoError } from '../../shared/errors.ts'
import { RELEASE_VERSION } from './version.ts'

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
