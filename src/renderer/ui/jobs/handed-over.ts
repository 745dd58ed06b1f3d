import { create } from 'zustand'
import { go } from '../route.ts'
import { onServiceChange } from '../status-store.ts'
import type { AttachedPicture } from './use-given-file.ts'

/** What was sent on to the studio and is not in a form there yet. */
export interface HandedOver {
  readonly part: 'images' | 'speech'
  readonly text?: string
  readonly picture?: AttachedPicture
  /** Where the words come from, if that is kept private: before they leave it is asked once more. */
  readonly from?: { readonly conversationId: string } | undefined
}

interface Waiting {
  readonly handed: HandedOver | undefined
}

const useWaiting = create<Waiting>()(() => ({ handed: undefined }))

onServiceChange(() => useWaiting.setState({ handed: undefined }))

/** Opens that part of the studio with it. Nothing of it leaves by that. */
export function handToStudio(handed: HandedOver): void {
  useWaiting.setState({ handed })
  go({ room: 'studio', part: handed.part })
}

/** What waits for this part of the studio. */
export function useHandedOver(part: HandedOver['part']): HandedOver | undefined {
  return useWaiting(({ handed }) => (handed?.part === part ? handed : undefined))
}

/** It stands in the form now. */
export function tookHandedOver(handed: HandedOver): void {
  useWaiting.setState((now) => (now.handed === handed ? { handed: undefined } : now))
}
