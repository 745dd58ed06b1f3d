import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import type { Job } from '../../../../shared/job.ts'
import { Button } from '../../../ui/button.tsx'
import { formatBytes } from '../../../ui/format/number.ts'
import { formatLanguage } from '../../../ui/format/language-name.ts'
import { formatDuration } from '../../../ui/format/time.ts'
import { JobCard } from '../../../ui/jobs/job-card.tsx'
import { isolate } from '../../../ui/language/language.ts'
import { lazyComponent } from '../../../ui/lazy-component.tsx'
import styles from './transcription.module.css'

const TranscriptView = lazyComponent(async () => (await import('./transcript-view.tsx')).TranscriptView)

/** One recording: its progress, and after the transcription its text next to its audio. */
export function TranscriptCard({
  job,
  open,
  onOpen,
}: {
  job: Job
  open: boolean
  onOpen: (open: boolean) => void
}) {
  const { ask, files, state } = job
  if (ask.kind !== 'transcription') return null
  const recording = files.find(({ role }) => role === 'given')
  const about = [
    recording?.seconds !== undefined && formatDuration(recording.seconds * 1000),
    recording && formatBytes(recording.bytes),
    ask.language !== undefined && ask.language !== 'multi' && formatLanguage(ask.language),
  ].filter((word) => typeof word === 'string')
  return (
    <JobCard
      job={job}
      actions={
        state === 'done' && (
          <Button aria-expanded={open} onClick={() => onOpen(!open)}>
            {open ? <Trans>Hide transcript</Trans> : <Trans>Show transcript</Trans>}
          </Button>
        )
      }
    >
      {about.length > 0 && <p className={styles.quiet}>{about.map(isolate).join(' · ')}</p>}
      {open && state === 'done' && (
        <section aria-label={t`Transcript`}>
          <TranscriptView key={job.id} job={job} />
        </section>
      )}
    </JobCard>
  )
}
