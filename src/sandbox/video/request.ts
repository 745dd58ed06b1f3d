import { z } from 'zod'
import { mediaDialect } from '../dialect.ts'
import type { Recipe } from '../media/generations.ts'
import type { Source } from '../media/source.ts'
import type { Refusal } from '../refusal.ts'
import { videoModels, videoPrice, type VideoModel, type VideoQuality } from './models.ts'

const ratios = ['16:9', '9:16', '1:1'] as const

export const videoRequestSchema = z.looseObject({
  model: z.string().min(1).max(200),
  prompt: z.string().trim().min(1, 'is required').max(32_000),
  aspect_ratio: z.enum(ratios, `must be one of ${ratios.join(', ')}`).default('16:9'),
  duration: z.string('must be a string').max(10).optional(),
  quality: z.string().max(20).optional(),
  image_url: z.string().min(1).max(40_000_000).optional(),
})
export type VideoRequest = z.infer<typeof videoRequestSchema>

export interface VideoPlan {
  readonly model: VideoModel
  readonly recipe: Extract<Recipe, { kind: 'video' }>
  readonly picoUsd: bigint
}

/** The short side of each quality, pixels. */
const shortSides: Readonly<Record<VideoQuality, number>> = { '480p': 480, '720p': 720, '1080p': 1080 }

/** The size and price of the clip, or the field that this model does not take. */
export function planVideo(
  request: VideoRequest,
  source: Source | undefined,
): VideoPlan | { readonly refusal: Refusal } {
  const { prompt, aspect_ratio: ratio } = request
  const model = videoModels.find(({ id }) => id === request.model)
  if (!model)
    return {
      refusal: mediaDialect.refuse(404, `Unknown video model: ${request.model.slice(0, 80)}`, 'model'),
    }
  if (prompt.length > model.contextLength)
    return refused('prompt', `must be at most ${model.contextLength} characters`)
  if (model.fromImage && !source) return refused('image_url', `is required by ${model.id}`)
  const duration = model.durations.find((each) => each === (request.duration ?? model.durations[0]))
  if (duration === undefined) return refused('duration', `must be one of ${model.durations.join(', ')}`)
  const quality = model.qualities.find((each) => each === (request.quality ?? model.qualities[0]))
  if (quality === undefined) return refused('quality', `must be one of ${model.qualities.join(', ')}`)
  const short = shortSides[quality]
  // Even, because two pixels share a color difference.
  const long = ratio === '1:1' ? short : Math.round((short * 16) / 9 / 2) * 2
  const [width, height] = ratio === '9:16' ? [short, long] : [long, short]
  return {
    model,
    recipe: { kind: 'video', picture: { width, height }, seconds: Number(duration) },
    picoUsd: videoPrice(model, duration, quality),
  }
}

function refused(field: string, message: string): { readonly refusal: Refusal } {
  return { refusal: mediaDialect.refuse(400, message, field) }
}
