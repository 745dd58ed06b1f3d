import { t } from '@lingui/core/macro'
import type { Failure } from '../../../shared/contract/sotto-contract.ts'
import { FailureNote } from '../../ui/failure-note.tsx'
import { formatCount } from '../../ui/format/number.ts'
import { Progress } from './progress.tsx'

/** The progress of saving a file, or the outcome. */
export function SavingState({
  progress,
  failure,
  outcome,
}: {
  progress: { readonly done: number; readonly of: number } | undefined
  failure: Failure | undefined
  outcome: string
}) {
  return (
    <>
      {progress && (
        <Progress
          label={t`Chats saved`}
          done={progress.done}
          of={progress.of}
          message={
            progress.of === 0 ? t`Reading…` : t`${formatCount(progress.done)} of ${formatCount(progress.of)}`
          }
        />
      )}
      {outcome !== '' && <p>{outcome}</p>}
      {failure && <FailureNote failure={failure} />}
    </>
  )
}
