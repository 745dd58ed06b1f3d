import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import type { Job, JobFile } from '../../../../shared/job.ts'
import { announce } from '../../../ui/announcer.tsx'
import { Button } from '../../../ui/button.tsx'
import { CopyButton } from '../../../ui/copy-button.tsx'
import { FailureNote } from '../../../ui/failure-note.tsx'
import { JobCard } from '../../../ui/jobs/job-card.tsx'
import { JobMedia } from '../../../ui/jobs/job-media.tsx'
import { titleOf } from '../../../ui/jobs/job-words.ts'
import { saveJobFile } from '../../../ui/jobs/save-job-file.ts'
import { Menu } from '../../../ui/menu.tsx'
import { useAction } from '../../../ui/use-action.ts'
import { copyImage } from './copy-image.ts'
import { ImageChoices } from './image-facts.tsx'
import styles from './images.module.css'
import { compareWith, isSame, lookAt, useLook } from './look-store.ts'

interface ImageCardProps {
  job: Job
  onReuse: (job: Job) => void
  onChange: (job: Job, file: JobFile) => void
}

/** The images of one job, with the parameters that they were requested with. */
export function ImageCard({ job, onReuse, onChange }: ImageCardProps) {
  const images = job.files.filter(({ role }) => role === 'made')
  const prompt = job.ask.kind === 'image' ? job.ask.prompt : undefined
  return (
    <JobCard
      job={job}
      actions={
        <>
          <Button onClick={() => onReuse(job)}>
            <Trans>Reuse settings</Trans>
          </Button>
          {prompt !== undefined && <CopyButton label={t`Copy prompt`} text={() => prompt} />}
        </>
      }
    >
      {images.length > 0 && (
        <ul className={styles.made} data-count={Math.min(images.length, 3)}>
          {images.map((file, place) => (
            <li key={file.index}>
              <MadeImage job={job} file={file} place={place} of={images.length} onChange={onChange} />
            </li>
          ))}
        </ul>
      )}
      <ImageChoices job={job} />
    </JobCard>
  )
}

function MadeImage({
  job,
  file,
  place,
  of,
  onChange,
}: { job: Job; file: JobFile; place: number; of: number } & Pick<ImageCardProps, 'onChange'>) {
  const first = useLook((state) => state.first)
  const looked = { jobId: job.id, index: file.index }
  const chosen = isSame(first, looked)
  const save = useAction(() => saveJobFile(job, file))
  const copy = useAction(async () => {
    await copyImage(job.id, file.index)
    announce(t`Image copied`)
  })
  const title = titleOf(job)
  const number = place + 1
  const name = of > 1 ? t`${title}, ${number} of ${of}` : title
  const failure = save.failure ?? copy.failure
  return (
    <figure className={styles.image}>
      <button
        type="button"
        className={styles.look}
        onClick={() => lookAt(looked)}
        aria-label={t`View ${name}`}
      >
        <JobMedia job={job} file={file} alt={name} thumb />
      </button>
      <figcaption className={styles.imageLine}>
        <Button onClick={() => void save.run()} busy={save.busy && t`Saving…`}>
          <Trans>Save…</Trans>
        </Button>
        <Button onClick={() => compareWith(looked)} aria-pressed={chosen}>
          {chosen ? t`Selected: choose another` : first ? t`Compare with selected` : t`Compare`}
        </Button>
        <Menu
          label={t`More actions for ${name}`}
          items={[
            { name: t`Copy image`, choose: () => void copy.run() },
            { name: t`Edit image`, choose: () => onChange(job, file) },
          ]}
        />
      </figcaption>
      {failure && <FailureNote failure={failure} />}
    </figure>
  )
}
