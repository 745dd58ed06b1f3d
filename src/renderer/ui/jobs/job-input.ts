import { currentScope } from '../../data/service-scope.tsx'
import { setScopedState, useScopedState, type ScopedState } from '../../data/use-answer.ts'
import { go } from '../route.ts'
import type { AttachedPicture } from './use-given-file.ts'

/** What was sent on to the studio and is not in a form there yet. */
export interface JobInput {
  readonly part: 'images' | 'speech'
  readonly text?: string
  readonly picture?: AttachedPicture
  /** Where the words come from, if that is kept private: before they leave it is asked once more. */
  readonly from?: { readonly conversationId: string } | undefined
}

const waiting: ScopedState<JobInput | null> = { key: ['handed-over'], initial: null }

/** Opens that part of the studio with it. Nothing of it leaves by that. */
export function handToStudio(handed: JobInput): void {
  setScopedState(currentScope(), waiting, () => handed)
  go({ room: 'studio', part: handed.part })
}

/** What waits for this part of the studio. */
export function useJobInput(part: JobInput['part']): JobInput | undefined {
  const handed = useScopedState(waiting)
  return handed?.part === part ? handed : undefined
}

/** The form contains it now. */
export function clearJobInput(handed: JobInput): void {
  setScopedState(currentScope(), waiting, (now) => (now === handed ? null : now))
}
