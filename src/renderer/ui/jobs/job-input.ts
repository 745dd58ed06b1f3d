import { currentScope } from '../../data/service-scope.tsx'
import { setScopedState, useScopedState, type ScopedState } from '../../data/use-answer.ts'
import { go } from '../route.ts'
import type { AttachedPicture } from './use-given-file.ts'

/** Input that was passed to the studio and isn't in a form yet. */
export interface JobInput {
  readonly part: 'images' | 'speech'
  readonly text?: string
  readonly picture?: AttachedPicture
  /** The source of the text, if that conversation is private: sending the text needs another consent. */
  readonly from?: { readonly conversationId: string } | undefined
}

const waiting: ScopedState<JobInput | null> = { key: ['handed-over'], initial: null }

/** Opens that part of the studio with the input. Nothing is sent. */
export function handToStudio(handed: JobInput): void {
  setScopedState(currentScope(), waiting, () => handed)
  go({ view: 'studio', part: handed.part })
}

/** The input that waits for this part of the studio. */
export function useJobInput(part: JobInput['part']): JobInput | undefined {
  const handed = useScopedState(waiting)
  return handed?.part === part ? handed : undefined
}

/** Call it when the form has the input. */
export function clearJobInput(handed: JobInput): void {
  setScopedState(currentScope(), waiting, (now) => (now === handed ? null : now))
}
