/** In pixels, of the longer edge of an image or page: about 250 dots per inch of A4 paper. */
const MAX_EDGE = 3_000

/** The size at which text is recognized: as it is, or reduced to the largest edge. In whole pixels. */
export function fitSize(size: { readonly width: number; readonly height: number }): {
  readonly width: number
  readonly height: number
  readonly scale: number
} {
  const scale = Math.min(1, MAX_EDGE / Math.max(size.width, size.height, 1))
  const whole = (length: number) => Math.max(1, Math.round(length * scale))
  return { width: whole(size.width), height: whole(size.height), scale }
}

/** Pixels with four bytes each, as a canvas has them. */
export interface Pixels {
  readonly data: Uint8ClampedArray<ArrayBuffer>
  readonly width: number
  readonly height: number
}

/**
 * The pixels as a portable gray map (PGM), on a white page. It's the simplest format that Tesseract reads, so no other
 * image decoder sees bytes of a file.
 */
export function toGrayMap({ data, width, height }: Pixels): Uint8Array {
  const head = new TextEncoder().encode(['P5', width, height, 255, ''].join('\n'))
  const map = new Uint8Array(head.length + width * height)
  map.set(head)
  for (let from = 0, to = head.length; to < map.length; from += 4, to += 1) {
    const [red = 0, green = 0, blue = 0, alpha = 0] = data.subarray(from, from + 4)
    map[to] = 255 + ((0.299 * red + 0.587 * green + 0.114 * blue - 255) * alpha) / 255
  }
  return map
}
