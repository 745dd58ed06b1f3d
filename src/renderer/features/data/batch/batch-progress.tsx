import { t } from '@lingui/core/macro'
import { hasEnded } from '../../../../shared/job-state.ts'
import type { Job } from '../../../../shared/job.ts'
import { formatCount } from '../../../ui/format/number.ts'
import { formatDuration } from '../../../ui/format/time.ts'
import { useNow } from '../../../ui/use-now.ts'
import { countsOf, rowCounts } from './batch-words.ts'
import kept from '../kept.module.css'
import styles from './batch.module.css'

/** The number of finished rows out of all rows, and the elapsed time. */
export function BatchProgress({ job }: { job: Job }) {
  const now = useNow(1000)
  const { of, done, failed, unknown, left } = rowCounts(job)
  const runs = !hasEnded(job.state) && job.state !== 'paused'
  const elapsed = formatDuration(now - job.at)
  return (
    <div className={kept.progress}>
      <progress value={done + failed + unknown} max={Math.max(of, 1)} aria-label={t`Finished rows`} />
      <p className={styles.quiet} data-testid="batch-counts">
        {countsOf(job)}
        {left > 0 && t`, ${formatCount(left)} not sent`}
        {runs && <> · {elapsed}</>}
      </p>
    </div>
  )
}
