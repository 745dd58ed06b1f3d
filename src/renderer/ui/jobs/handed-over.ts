import { currentScope } from '../../data/service-scope.tsx'
import { setScopedState, useScopedState, type ScopedState } from '../../data/use-answer.ts'
import { go } from '../route.ts'
import type { AttachedPicture } from './use-given-file.ts'

/** What was sent on to the studio and is not in a form there yet. */
export interface HandedOver {
  readonly part: 'images' | 'speech'
  readonly text?: string
  readonly picture?: AttachedPicture
  /** Where the words come from, if that is kept private: before they leave it is asked once more. */
  readonly from?: { readonly conversationId: string } | undefined
}

const waiting: ScopedState<HandedOver | null> = { key: ['handed-over'], initial: null }

/** Opens that part of the studio with it. Nothing of it leaves by that. */
export function handToStudio(handed: HandedOver): void {
  setScopedState(currentScope(), waiting, () => handed)
  go({ room: 'studio', part: handed.part })
}

/** What waits for this part of the studio. */
export function useHandedOver(part: HandedOver['part']): HandedOver | undefined {
  const handed = useScopedState(waiting)
  return handed?.part === part ? handed : undefined
}

/** It stands in the form now. */
export function tookHandedOver(handed: HandedOver): void {
  setScopedState(currentScope(), waiting, (now) => (now === handed ? null : now))
}
