import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { FailureNote } from '../../../ui/failure-note.tsx'
import { JobMedia } from '../../../ui/jobs/job-media.tsx'
import { titleOf } from '../../../ui/jobs/job-words.ts'
import { useJobList } from '../../../ui/jobs/use-job-list.ts'
import styles from './video.module.css'

/** Types that can be sent as an image. */
const SENT = /^image\/(?:png|jpeg|webp)$/

/** Images that were made here, one of which is taken. Nothing of it leaves by that. */
export function GalleryDialog({ onClose, onChosen }: { onClose: () => void; onChosen: (file: { jobId: string; index: number }, name: string) => void }) {
  const { jobs, failure, more, older, again, busy } = useJobList(['image'])
  const images = jobs?.flatMap((job) => job.files.filter(({ role, type }) => role === 'made' && SENT.test(type)).map((file) => ({ job, file })))
  return (
    <Dialog open onClose={onClose} wide title={t`An image that was made here`}>
      {failure && <FailureNote failure={failure}><Button onClick={again}><Trans>Try again</Trans></Button></FailureNote>}
      {!images && !failure && <p role="status"><Trans>Opening what was made…</Trans></p>}
      {images?.length === 0 && <p className={styles.quiet}><Trans>No image was made yet. Make one in the tab for images, or choose a file.</Trans></p>}
      {images && images.length > 0 && (
        <ul className={styles.gallery}>
          {images.map(({ job, file }) => {
            const title = titleOf(job)
            return (
              <li key={`${job.id}/${String(file.index)}`}>
                <button type="button" className={styles.pick} aria-label={t`Take ${title}`} title={title} onClick={() => onChosen({ jobId: job.id, index: file.index }, file.name)}>
                  <JobMedia job={job} file={file} alt="" thumb />
                </button>
              </li>
            )
          })}
        </ul>
      )}
      {more && <p><Button onClick={older} busy={busy && t`Looking further back…`}><Trans>Older ones</Trans></Button></p>}
    </Dialog>
  )
}
