import { readImageSize } from '../../../shared/image-size/read-image-size.ts'
import { isDecodable } from '../../../shared/image-size/size.ts'

/** A larger file has no preview, because its header is read from the whole file. In bytes. */
const MAX_PREVIEW_BYTES = 50_000_000

/**
 * Checks a chosen file before the browser decodes it, because a small file can have so many pixels that they fill the memory. The
 * file comes from anywhere, so neither its name nor its type counts.
 *
 * @param file chosen by a person, or dropped
 * @returns false if it isn't an image, or if its header states no size or too many pixels
 */
export async function isPreviewable(file: Blob): Promise<boolean> {
  if (file.size > MAX_PREVIEW_BYTES) return false
  try {
    const bytes = new Uint8Array(await file.arrayBuffer())
    const size = readImageSize(bytes)
    return size !== undefined && isDecodable(size)
  } catch {
    // The file was moved or changed since it was chosen, or its drive is gone. The upload reports this
    // problem, and a preview isn't needed for it.
    return false
  }
}
