import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useEffect, useRef } from 'react'
import { useScopedState } from '../../data/use-answer.ts'
import { Button } from '../button.tsx'
import { FailureNote } from '../failure-note.tsx'
import { useAction } from '../use-action.ts'
import { removedJobs, takeJobsBack } from './removals.ts'
import styles from './undo-jobs.module.css'

/** Shows the latest deletion, and a button to undo it while that is possible. */
export function UndoJobs() {
  const last = useScopedState(removedJobs)
  const button = useRef<HTMLButtonElement>(null)
  const undo = useAction(takeJobsBack)
  useEffect(() => {
    // The deletion removed the element that had the focus.
    if (last && document.activeElement === document.body) button.current?.focus()
  }, [last])
  if (!last) return null
  return (
    <div className={styles.bar} data-testid="undo">
      <span className={styles.says}>{last.says}</span>
      {undo.failure && <FailureNote failure={undo.failure} />}
      <Button ref={button} onClick={() => void undo.run()} busy={undo.busy && t`Restoring…`}>
        <Trans>Undo</Trans>
      </Button>
    </div>
  )
}
