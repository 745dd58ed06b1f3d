import { create } from 'zustand'
import type { DataEndpoint } from '../../../../shared/contract/purchases.ts'
import type { Failure } from '../../../../shared/contract/sotto-contract.ts'
import { api } from '../../../ui/api.ts'
import { asFailure } from '../../../ui/failure.ts'
import { onServiceChange, sameService, useStatus } from '../../../ui/status-store.ts'
import { idOf } from './group-endpoints.ts'

/** What is being written for one lookup. */
export interface LookupDraft {
  readonly mode: 'fields' | 'json'
  /** Of the fields. */
  readonly texts: Readonly<Record<string, string>>
  readonly json: string
}

interface CatalogueState {
  /** As the service lists them now; undefined before that is known. */
  readonly endpoints: readonly DataEndpoint[] | undefined
  readonly failure: Failure | undefined
  readonly busy: boolean
  readonly search: string
  /** By its id; undefined: the list is looked at. */
  readonly chosen: string | undefined
  /** The job whose answer is looked at. */
  readonly jobId: string | undefined
  /** By the lookup's id: kept while the window is open. */
  readonly drafts: Readonly<Record<string, LookupDraft>>
}

const empty: CatalogueState = {
  endpoints: undefined,
  failure: undefined,
  busy: false,
  search: '',
  chosen: undefined,
  jobId: undefined,
  drafts: {},
}
export const useCatalogue = create<CatalogueState>()(() => empty)

onServiceChange(() => useCatalogue.setState(empty))

/** The listing of now, with its prices. What was known stays in view meanwhile. */
export async function loadEndpoints(): Promise<void> {
  const still = sameService()
  if (useCatalogue.getState().busy) return
  useCatalogue.setState({ busy: true, failure: undefined })
  try {
    const endpoints = (await api.purchases.dataEndpoints()).filter(isSoldHere)
    if (still()) useCatalogue.setState({ endpoints })
  } catch (thrown) {
    if (still()) useCatalogue.setState({ failure: asFailure(thrown) })
  } finally {
    if (still()) useCatalogue.setState({ busy: false })
  }
}

/** The microblog group is of Revision A alone (specification, Data enrichment). */
function isSoldHere({ path }: DataEndpoint): boolean {
  return useStatus.getState().status?.service.revision !== 'B' || !path.startsWith('/x/')
}

export function chooseEndpoint(endpoint: Pick<DataEndpoint, 'method' | 'path'> | undefined): void {
  useCatalogue.setState({ chosen: endpoint && idOf(endpoint), jobId: undefined })
}

export function setDraft(id: string, draft: LookupDraft): void {
  useCatalogue.setState(({ drafts }) => ({ drafts: { ...drafts, [id]: draft } }))
}

/** Its answer is looked at, with the lookup that it came from. */
export function showAnswer(jobId: string, endpoint: Pick<DataEndpoint, 'method' | 'path'>): void {
  useCatalogue.setState({ jobId, chosen: idOf(endpoint) })
}
