import type { DataEndpoint } from '../../../../shared/contract/purchases.ts'
import { currentScope } from '../../../data/service-scope.tsx'
import { setScopedState, type Question, type ScopedState } from '../../../data/use-answer.ts'
import { api } from '../../../ui/api.ts'
import { useStatus } from '../../../ui/status-store.ts'
import { idOf } from './group-endpoints.ts'

/** The request that the user is writing for one lookup. */
export interface LookupDraft {
  readonly mode: 'fields' | 'json'
  /** The text of each field. */
  readonly texts: Readonly<Record<string, string>>
  readonly json: string
}

interface Catalogue {
  readonly search: string
  /** The id of the lookup on display; undefined shows the list. */
  readonly chosen: string | undefined
  /** The job whose answer is shown. */
  readonly jobId: string | undefined
  /** By the id of the lookup. */
  readonly drafts: Readonly<Record<string, LookupDraft>>
}

export const catalogue: ScopedState<Catalogue> = {
  key: ['catalogue'],
  initial: { search: '', chosen: undefined, jobId: undefined, drafts: {} },
}

/** The current listing of the service, with its prices. */
export const endpointsQuestion: Question<readonly DataEndpoint[]> = {
  key: ['data-endpoints'],
  ask: async (context) => (await api.purchases.dataEndpoints(undefined, context)).filter(isSoldHere),
}

function change(part: Partial<Catalogue>): void {
  setScopedState(currentScope(), catalogue, (before) => ({ ...before, ...part }))
}

/** Only Revision A has the microblog group (specification, Data enrichment). */
function isSoldHere({ path }: DataEndpoint): boolean {
  return useStatus.getState().status?.service.revision !== 'B' || !path.startsWith('/x/')
}

export function searchEndpoints(search: string): void {
  change({ search })
}

export function chooseEndpoint(endpoint: Pick<DataEndpoint, 'method' | 'path'> | undefined): void {
  change({ chosen: endpoint && idOf(endpoint), jobId: undefined })
}

export function setDraft(id: string, draft: LookupDraft): void {
  setScopedState(currentScope(), catalogue, (before) => ({
    ...before,
    drafts: { ...before.drafts, [id]: draft },
  }))
}

/** Shows the job's answer, with the lookup that it belongs to. */
export function showAnswer(jobId: string, endpoint: Pick<DataEndpoint, 'method' | 'path'>): void {
  change({ jobId, chosen: idOf(endpoint) })
}
