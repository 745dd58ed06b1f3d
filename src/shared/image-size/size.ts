/** In pixels, before an image is turned as its metadata asks. */
export interface PixelSize {
  readonly width: number
  readonly height: number
}

/** More than the photos of common cameras have. Four bytes of each pixel are in memory while an image is decoded. */
export const MAX_IMAGE_PIXELS = 100_000_000
/** Decoders keep whole rows and columns, so an image of one long row counts too. In pixels. */
const MAX_IMAGE_SIDE = 65_535

/** Whether an image may be decoded. */
export function isDecodable({ width, height }: PixelSize): boolean {
  return width <= MAX_IMAGE_SIDE && height <= MAX_IMAGE_SIDE && width * height <= MAX_IMAGE_PIXELS
}

/** The smallest size that contains all of these: a file may state several, and a decoder may use any. */
export function enclosing(sizes: readonly PixelSize[]): PixelSize | undefined {
  const real = sizes.filter(({ width, height }) => width > 0 && height > 0)
  if (real.length === 0) return undefined
  return real.reduce((most, { width, height }) => ({
    width: Math.max(most.width, width),
    height: Math.max(most.height, height),
  }))
}

/** The bytes of a file with checked access. An attacker controls them all, so a read beyond the end is 0. */
export class ByteView {
  readonly length: number
  readonly #view: DataView

  constructor(bytes: Uint8Array) {
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    this.length = bytes.length
  }

  u8(at: number): number {
    return this.#has(at, 1) ? this.#view.getUint8(at) : 0
  }

  u16(at: number, little = false): number {
    return this.#has(at, 2) ? this.#view.getUint16(at, little) : 0
  }

  u24(at: number): number {
    return this.u16(at, true) + this.u8(at + 2) * 0x1_00_00
  }

  u32(at: number, little = false): number {
    return this.#has(at, 4) ? this.#view.getUint32(at, little) : 0
  }

  /** Beyond what a number expresses exactly, it is too large for any file. */
  u64(at: number, little = false): number {
    const high = this.u32(little ? at + 4 : at, little)
    return high * 2 ** 32 + this.u32(little ? at : at + 4, little)
  }

  i32(at: number): number {
    return this.#has(at, 4) ? this.#view.getInt32(at, true) : 0
  }

  text(at: number, length: number): string {
    let text = ''
    for (let index = at; index < Math.min(at + length, this.length); index += 1)
      text += String.fromCharCode(this.u8(index))
    return text
  }

  #has(at: number, length: number): boolean {
    return at >= 0 && at + length <= this.length
  }
}
