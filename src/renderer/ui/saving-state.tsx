import { t } from '@lingui/core/macro'
import type { Failure } from '../../shared/contract/sotto-contract.ts'
import { FailureNote } from './failure-note.tsx'
import { formatCount } from './format/number.ts'
import styles from './saving-state.module.css'

interface ProgressProps {
  label: string
  done: number
  /** 0 if the total isn't known yet. */
  of: number
  message: string
}

export function Progress({ label, done, of, message }: ProgressProps) {
  return (
    <p className={styles.line}>
      <progress value={of === 0 ? undefined : done} max={Math.max(of, 1)} aria-label={label} />
      <span>{message}</span>
    </p>
  )
}

interface SavingStateProps {
  /** For screen readers: the counted items. */
  label: string
  progress: { readonly done: number; readonly of: number } | undefined
  failure: Failure | undefined
  outcome: string
}

/** The progress of saving a file, or the outcome. */
export function SavingState({ label, progress, failure, outcome }: SavingStateProps) {
  return (
    <>
      {progress && (
        <Progress
          label={label}
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
