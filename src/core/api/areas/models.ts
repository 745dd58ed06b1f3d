import type { ApiContext } from '../context.ts'
import { favouriteModels, setFavouriteModel } from '../favourite-models.ts'
import type { Implementer } from '../implementer.ts'

/** Answers modelsContract. Throws vault/locked, service/…. */
export function modelsArea(core: ApiContext, os: Implementer['models']) {
  return {
    list: os.list.handler(async () => [...(await core.open().relay.models.all())]),
    favourites: os.favourites.handler(() => favouriteModels(core.open().store.settings)),
    setFavourite: os.setFavourite.handler(({ input }) =>
      setFavouriteModel(core.open().store.settings, input.modelId, input.favourite),
    ),
  }
}
