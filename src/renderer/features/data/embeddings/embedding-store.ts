import { create } from 'zustand'
import { onServiceChange } from '../../../ui/status-store.ts'

/** Which embedding is looked at; undefined: a new one is made, and the others are listed. */
export const useEmbedding = create<{ readonly jobId: string | undefined }>()(() => ({ jobId: undefined }))

onServiceChange(() => useEmbedding.setState({ jobId: undefined }))

export function showEmbedding(jobId: string | undefined): void {
  useEmbedding.setState({ jobId })
}
