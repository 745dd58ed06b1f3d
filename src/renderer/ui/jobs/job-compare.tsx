import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useState } from 'react'
import type { JobMatch } from '../../../shared/job.ts'
import { api } from '../api.ts'
import { Button } from '../button.tsx'
import { FailureNote } from '../failure-note.tsx'
import { formatExactUsd } from '../format/money.ts'
import { formatDateTime } from '../format/time.ts'
import { useAction } from '../use-action.ts'
import styles from './job-card.module.css'

/** Of one whose end nobody knows: what the service's history has of the same model and time. */
export function JobCompare({ jobId }: { jobId: string }) {
  const [found, setFound] = useState<{ readonly matches: readonly JobMatch[]; readonly whole: boolean }>()
  const compare = useAction(async () => setFound(await api.studio.compare({ jobId })))
  return (
    <div className={styles.compare}>
      {compare.failure && <FailureNote failure={compare.failure} />}
      <div className={styles.actions}><Button onClick={() => void compare.run()} busy={compare.busy && t`Reading the history…`}><Trans>Compare with the service’s history</Trans></Button></div>
      {found && (
        <div role="status" className={styles.quiet}>
          {found.matches.length === 0 && found.whole && <p><Trans>The history has nothing of this model at that time, so it was most likely not made. You can ask again.</Trans></p>}
          {found.matches.length === 0 && !found.whole && <p><Trans>Nothing was found, but not all of the history of that time could be read.</Trans></p>}
          {found.matches.length > 0 && (
            <>
              <p><Trans>These were charged at that time for the same model. One of them may be this one; then asking again costs a second time.</Trans></p>
              <ul className={styles.matches}>
                {found.matches.map(({ at, model, cost }, index) => {
                  const when = formatDateTime(at)
                  return <li key={index}>{cost === undefined ? t`${when}: ${model}, cost not said` : t`${when}: ${model}, ${formatExactUsd(cost)}`}</li>
                })}
              </ul>
            </>
          )}
        </div>
      )}
    </div>
  )
}
