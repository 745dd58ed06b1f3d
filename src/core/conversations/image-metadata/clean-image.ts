import { SottoError } from '../../../shared/errors.ts'

/** An image without metadata. */
export interface CleanImage {
  readonly type: 'image/jpeg' | 'image/png' | 'image/webp' | 'image/gif'
  readonly bytes: Uint8Array<ArrayBuffer>
  /** In pixels, as displayed. */
  readonly width: number
  readonly height: number
}

/** Creates attachment/image-damaged, for bytes that end too early or have an invalid structure. */
export function damaged(): SottoError {
  return new SottoError('attachment/image-damaged')
}

/** Returns `length` bytes from here on. Throws attachment/image-damaged if there are fewer. */
export function readBytes(bytes: Uint8Array, at: number, length: number): Uint8Array {
  if (at + length > bytes.length) throw damaged()
  return bytes.subarray(at, at + length)
}

/**
 * Decodes short text, such as a chunk's name. Each byte becomes an argument of a call, so a long text would
 * overflow the stack.
 */
export function ascii(bytes: Uint8Array): string {
  return String.fromCharCode(...bytes)
}

/** A view of exactly these bytes, even if they are part of a larger buffer. */
export function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}

/** Copies the parts to a new buffer, which has none of the removed bytes. */
export function joined(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.length
  }
  return whole
}

/** Throws attachment/image-damaged if the image has no size. */
export function sized(
  type: CleanImage['type'],
  parts: readonly Uint8Array[],
  width: number,
  height: number,
  orientation = 1,
): CleanImage {
  if (width < 1 || height < 1) throw damaged()
  // Orientations from 5 on swap width and height.
  return {
    type,
    bytes: joined(parts),
    ...(orientation < 5 ? { width, height } : { width: height, height: width }),
  }
}
