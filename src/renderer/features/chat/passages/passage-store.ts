import { create } from 'zustand'
import type { Failure } from '../../../../shared/contract/sotto-contract.ts'
import type { FoundPassage, Passage } from '../../../../shared/knowledge.ts'

/** The passages that the composer shows for a draft. */
export interface DraftPassages {
  readonly passages: readonly FoundPassage[]
  /** Why they couldn't be found. Then there are none. */
  readonly failure?: Failure
}

/** The passage next to the chat, among those that were sent with it. Another chat closes it. */
interface ShownPassage {
  readonly passages: readonly Passage[]
  /** From 0. */
  readonly index: number
}

interface PassageState {
  /** By draft. Absent while nothing was found or searched yet. */
  readonly found: Readonly<Record<string, DraftPassages>>
  /** By draft: passages are searched, and none are shown yet. */
  readonly finding: Readonly<Record<string, boolean>>
  /** By draft: the ids of passages that the person left out. */
  readonly leftOut: Readonly<Record<string, ReadonlySet<string>>>
  /** By project: its questions take no passage along, until the window closes. */
  readonly off: Readonly<Record<string, boolean>>
  readonly shown: ShownPassage | undefined
}

const empty: PassageState = { found: {}, finding: {}, leftOut: {}, off: {}, shown: undefined }

/** Its changes are in find-passages.ts, which the window loads later. */
export const usePassages = create<PassageState>()(() => empty)

/** Call this when the service changes. */
export function resetPassages(): void {
  usePassages.setState(empty)
}

/** The shown passages of a draft, without those that are left out: exactly the ones that go with it. */
export function chosenPassages(
  { found, leftOut, off }: PassageState,
  draft: string,
  projectId: string | undefined,
): readonly FoundPassage[] {
  if (projectId === undefined || off[projectId]) return []
  return (found[draft]?.passages ?? []).filter(({ id }) => !leftOut[draft]?.has(id))
}

/** Shows a passage next to the chat, or hides it. */
export function showPassage(shown: ShownPassage | undefined): void {
  usePassages.setState({ shown })
}
