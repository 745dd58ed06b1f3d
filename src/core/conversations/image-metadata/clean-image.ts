import { SottoError } from '../../../shared/errors.ts'

/** A picture without anything but the picture. */
export interface CleanImage {
  readonly type: 'image/jpeg' | 'image/png' | 'image/webp' | 'image/gif'
  readonly bytes: Uint8Array<ArrayBuffer>
  /** In pixels, as it is shown. */
  readonly width: number
  readonly height: number
}

/** attachment/image-damaged, for whoever throws it: bytes that end too early, or are not built as their kind is. */
export function damaged(): SottoError {
  return new SottoError('attachment/image-damaged')
}

/** The bytes from here on, so many. Throws attachment/image-damaged where they are not there. */
export function taken(bytes: Uint8Array, at: number, length: number): Uint8Array {
  if (at + length > bytes.length) throw damaged()
  return bytes.subarray(at, at + length)
}

/** Byte for byte, of a chunk's name or the like: each byte becomes an argument of a call, so that a long one would overflow the stack. */
export function ascii(bytes: Uint8Array): string {
  return String.fromCharCode(...bytes)
}

/** Of just these bytes, also where they are a part of a larger buffer. */
export function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}

/** In a buffer of its own, which holds nothing of what was left out. */
export function joined(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.length
  }
  return whole
}

/** Throws attachment/image-damaged where it has no size. */
export function sized(
  type: CleanImage['type'],
  parts: readonly Uint8Array[],
  width: number,
  height: number,
  orientation = 1,
): CleanImage {
  if (width < 1 || height < 1) throw damaged()
  // From 5 on it lies on its side.
  return {
    type,
    bytes: joined(parts),
    ...(orientation < 5 ? { width, height } : { width: height, height: width }),
  }
}
