import { GIF } from 'image-size/types/gif'
import { JPG } from 'image-size/types/jpg'
import { PNG } from 'image-size/types/png'
import { WEBP } from 'image-size/types/webp'
import { imageTokens, type ImageSize } from '../../../shared/token-estimate.ts'

/** Bytes that are searched for the size. A file can have more bytes before it. */
const SEARCHED = 256 * 1024

const KINDS = [PNG, JPG, WEBP, GIF]

/**
 * Estimates the tokens of an image by its size. It's an approximation, because models differ.
 * @param url data URL, or an address whose image isn't fetched and counts as the largest
 */
export function countImageTokens(url: string): number {
  return imageTokens(sizeOf(url))
}

function sizeOf(url: string): ImageSize {
  const data = /^data:image\/[\w.+-]{1,40};base64,/.exec(url)
  if (!data) return {}
  const start = data[0].length
  const bytes = new Uint8Array(Buffer.from(url.slice(start, start + Math.ceil(SEARCHED / 3) * 4), 'base64'))
  try {
    return KINDS.find((kind) => kind.validate(bytes))?.calculate(bytes) ?? {}
  } catch {
    // A damaged image: the size isn't known.
    return {}
  }
}
