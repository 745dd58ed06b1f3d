import { create } from 'zustand'
import type { Failure } from '../../../shared/contract/sotto-contract.ts'
import { api } from '../../ui/api.ts'
import { asFailure } from '../../ui/failure.ts'
import { onServiceChange } from '../../ui/status-store.ts'

/** Ids of the favourite models, as the core keeps them; undefined until fetched. */
export const useFavourites = create<{ readonly ids: readonly string[] | undefined; readonly failure: Failure | undefined }>()(() => ({ ids: undefined, failure: undefined }))

onServiceChange(() => useFavourites.setState({ ids: undefined, failure: undefined }))

export async function loadFavourites(): Promise<void> {
  try {
    useFavourites.setState({ ids: await api.models.favourites(), failure: undefined })
  } catch (thrown) {
    useFavourites.setState({ failure: asFailure(thrown) })
  }
}

/** Shown at once; what the core says then holds. */
export async function setFavourite(modelId: string, favourite: boolean): Promise<void> {
  const before = useFavourites.getState().ids
  useFavourites.setState({ ids: favourite ? [modelId, ...before ?? []] : (before ?? []).filter((id) => id !== modelId), failure: undefined })
  try {
    useFavourites.setState({ ids: await api.models.setFavourite({ modelId, favourite }) })
  } catch (thrown) {
    useFavourites.setState({ ids: before, failure: asFailure(thrown) })
  }
}
