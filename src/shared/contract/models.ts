import { z } from 'zod'
import { MAX_FAVOURITE_MODELS, modelSchema } from '../model.ts'
import { call, modelIdSchema } from './call.ts'

const favouritesSchema = z.array(modelIdSchema).max(MAX_FAVOURITE_MODELS)

export const modelsContract = {
  list: call.output(z.array(modelSchema)),
  /** Ids, the one chosen last first; also of models that are no longer listed. */
  favourites: call.output(favouritesSchema),
  setFavourite: call
    .input(z.object({ modelId: modelIdSchema, favourite: z.boolean() }))
    .output(favouritesSchema),
}
