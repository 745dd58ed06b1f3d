import { create } from 'zustand'
import type { Failure } from '../../../shared/contract/sotto-contract.ts'
import { api } from '../../ui/api.ts'
import { asFailure } from '../../ui/failure.ts'
import { onServiceChange } from '../../ui/status-store.ts'

/** IDs of the favorite models, as the core stores them; undefined until loaded. */
export const useFavourites = create<{
  readonly ids: readonly string[] | undefined
  readonly failure: Failure | undefined
}>()(() => ({ ids: undefined, failure: undefined }))

/** Number of the latest request. Results of earlier requests, or from a former service, are discarded. */
let asked = 0

onServiceChange(() => {
  asked++
  useFavourites.setState({ ids: undefined, failure: undefined })
})

export async function loadFavourites(): Promise<void> {
  const turn = ++asked
  try {
    const ids = await api.models.favourites()
    if (turn === asked) useFavourites.setState({ ids, failure: undefined })
  } catch (thrown) {
    if (turn === asked) useFavourites.setState({ failure: asFailure(thrown) })
  }
}

/** Shown at once. The core's reply then replaces the list. */
export async function setFavourite(modelId: string, favourite: boolean): Promise<void> {
  const turn = ++asked
  const before = useFavourites.getState().ids
  useFavourites.setState({
    ids: favourite ? [modelId, ...(before ?? [])] : (before ?? []).filter((id) => id !== modelId),
    failure: undefined,
  })
  try {
    const ids = await api.models.setFavourite({ modelId, favourite })
    if (turn === asked) useFavourites.setState({ ids })
  } catch (thrown) {
    if (turn === asked) useFavourites.setState({ ids: before, failure: asFailure(thrown) })
  }
}
