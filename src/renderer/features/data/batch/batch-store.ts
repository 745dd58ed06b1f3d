import type { Failure } from '../../../../shared/contract/sotto-contract.ts'
import { currentScope } from '../../../data/service-scope.tsx'
import { setScopedState, type ScopedState } from '../../../data/use-answer.ts'

interface ShownBatch {
  /** Undefined: a new batch is created, and the others are listed. */
  readonly jobId?: string | undefined
  /** Why it couldn't be paid when it was created. */
  readonly unpaid?: Failure | undefined
}

export const shownBatch: ScopedState<ShownBatch> = { key: ['shown-batch'], initial: {} }

export function showBatch(jobId: string | undefined, unpaid?: Failure, scope = currentScope()): void {
  setScopedState(scope, shownBatch, () => ({ jobId, unpaid }))
}
