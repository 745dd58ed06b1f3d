import { create } from 'zustand'
import { onServiceChange } from '../../../ui/status-store.ts'

export interface VideoDraft {
  readonly model: string
  readonly prompt: string
  /** Empty if the model chooses, here and in the next two. */
  readonly aspectRatio: string
  readonly duration: string
  readonly quality: string
  readonly keepMetadata: boolean
  readonly extra: string
}

const none: VideoDraft = {
  model: '',
  prompt: '',
  aspectRatio: '',
  duration: '',
  quality: '',
  keepMetadata: false,
  extra: '',
}

/** The request that the user is preparing. The draft survives a change of tab. */
export const useVideoDraft = create<VideoDraft>()(() => none)

onServiceChange(() => useVideoDraft.setState({ model: '', aspectRatio: '', duration: '', quality: '' }))
