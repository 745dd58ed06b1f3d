import { create } from 'zustand'
import { onServiceChange } from '../../../ui/status-store.ts'

export interface VideoDraft {
  readonly model: string
  readonly prompt: string
  /** Each empty where it is left to the model. */
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

/** What is about to be asked for. It outlives the tab. */
export const useVideoDraft = create<VideoDraft>()(() => none)

onServiceChange(() => useVideoDraft.setState({ model: '', aspectRatio: '', duration: '', quality: '' }))
