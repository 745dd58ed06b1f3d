const ORIENTATION = 0x0112
const SHORT = 3

/**
 * Reads the orientation, 1 to 8, from the TIFF data of EXIF; 1 if there is none. An attacker controls every
 * byte.
 */
export function orientationIn(tiff: Uint8Array): number {
  const view = new DataView(tiff.buffer, tiff.byteOffset, tiff.byteLength)
  if (tiff.length < 8) return 1
  const order = view.getUint16(0)
  if (order !== 0x4949 && order !== 0x4d4d) return 1
  const little = order === 0x4949
  const directory = view.getUint32(4, little)
  if (view.getUint16(2, little) !== 42 || directory + 2 > tiff.length) return 1
  const entries = view.getUint16(directory, little)
  for (let at = directory + 2; at < directory + 2 + entries * 12 && at + 12 <= tiff.length; at += 12) {
    if (view.getUint16(at, little) !== ORIENTATION) continue
    const value = view.getUint16(at + 8, little)
    return view.getUint16(at + 2, little) === SHORT && value >= 1 && value <= 8 ? value : 1
  }
  return 1
}

/** TIFF data with only the orientation. */
export function onlyOrientation(orientation: number): Uint8Array {
  return Uint8Array.of(
    0x4d,
    0x4d,
    0,
    42,
    0,
    0,
    0,
    8,
    0,
    1,
    0x01,
    0x12,
    0,
    SHORT,
    0,
    0,
    0,
    1,
    0,
    orientation,
    0,
    0,
    0,
    0,
    0,
    0,
  )
}
