import { z } from 'zod'
import { SottoError } from '../../shared/errors.ts'

/** As many as the service makes at most (specification, Images), and some. */
const MOST_IMAGES = 16
const address = z.string().min(1).max(8000)
const imageSchema = z.union([z.object({ url: address }), z.object({ b64_json: z.string().min(1).regex(/^[\w+/-]+={0,2}$/) })])
const imagesSchema = z.object({ data: z.array(imageSchema).min(1).max(MOST_IMAGES) })

/** An image by a signed address that ends after a day, or the image itself. */
export type NamedImage = z.infer<typeof imageSchema>

/** What an answer of images names, in its order. Throws service/response-invalid. */
export function imagesIn(answer: Uint8Array): readonly NamedImage[] {
  const parsed = imagesSchema.safeParse(jsonOf(answer))
  if (!parsed.success) throw new SottoError('service/response-invalid', { detail: 'It is not a result of images.' })
  return parsed.data.data
}

export function jsonOf(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch {
    return undefined
  }
}
