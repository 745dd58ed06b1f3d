import { z } from 'zod'
import { mediaDialect } from '../dialect.ts'
import type { PictureRecipe, Recipe } from '../media/generations.ts'
import type { Source, Measure } from '../media/source.ts'
import type { Refusal } from '../refusal.ts'
import type { Revision } from '../sandbox.ts'
import { imageFormats, imageModels, imagePrice, type ImageModel } from './models.ts'

const count = z.preprocess(
  (value) => (typeof value === 'string' && /^\d{1,3}$/.test(value) ? Number(value) : value),
  z.int('must be a whole number').min(1, 'must be at least 1').max(10, 'must be at most 10'),
)
const word = z.string().min(1).max(40)

/** Both revisions; what only one of them knows is judged by `planImages`. */
export const imageRequestSchema = z.looseObject({
  model: z.string().min(1).max(200),
  prompt: z.string().max(32_000).optional(),
  image_url: z.string().min(1).max(40_000_000).optional(),
  n: count.optional(),
  num_images: count.optional(),
  quality: word.optional(),
  size: word.optional(),
  aspect_ratio: word.optional(),
  resolution: word.optional(),
  negative_prompt: z.string().max(8000).optional(),
  output_format: z.enum(imageFormats).optional(),
  seed: z.coerce.number().int().optional(),
})
export type ImageRequest = z.infer<typeof imageRequestSchema>

export interface ImagePlan {
  readonly model: ImageModel
  readonly recipe: Extract<Recipe, { kind: 'image' }>
  /** 10^-12 USD, for all of them. */
  readonly picoUsd: bigint
}

/** The images to paint, or the field that this model or this revision doesn't support. */
export function planImages(
  request: ImageRequest,
  revision: Revision,
  source: Source | undefined,
): ImagePlan | { readonly refusal: Refusal } {
  const model = imageModels.find(({ id }) => id === request.model)
  if (!model)
    return {
      refusal: mediaDialect.refuse(404, `Unknown image model: ${request.model.slice(0, 80)}`, 'model'),
    }
  const {
    n = request.num_images ?? 1,
    size = request.aspect_ratio,
    quality,
    resolution,
    prompt = '',
  } = request
  const format = request.output_format ?? model.formats[0] ?? 'png'
  const most = revision === 'A' ? 10 : 4
  const wrong =
    revisionRefusal(request, revision) ??
    (n > most ? refuse('n', `must be at most ${most}`) : undefined) ??
    ((model.task === 'generate' || model.task === 'edit' || revision === 'A') && prompt.trim() === ''
      ? refuse('prompt', 'is required')
      : undefined) ??
    (prompt.length > model.contextLength && model.input.includes('text')
      ? refuse('prompt', `must be at most ${model.contextLength} characters`)
      : undefined) ??
    (model.task !== 'generate' && !source ? refuse('image_url', `is required by ${model.id}`) : undefined) ??
    (source && !model.input.includes('image')
      ? refuse('image_url', `not supported by ${model.id}`)
      : undefined) ??
    unsupported('quality', quality, Object.keys(model.qualities), model) ??
    unsupported('resolution', resolution, Object.keys(model.resolutions), model) ??
    unsupported(request.size === undefined ? 'aspect_ratio' : 'size', size, model.sizes, model) ??
    unsupported('output_format', format, model.formats, model)
  if (wrong) return { refusal: wrong }
  const measure =
    model.sizes.length === 0
      ? enlarged(source?.measure, model)
      : pixels(size ?? model.sizes[0] ?? '1:1', resolution, quality)
  const pictures = Array.from({ length: n }, (_, index) => picture(request, model, source, measure, index))
  return {
    model,
    recipe: { kind: 'image', format, pictures },
    picoUsd: BigInt(n) * imagePrice(model, quality, resolution),
  }
}

/** The Versioning table: Revision A knows neither the aliases nor the extra parameters. */
function revisionRefusal(request: ImageRequest, revision: Revision): Refusal | undefined {
  if (revision === 'B') return undefined
  const later = (
    ['num_images', 'aspect_ratio', 'resolution', 'negative_prompt', 'output_format'] as const
  ).find((field) => request[field] !== undefined)
  return later && refuse(later, 'is not supported by this revision')
}

function unsupported(
  field: string,
  value: string | undefined,
  values: readonly string[],
  { id }: ImageModel,
): Refusal | undefined {
  if (value === undefined || values.includes(value)) return undefined
  return refuse(field, values.length === 0 ? `not supported by ${id}` : `must be one of ${values.join(', ')}`)
}

function refuse(field: string, message: string): Refusal {
  return mediaDialect.refuse(400, message, field)
}

const longSides: Readonly<Record<string, number>> = {
  '1K': 1024,
  '2K': 2048,
  '4K': 4096,
  '4k': 4096,
  low: 512,
}

/** Whole tiles; an aspect ratio has the long side that resolution or quality name. */
function pixels(size: string, resolution: string | undefined, quality: string | undefined): Measure {
  const [, width = '1', sign = ':', height = '1'] = /^(\d+)([x:])(\d+)$/.exec(size) ?? []
  if (sign === 'x') return { width: Number(width), height: Number(height) }
  const long = longSides[resolution ?? ''] ?? longSides[quality ?? ''] ?? 1024
  const scale = long / Math.max(Number(width), Number(height))
  const whole = (side: string) => Math.max(8, Math.round((Number(side) * scale) / 8) * 8)
  return { width: whole(width), height: whole(height) }
}

/** Returns twice the size for an upscaler, limited to the largest size of the formats. */
function enlarged(measured: Measure | undefined, { task }: ImageModel): Measure {
  const { width, height } = measured ?? { width: 512, height: 512 }
  const times = task === 'upscale' ? 2 : 1
  return { width: Math.min(width * times, 8192), height: Math.min(height * times, 8192) }
}

function picture(
  request: ImageRequest,
  model: ImageModel,
  source: Source | undefined,
  { width, height }: Measure,
  index: number,
): PictureRecipe {
  const transparent = model.task === 'remove-background'
  const sourceRecipe = source?.recipe
  if (sourceRecipe && (transparent || model.task === 'upscale'))
    return { ...sourceRecipe, width, height, transparent: sourceRecipe.transparent || transparent }
  const seed = [
    source?.fingerprint ?? '',
    request.prompt ?? '',
    request.negative_prompt ?? '',
    request.seed ?? '',
    index,
  ].join('\n')
  return { seed, width, height, transparent }
}
