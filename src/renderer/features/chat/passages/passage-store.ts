import { create } from 'zustand'
import type { Failure } from '../../../../shared/contract/sotto-contract.ts'
import type { FoundPassage } from '../../../../shared/knowledge.ts'
import { withPassages } from '../../../../shared/passage-text.ts'
import { textTokens } from '../../../../shared/token-estimate.ts'
import { onServiceChange } from '../../../ui/status-store.ts'

/** The passages that the composer shows for a draft. */
interface DraftPassages {
  readonly passages: readonly FoundPassage[]
  /** Why they couldn't be found. Then there are none. */
  readonly failure?: Failure
}

interface PassageState {
  /** By draft. Absent while nothing was found or searched yet. */
  readonly found: Readonly<Record<string, DraftPassages>>
  /** By draft: the ids of passages that the person left out. */
  readonly leftOut: Readonly<Record<string, ReadonlySet<string>>>
  /** By project: its questions take no passage along, until the window closes. */
  readonly off: Readonly<Record<string, boolean>>
}

const none: ReadonlySet<string> = new Set()
const empty: PassageState = { found: {}, leftOut: {}, off: {} }

export const usePassages = create<PassageState>()(() => empty)

onServiceChange(() => usePassages.setState(empty))

export function showPassages(draft: string, found: DraftPassages): void {
  usePassages.setState((state) => ({ found: { ...state.found, [draft]: found } }))
}

/** Call this when the draft was sent, was emptied, or leaves the project. */
export function clearPassages(draft: string): void {
  usePassages.setState(({ found, leftOut }) => ({
    found: Object.fromEntries(Object.entries(found).filter(([name]) => name !== draft)),
    leftOut: Object.fromEntries(Object.entries(leftOut).filter(([name]) => name !== draft)),
  }))
}

export function leavePassageOut(draft: string, id: string, out: boolean): void {
  usePassages.setState(({ leftOut }) => {
    const next = new Set(leftOut[draft])
    if (out) next.add(id)
    else next.delete(id)
    return { leftOut: { ...leftOut, [draft]: next } }
  })
}

export function turnPassages(projectId: string, off: boolean): void {
  usePassages.setState((state) => ({ off: { ...state.off, [projectId]: off } }))
}

/** The shown passages of a draft, without those that are left out: exactly the ones that go with it. */
export function chosenPassages(
  { found, leftOut, off }: PassageState,
  draft: string,
  projectId: string | undefined,
): readonly FoundPassage[] {
  if (projectId === undefined || off[projectId]) return []
  const out = leftOut[draft] ?? none
  return (found[draft]?.passages ?? []).filter(({ id }) => !out.has(id))
}

/** About how many tokens the passages add to a question. */
export function passageTokens(passages: readonly FoundPassage[]): number {
  return textTokens(withPassages(passages, ''))
}
