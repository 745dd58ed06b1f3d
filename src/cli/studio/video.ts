import { asExtra } from './at-studio.ts'
import { givenImage, type ImageOptions } from './given-image.ts'
import { requireModel } from './image.ts'
import { makeJob, type MakeOptions } from './make-job.ts'

export interface VideoCommandOptions extends MakeOptions, ImageOptions {
  readonly model?: string
  readonly aspectRatio?: string
  readonly duration?: number
  readonly quality?: string
  readonly extra?: Record<string, unknown>
}

/** `sotto video`. Returns the exit code. */
export function makeVideo(prompt: string, options: VideoCommandOptions): Promise<number> {
  const { model, aspectRatio, duration, quality, extra } = options
  return makeJob(options, {
    kinds: ['video'],
    ask: async (studio) => ({
      kind: 'video',
      model: requireModel(model, 'video'),
      prompt,
      ...(aspectRatio !== undefined && { aspectRatio }),
      ...(duration !== undefined && { duration: String(duration) }),
      ...(quality !== undefined && { quality }),
      ...asExtra(extra),
      ...(await givenImage(studio, options)),
    }),
  })
}
