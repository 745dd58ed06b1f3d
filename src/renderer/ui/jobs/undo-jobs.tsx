import { t } from '@lingui/core/macro'
import { useScopedState } from '../../data/use-answer.ts'
import { FailureNote } from '../failure-note.tsx'
import { Toast } from '../toast.tsx'
import { useAction } from '../use-action.ts'
import { removedJobs, takeJobsBack, removalWords } from './removals.ts'

/** The last removal of jobs while it can be undone. A failed attempt stays above the toast. */
export function UndoJobs() {
  const last = useScopedState(removedJobs)
  const undo = useAction(takeJobsBack)

  if (!last) return null
  return (
    <>
      {undo.failure && <FailureNote failure={undo.failure} />}
      <Toast
        message={removalWords(last)}
        action={t`Undo`}
        busy={undo.busy && t`Restoring…`}
        onAction={() => void undo.run()}
      />
    </>
  )
}
