import { z } from 'zod'

const pictureSchema = z.object({
  /** Chooses the colors and where they go. */
  seed: z.string(),
  width: z.int(),
  height: z.int(),
  transparent: z.boolean(),
})
/** A picture before it is painted. Pixels. */
export type PictureRecipe = z.infer<typeof pictureSchema>

export const recipeSchema = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('image'),
    format: z.enum(['png', 'jpeg', 'webp']),
    pictures: z.array(pictureSchema),
  }),
  z.object({
    kind: z.literal('video'),
    picture: pictureSchema.pick({ width: true, height: true }),
    seconds: z.int(),
  }),
])
export type Recipe = z.infer<typeof recipeSchema>

/** What every model that is not paid for by the token says of itself. */
export interface MediaModelFacts {
  readonly id: string
  readonly name: string
  /** A date. */
  readonly addedAt: string
  /** Characters of a prompt, tokens for a model of speech. */
  readonly contextLength: number
  readonly input: readonly string[]
}
