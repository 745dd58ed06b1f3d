import { t } from '@lingui/core/macro'
import { Dialog } from '../../../ui/dialog.tsx'
import { JobMedia } from '../../../ui/jobs/job-media.tsx'
import { titleOf } from '../../../ui/jobs/job-words.ts'
import { useJobs } from '../../../ui/jobs/jobs-store.ts'
import styles from './images.module.css'
import { closeLook, useLook, type Looked } from './look-store.ts'
import { ImageFacts } from './image-facts.tsx'

/** One large image, or two next to each other with their parameters. */
export function LookDialog() {
  const open = useLook((state) => state.open)
  return (
    <Dialog
      open={open.length > 0}
      onClose={closeLook}
      title={open.length > 1 ? t`Compare images` : t`Image`}
      wide
    >
      <div className={open.length > 1 ? styles.two : styles.one}>
        {open.map((looked) => (
          <Large key={`${looked.jobId}/${String(looked.index)}`} looked={looked} />
        ))}
      </div>
    </Dialog>
  )
}

function Large({ looked: { jobId, index } }: { looked: Looked }) {
  const job = useJobs()[jobId]
  const file = job?.files.find((each) => each.index === index)
  if (!job || !file) return null
  return (
    <figure className={styles.large}>
      <JobMedia job={job} file={file} />
      <figcaption>
        <p className={styles.words}>{titleOf(job)}</p>
        <ImageFacts job={job} file={file} />
      </figcaption>
    </figure>
  )
}
