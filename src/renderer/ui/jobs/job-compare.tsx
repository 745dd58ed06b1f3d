import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useState } from 'react'
import type { JobMatch } from '../../../shared/job.ts'
import { api } from '../api.ts'
import { Button } from '../button.tsx'
import { FailureNote } from '../failure-note.tsx'
import { formatRecordedUsd } from '../format/money.ts'
import { formatDateTime } from '../format/time.ts'
import { useAction } from '../use-action.ts'
import styles from './job-card.module.css'

/** For a job with an unknown outcome: entries of the service's history with the same model and time. */
export function JobCompare({ jobId }: { jobId: string }) {
  const [found, setFound] = useState<{ readonly matches: readonly JobMatch[]; readonly whole: boolean }>()
  const compare = useAction(async () => setFound(await api.studio.compare({ jobId })))
  return (
    <div className={styles.compare}>
      {compare.failure && <FailureNote failure={compare.failure} />}
      <div className={styles.actions}>
        <Button onClick={() => void compare.run()} busy={compare.busy && t`Loading history…`}>
          <Trans>Compare with service history</Trans>
        </Button>
      </div>
      {found && (
        <div role="status" className={styles.quiet}>
          {found.matches.length === 0 && found.whole && (
            <p>
              <Trans>
                The history shows nothing for this model at that time, so this request probably wasn’t
                processed. You can send it again.
              </Trans>
            </p>
          )}
          {found.matches.length === 0 && !found.whole && (
            <p>
              <Trans>No match found, but some of the history for that time couldn’t be read.</Trans>
            </p>
          )}
          {found.matches.length > 0 && (
            <>
              <p>
                <Trans>
                  These were charged for the same model at that time. One of them may be this request. If so,
                  sending it again costs you twice.
                </Trans>
              </p>
              <ul className={styles.matches}>
                {found.matches.map(({ at, model, cost }, index) => {
                  const when = formatDateTime(at)
                  return (
                    <li key={index}>
                      {cost === undefined
                        ? t`${when}: ${model}, cost not reported`
                        : t`${when}: ${model}, ${formatRecordedUsd(cost)}`}
                    </li>
                  )
                })}
              </ul>
            </>
          )}
        </div>
      )}
    </div>
  )
}
