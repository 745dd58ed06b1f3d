import { z } from 'zod'
import { MAX_FAVOURITE_MODELS } from '../../shared/model.ts'
import type { Store } from '../storage/index.ts'

/** Sealed with the profile's other settings: which models somebody likes says something of them. */
type Settings = Store['settings']

const NAME = 'favourite-models'
const storedSchema = z.array(z.string().min(1).max(200)).max(MAX_FAVOURITE_MODELS)

/** The one chosen last first. What cannot be read is none: nothing depends on it. */
export function favouriteModels(settings: Settings): string[] {
  try {
    return storedSchema.parse(JSON.parse(settings.get(NAME) ?? '[]'))
  } catch {
    return []
  }
}

/** Where there are too many, the oldest goes. */
export function setFavouriteModel(settings: Settings, modelId: string, favourite: boolean): string[] {
  const others = favouriteModels(settings).filter((id) => id !== modelId)
  const next = favourite ? [modelId, ...others].slice(0, MAX_FAVOURITE_MODELS) : others
  settings.set(NAME, JSON.stringify(next))
  return next
}
