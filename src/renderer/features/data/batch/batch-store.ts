import { create } from 'zustand'
import { onServiceChange } from '../../../ui/status-store.ts'

/** Which batch is looked at; undefined: a new one is made, and the others are listed. */
export const useBatch = create<{ readonly jobId: string | undefined }>()(() => ({ jobId: undefined }))

onServiceChange(() => useBatch.setState({ jobId: undefined }))

export function showBatch(jobId: string | undefined): void {
  useBatch.setState({ jobId })
}
