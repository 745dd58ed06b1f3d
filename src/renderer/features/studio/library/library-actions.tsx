import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { hasEnded } from '../../../../shared/job-state.ts'
import type { Job } from '../../../../shared/job.ts'
import { announce } from '../../../ui/announcer.tsx'
import { Button } from '../../../ui/button.tsx'
import { FailureNote } from '../../../ui/failure-note.tsx'
import { removeJobs } from '../../../ui/jobs/removals.ts'
import { exportJobs } from '../../../ui/jobs/save-job-file.ts'
import { useAction } from '../../../ui/use-action.ts'
import styles from './library.module.css'

/** The maximum of one call. */
const MOST = 1000

interface ActionsProps {
  jobs: readonly Job[]
  selected: readonly Job[]
  onSelect: (chosen: ReadonlySet<string>) => void
}

/** Actions on several jobs at once: on the selected jobs, or on all shown jobs if none is selected. */
export function LibraryActions({ jobs, selected, onSelect }: ActionsProps) {
  const meant = selected.length > 0 ? selected : jobs
  const several = meant.slice(0, MOST)
  // Jobs that are still running stay.
  const ended = selected.filter(({ state }) => hasEnded(state)).slice(0, MOST)
  const save = useAction(async () => {
    await exportJobs(several.map(({ id }) => id))
    announce(t`Saving the ZIP file`)
  })
  const remove = useAction(async () => {
    await removeJobs(ended)
    onSelect(new Set())
  })
  const failure = save.failure ?? remove.failure
  return (
    <>
      <div className={styles.actions}>
        <Button onClick={() => void save.run()} busy={save.busy && t`Creating ZIP…`}>
          {selected.length > 0
            ? plural(several.length, { one: 'Save # as ZIP…', other: 'Save # as ZIP…' })
            : t`Save shown as ZIP…`}
        </Button>
        {selected.length > 0 && (
          <>
            <Button
              onClick={() => void remove.run()}
              busy={remove.busy && t`Deleting…`}
              disabled={ended.length === 0}
            >
              {plural(ended.length, { one: 'Delete #', other: 'Delete #' })}
            </Button>
            <Button onClick={() => onSelect(new Set())}>
              <Trans>Deselect all</Trans>
            </Button>
          </>
        )}
        {selected.length === 0 && (
          <span className={styles.quiet}>
            <Trans>The ZIP contains each file with its request, cost, and receipt. It isn’t encrypted.</Trans>
          </span>
        )}
      </div>
      {failure && <FailureNote failure={failure} />}
    </>
  )
}
