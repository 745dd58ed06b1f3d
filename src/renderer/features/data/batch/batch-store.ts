import { create } from 'zustand'
import type { Failure } from '../../../../shared/contract/sotto-contract.ts'
import { onServiceChange } from '../../../ui/status-store.ts'

/** Which batch is looked at; undefined: a new one is made, and the others are listed. */
export const useBatch = create<{
  readonly jobId: string | undefined
  /** Why it could not be paid when it was made. */ readonly unpaid: Failure | undefined
}>()(() => ({ jobId: undefined, unpaid: undefined }))

onServiceChange(() => useBatch.setState({ jobId: undefined, unpaid: undefined }))

export function showBatch(jobId: string | undefined, unpaid?: Failure): void {
  useBatch.setState({ jobId, unpaid })
}
