import { recognizeFile, type FileKind } from '../../../shared/file-kind.ts'
import { readImageSize } from '../../../shared/image-size/read-image-size.ts'
import { isDecodable, MAX_IMAGE_PIXELS } from '../../../shared/image-size/size.ts'

/** What a drawing contains: only shapes and images that may be decoded, too many pixels, or something that can't be judged. */
export type DrawingContent = 'drawable' | 'too-many-pixels' | 'unknown'

/** Kinds that a browser may draw. */
const DRAWN: ReadonlySet<FileKind> = new Set(['jpeg', 'png', 'gif', 'webp', 'image', 'svg', 'video'])

/**
 * Checks the images inside an SVG drawing before a browser decodes them. The markup isn't parsed: everything that a browser could take
 * for a data address counts, also if it is written in escapes of XML or of a style.
 *
 * @param markup An attacker controls it
 */
export function checkDrawing(markup: string): DrawingContent {
  // A declared entity could contain any part of an address.
  if (/<!ENTITY/i.test(markup)) return 'unknown'
  const decoded = decodeReferences(markup)
  const variants = new Set([markup, decoded, decodeEscapes(decoded)].map(withoutControls))
  let most = 0
  for (const variant of variants) {
    const pixels = embeddedPixels(variant)
    if (pixels === undefined) return 'unknown'
    most = Math.max(most, pixels)
  }
  return most <= MAX_IMAGE_PIXELS ? 'drawable' : 'too-many-pixels'
}

/**
 * The pixels of all images in data addresses.
 *
 * @returns undefined if the size of one is unknown, or if one is a drawing itself
 */
function embeddedPixels(text: string): number | undefined {
  let pixels = 0
  for (const piece of text.split(/data:/i).slice(1)) {
    // An address ends with its quotes or brackets at the latest.
    const [address = ''] = piece.split(/["'()<>]/, 1)
    const comma = address.indexOf(',')
    if (comma === -1) continue
    const bytes = bytesOf(address.slice(comma + 1), /;\s*base64\s*$/i.test(address.slice(0, comma)))
    const size = readImageSize(bytes)
    if (size) pixels += isDecodable(size) ? size.width * size.height : Infinity
    else if (DRAWN.has(recognizeFile(bytes).kind) || bytes.includes(0x3c)) return undefined
  }
  return pixels
}

/** The beginning of a body up to the first byte that isn't valid: a browser uses no address that has one. */
function bytesOf(body: string, isBase64: boolean): Uint8Array {
  const text = body.replaceAll(/%([\da-f]{2})/gi, (_, hex: string) => String.fromCharCode(parseInt(hex, 16)))
  const latin = isBase64 ? decodeBase64(text.replaceAll(' ', '')) : text
  return Uint8Array.from(latin, (character) => character.charCodeAt(0) & 0xff)
}

function decodeBase64(text: string): string {
  const valid = /^[a-z0-9+/]*/i.exec(text)?.[0] ?? ''
  const length = valid.length % 4 === 1 ? valid.length - 1 : valid.length
  return atob(valid.slice(0, length))
}

const NAMED: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

function decodeReferences(text: string): string {
  return text.replaceAll(
    /&(?:#x([\da-f]{1,8})|#(\d{1,8})|(amp|lt|gt|quot|apos));/gi,
    (whole, hex?: string, decimal?: string, name?: string) =>
      name === undefined
        ? characterOf(hex === undefined ? Number(decimal) : parseInt(hex, 16))
        : (NAMED[name] ?? whole),
  )
}

function decodeEscapes(text: string): string {
  return text.replaceAll(/\\(?:([\da-f]{1,6})\s?|([^\da-f]))/gi, (_, hex?: string, plain?: string) =>
    hex === undefined ? (plain ?? '') : characterOf(parseInt(hex, 16)),
  )
}

function characterOf(code: number): string {
  return code <= 0x10_ffff ? String.fromCodePoint(code) : '\ufffd'
}

/** Browsers read addresses without these. */
function withoutControls(text: string): string {
  return text.replaceAll(/\p{Cc}/gu, '')
}
