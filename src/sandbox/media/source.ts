import { imageSize } from 'image-size'
import { createHash } from 'node:crypto'
import type { ServiceContext } from '../service-context.ts'
import type { PictureRecipe } from './generations.ts'

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

/** An image that was handed in. */
export interface Source {
  /** The same for the same image. */
  readonly fingerprint: string
  /** The size, if it's known: an external address is never fetched. */
  readonly measure?: Measure | undefined
  /** The recipe, if the sandbox generated the image. */
  readonly recipe?: PictureRecipe
}

const inline = /^data:image\/[\w.+-]+;base64,([A-Za-z0-9+/]+={0,2})$/

/**
 * Resolves `image_url`: a data URL is read, one of the sandbox's own addresses is looked up, and any other
 * address is only accepted by name. @returns the reason if it's invalid
 */
export function sourceOf(
  { baseUrl, generations, signedUrls }: ServiceContext,
  address: string,
  now: number,
): Source | string {
  const data = inline.exec(address)?.[1]
  if (data !== undefined) return sourceOfBytes(Buffer.from(data, 'base64'))
  if (address.startsWith(`${baseUrl}/`)) {
    const path = address.slice(baseUrl.length)
    const [, id = '', index = ''] = /^\/v1\/media\/(gen_\w+)\/(\d{1,2})\?/.exec(path) ?? []
    const recipe = signedUrls.holds(path, now) ? generations.find(id)?.recipe : undefined
    const picture = recipe?.kind === 'image' ? recipe.pictures[Number(index)] : undefined
    return picture
      ? { fingerprint: fingerprint(`${id} ${index}`), measure: picture, recipe: picture }
      : 'must be an image of this service that has not expired'
  }
  return /^https?:\/\/[^\s/]+/.test(address)
    ? { fingerprint: fingerprint(address) }
    : 'must be an http URL or a base64 data URL of an image'
}

/** @returns why it is no image */
export function sourceOfBytes(bytes: Buffer): Source | string {
  const measured = measure(bytes)
  return measured
    ? { fingerprint: fingerprint(bytes), measure: measured }
    : 'must be a PNG, JPEG, or WebP image'
}

function fingerprint(of: string | Buffer): string {
  return createHash('sha256').update(of).digest('hex').slice(0, 32)
}
