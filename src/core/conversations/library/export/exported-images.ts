import type { Message } from '../../../../shared/conversation.ts'
import type { JobFile } from '../../../../shared/job.ts'
import type { FileMessage } from '../../../../shared/library/conversation-file.ts'
import type { Store } from '../../../storage/index.ts'

type Images = NonNullable<FileMessage['images']>

/** Bytes of images in one exported conversation, which is one text in memory. */
const MAX_IMAGE_BYTES = 24 * 1024 * 1024

/** Types that a browser shows as a picture and never runs. */
const SHOWN_TYPE = /^image\/(?:png|jpeg|gif|webp|avif)$/

/**
 * Reads the images that were created in a conversation. An image that is unavailable, damaged or beyond the limit has only a name.
 *
 * @returns the images of each answer that has some, by the ID of the answer
 */
export async function exportedImages(
  store: Pick<Store, 'jobs' | 'jobFiles'>,
  messages: readonly Message[],
): Promise<ReadonlyMap<string, Images>> {
  const found = new Map<string, Images>()
  let left = MAX_IMAGE_BYTES
  for (const { id, jobId, role } of messages) {
    if (jobId === undefined || role !== 'assistant') continue
    const images: Images = []
    for (const file of filesOf(store, jobId)) {
      const { name, type, bytes, index } = file
      const content =
        bytes <= left && SHOWN_TYPE.test(type) ? await contentOf(store, jobId, index) : undefined
      if (content !== undefined) left -= bytes
      images.push({ name, type, ...(content !== undefined && { content }) })
    }
    found.set(id, images.length > 0 ? images : [{ name: 'image' }])
  }
  return found
}

function filesOf({ jobs }: Pick<Store, 'jobs'>, jobId: string): readonly JobFile[] {
  try {
    return jobs.get(jobId)?.files.filter(({ role }) => role === 'made') ?? []
  } catch {
    // The record of the job is damaged. The conversation is exported without its image.
    return []
  }
}

async function contentOf(
  { jobFiles }: Pick<Store, 'jobFiles'>,
  jobId: string,
  index: number,
): Promise<string | undefined> {
  try {
    const stream = jobFiles.stream(jobId, index)
    if (!stream) return undefined
    const pieces: Uint8Array[] = []
    for await (const piece of stream) pieces.push(piece)
    return Buffer.concat(pieces).toString('base64')
  } catch {
    return undefined
  }
}
