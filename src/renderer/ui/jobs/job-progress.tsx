import { plural, t } from '@lingui/core/macro'
import type { Job } from '../../../shared/job.ts'
import { formatBytes, formatCount } from '../format/number.ts'
import { formatDuration } from '../format/time.ts'
import { useNow } from '../use-now.ts'
import styles from './job-card.module.css'
import { stateWords } from './job-words.ts'

/** The progress of a running job, and the time since it was sent. */
export function JobProgress({ job }: { job: Job }) {
  const now = useNow(1000)
  const { state, sentAt, at, parts, onItsWay } = job
  const elapsed = formatDuration(now - (sentAt ?? at))
  // After the upload, the service works on the request for an unknown time.
  const leaving = onItsWay && onItsWay.sent < onItsWay.of ? onItsWay : undefined
  if (leaving) {
    return (
      <div className={styles.progress}>
        <progress aria-label={t`Sending`} value={leaving.sent} max={leaving.of} />
        <span
          className={styles.quiet}
        >{t`${formatBytes(leaving.sent)} of ${formatBytes(leaving.of)} sent · ${elapsed}`}</span>
      </div>
    )
  }
  const label = stateWords[state].name
  return (
    <div className={styles.progress}>
      <progress aria-label={label} {...(parts ? { value: parts.done, max: parts.of } : {})} />
      <span className={styles.quiet}>{parts ? partsWords(parts, elapsed) : elapsed}</span>
    </div>
  )
}

function partsWords({ done, of }: NonNullable<Job['parts']>, elapsed: string): string {
  const ended = formatCount(done)
  return plural(of, { one: `${ended} of # part · ${elapsed}`, other: `${ended} of # parts · ${elapsed}` })
}
