import { inflateSync } from 'node:zlib'
import type { Locator } from '@playwright/test'
import jsqr from 'jsqr'

/** Reads a part of the page as a camera would see it on the screen. Returns undefined if it finds no code. */
export async function readQr(part: Locator): Promise<string | undefined> {
  const { data, width, height } = decodePng(await part.screenshot({ type: 'png' }))
  // A camera doesn't retry with inverted colors.
  return jsqr(data, width, height, { inversionAttempts: 'dontInvert' })?.data
}

/** Screenshots have 8 bits per channel, RGB or RGBA, not interlaced (PNG, third edition). */
function decodePng(png: Buffer): { data: Uint8ClampedArray; width: number; height: number } {
  const [width, height, channels] = [png.readUInt32BE(16), png.readUInt32BE(20), png[25] === 6 ? 4 : 3]
  const parts: Buffer[] = []
  for (let at = 8; at < png.length; at += 12 + png.readUInt32BE(at)) {
    if (png.toString('latin1', at + 4, at + 8) === 'IDAT')
      parts.push(png.subarray(at + 8, at + 8 + png.readUInt32BE(at)))
  }
  const raw = inflateSync(Buffer.concat(parts))
  const line = width * channels
  const bytes = new Uint8Array(line * height)
  for (let y = 0; y < height; y += 1) {
    const filter = raw[y * (line + 1)]
    for (let x = 0; x < line; x += 1) {
      const left = x < channels ? 0 : bytes[y * line + x - channels]!
      const above = y === 0 ? 0 : bytes[(y - 1) * line + x]!
      const corner = x < channels || y === 0 ? 0 : bytes[(y - 1) * line + x - channels]!
      const predicted = [0, left, above, (left + above) >> 1, paeth(left, above, corner)][filter ?? 0] ?? 0
      bytes[y * line + x] = raw[y * (line + 1) + 1 + x]! + predicted
    }
  }
  const data = new Uint8ClampedArray(width * height * 4)
  for (let pixel = 0; pixel < width * height; pixel += 1) {
    for (let channel = 0; channel < 4; channel += 1)
      data[pixel * 4 + channel] = channel === 3 ? 255 : bytes[pixel * channels + channel]!
  }
  return { data, width, height }
}

/** PNG, third edition, 9.4. */
function paeth(left: number, above: number, corner: number): number {
  const estimate = left + above - corner
  const [a, b, c] = [Math.abs(estimate - left), Math.abs(estimate - above), Math.abs(estimate - corner)]
  if (a <= b && a <= c) return left
  return b <= c ? above : corner
}
