import { givenImage, type ImageOptions } from './given-image.ts'
import { unusable, asExtra } from './at-studio.ts'
import { makeJob, type MakeOptions } from './make-job.ts'

export interface ImageCommandOptions extends MakeOptions, ImageOptions {
  readonly model?: string
  readonly n?: number
  readonly size?: string
  readonly quality?: string
  readonly resolution?: string
  readonly negative?: string
  readonly format?: 'png' | 'jpeg' | 'webp'
  readonly seed?: number
  readonly editsForm: boolean
  readonly extra?: Record<string, unknown>
}

/** `sotto image`. Returns the exit code. */
export function makeImage(prompt: string, options: ImageCommandOptions): Promise<number> {
  const { model, n, size, quality, resolution, negative, format, seed, editsForm, extra } = options
  return makeJob(options, {
    kinds: ['image'],
    ...(n !== undefined && { count: n }),
    ask: async (studio) => ({
      kind: 'image',
      model: requireModel(model, 'image'),
      ...(prompt !== '' && { prompt }),
      ...(n !== undefined && { n }),
      ...(size !== undefined && { size }),
      ...(quality !== undefined && { quality }),
      ...(resolution !== undefined && { resolution }),
      ...(negative !== undefined && { negativePrompt: negative }),
      ...(format !== undefined && { outputFormat: format }),
      ...(seed !== undefined && { seed }),
      ...(editsForm && { form: true }),
      ...asExtra(extra),
      ...(await givenImage(studio, options)),
    }),
  })
}

/** Models differ in price, so there is no default. Throws CommandFailure `request/invalid`. */
export function requireModel(model: string | undefined, command: 'image' | 'video' | 'embed'): string {
  if (model === undefined)
    throw unusable(
      'The model is missing.',
      `Name one with --model. To list models with prices, run "sotto ${command} --models".`,
    )
  return model
}
