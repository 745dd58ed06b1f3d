import type { StoredAsk } from '../../../shared/job-ask.ts'
import type { PayableAsk } from '../service.ts'
import { dataUrl, refuseClash, type SourceFile } from './image-request.ts'

type VideoAsk = Extract<StoredAsk, { kind: 'video' }>

const KNOWN = ['model', 'prompt', 'image_url', 'aspect_ratio', 'duration', 'quality']

/** Throws studio/parameter-clash. */
export function checkVideoAsk({ extra = {} }: Pick<VideoAsk, 'extra'>): void {
  refuseClash(extra, KNOWN)
}

/**
 * Builds the request. The specification requires a public address for the image, but the service also
 * accepts a `data:` URL, so the user's image isn't published.
 */
export async function videoRequest(
  { model, prompt, aspectRatio, duration, quality, extra, image }: VideoAsk,
  source: SourceFile | undefined,
): Promise<PayableAsk> {
  const imageUrl = source ? await dataUrl(source) : image && 'url' in image ? image.url : undefined
  return {
    endpoint: 'videos',
    body: {
      ...extra,
      model,
      prompt,
      ...(aspectRatio !== undefined && { aspect_ratio: aspectRatio }),
      ...(duration !== undefined && { duration }),
      ...(quality !== undefined && { quality }),
      ...(imageUrl !== undefined && { image_url: imageUrl }),
    },
  }
}
