import { imageSize } from 'image-size'

/** Pixels. */
export interface Measure {
  readonly width: number
  readonly height: number
}

const types = ['png', 'jpg', 'webp']
const maxSide = 16_384

/** Reads the size of a PNG, JPEG or WebP file. @returns undefined for another file, or one that is cut off before its size */
export function measure(bytes: Buffer): Measure | undefined {
  try {
    const { type = '', width, height } = imageSize(bytes)
    return types.includes(type) && width > 0 && height > 0 && width <= maxSide && height <= maxSide
      ? { width, height }
      : undefined
  } catch {
    return undefined
  }
}
