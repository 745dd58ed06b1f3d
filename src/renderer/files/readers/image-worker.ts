import { MAX_IMAGE_EDGE } from '../../../shared/attachment-limits.ts'
import { isTurned, type ImageKind } from './image-facts.ts'

// Decodes images in a separate thread. The thread ends with its image, so a hostile one holds up nothing else.

export interface ImageRequest {
  readonly bytes: Uint8Array
  readonly kind: ImageKind
}

/** `unchanged` if the file can be sent without new pixels, `unknown` if the browser can't decode its format. */
export type ImageReply = { readonly blob: Blob } | 'unchanged' | 'unknown'

self.addEventListener('message', ({ data }: MessageEvent<ImageRequest>) => {
  void reencode(data).then((reply) => self.postMessage(reply))
})

/** Turns and reduces an image as a model needs it. New pixels have no metadata. */
async function reencode({ bytes, kind }: ImageRequest): Promise<ImageReply> {
  try {
    const bitmap = await createImageBitmap(new Blob([Uint8Array.from(bytes)]))
    const scale = Math.min(1, MAX_IMAGE_EDGE / Math.max(bitmap.width, bitmap.height))
    if (kind !== 'image' && scale === 1 && !isTurned(bytes, kind)) return 'unchanged'
    const width = Math.max(1, Math.round(bitmap.width * scale))
    const height = Math.max(1, Math.round(bitmap.height * scale))
    const canvas = new OffscreenCanvas(width, height)
    const context = canvas.getContext('2d')
    if (!context) return 'unknown'
    context.imageSmoothingQuality = 'high'
    context.drawImage(bitmap, 0, 0, width, height)
    return {
      blob: await canvas.convertToBlob(
        kind === 'jpeg' ? { type: 'image/jpeg', quality: 0.92 } : { type: 'image/png' },
      ),
    }
  } catch {
    // For a format that models accept, the core reports the error.
    return kind === 'image' ? 'unknown' : 'unchanged'
  }
}
