import { z } from 'zod'
import { MAX_FAVOURITE_MODELS } from '../../shared/model.ts'
import type { Store } from '../storage/index.ts'

/** Sealed with the profile's other settings, because favorite models reveal something about the user. */
type Settings = Store['settings']

const NAME = 'favourite-models'
const storedSchema = z.array(z.string().min(1).max(200)).max(MAX_FAVOURITE_MODELS)

/**
 * Returns the most recent favorite first. An unreadable setting counts as none, because nothing depends on
 * it.
 */
export function favouriteModels(settings: Settings): string[] {
  try {
    return storedSchema.parse(JSON.parse(settings.get(NAME) ?? '[]'))
  } catch {
    return []
  }
}

/** Adds or removes a favorite. If there are too many, the oldest is removed. */
export function setFavouriteModel(settings: Settings, modelId: string, favourite: boolean): string[] {
  const others = favouriteModels(settings).filter((id) => id !== modelId)
  const next = favourite ? [modelId, ...others].slice(0, MAX_FAVOURITE_MODELS) : others
  settings.set(NAME, JSON.stringify(next))
  return next
}
