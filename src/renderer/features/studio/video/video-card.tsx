import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import type { Job } from '../../../../shared/job.ts'
import { Button } from '../../../ui/button.tsx'
import { FailureNote } from '../../../ui/failure-note.tsx'
import { JobCard } from '../../../ui/jobs/job-card.tsx'
import { JobMedia } from '../../../ui/jobs/job-media.tsx'
import { saveJobFile } from '../../../ui/jobs/save-job-file.ts'
import { isolate } from '../../../ui/language/language.ts'
import { useAction } from '../../../ui/use-action.ts'
import styles from './video.module.css'

/** One video: its progress, and after its creation a player and a button that saves it. */
export function VideoCard({ job, onReuse }: { job: Job; onReuse: (job: Job) => void }) {
  const clip = job.files.find(({ role }) => role === 'made')
  const save = useAction(async () => {
    if (clip) await saveJobFile(job, clip)
  })
  return (
    <JobCard
      job={job}
      actions={
        <>
          {clip && (
            <Button onClick={() => void save.run()} busy={save.busy && t`Saving…`}>
              <Trans>Save</Trans>
            </Button>
          )}
          <Button onClick={() => onReuse(job)}>
            <Trans>Reuse prompt</Trans>
          </Button>
        </>
      }
    >
      <Asked job={job} />
      {save.failure && <FailureNote failure={save.failure} />}
      {clip && (
        <div className={styles.clip}>
          <JobMedia job={job} file={clip} />
        </div>
      )}
    </JobCard>
  )
}

/** The parameters of the request other than the prompt, as far as the request has them. */
function Asked({ job: { ask, files } }: { job: Job }) {
  if (ask.kind !== 'video') return null
  const { duration, aspectRatio, quality, image } = ask
  const reference = files.find(({ role }) => role === 'given')?.name
  const facts = [
    duration !== undefined && plural(Number(duration), { one: '# second', other: '# seconds' }),
    aspectRatio,
    quality,
    image !== undefined && (reference === undefined ? t`From an image` : t`From image ${reference}`),
  ].filter((word) => typeof word === 'string')
  return facts.length === 0 ? null : <p className={styles.quiet}>{facts.map(isolate).join(' · ')}</p>
}
