import type { Recipe } from '../media/recipe.ts'
import { encodeJpeg } from './jpeg.ts'
import type { ImageFormat } from './models.ts'
import { paint } from './picture.ts'
import { encodePng } from './png.ts'
import { encodeWebp } from './webp.ts'

const encoders = { png: encodePng, jpeg: encodeJpeg, webp: encodeWebp } as const

/** @returns undefined where there is no such picture */
export function renderImage(
  recipe: Extract<Recipe, { kind: 'image' }>,
  index: number,
): { readonly contentType: string; readonly bytes: Buffer } | undefined {
  const picture = recipe.pictures[index]
  return picture && { contentType: imageType(recipe.format), bytes: encoders[recipe.format](paint(picture)) }
}

export function imageType(format: ImageFormat): string {
  return `image/${format}`
}
