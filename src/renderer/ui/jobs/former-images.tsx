import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useState } from 'react'
import type { Job, JobFile } from '../../../shared/job.ts'
import { Button } from '../button.tsx'
import { Dialog } from '../dialog.tsx'
import { EmptyState } from '../empty-state.tsx'
import { FailureNote } from '../failure-note.tsx'
import styles from './former-images.module.css'
import { JobMedia } from './job-media.tsx'
import { titleOf } from './job-words.ts'
import { useJobList } from './use-job-list.ts'
import { Skeleton } from '../skeleton.tsx'

interface FormerImagesProps {
  onChoose: (job: Job, file: JobFile) => void
}

/** Selects a generated image instead of a file. */
export function FormerImages({ onChoose }: FormerImagesProps) {
  const [open, setOpen] = useState(false)
  return (
    <>
      <Button onClick={() => setOpen(true)}>
        <Trans>Choose generated image…</Trans>
      </Button>
      <Dialog open={open} onClose={() => setOpen(false)} title={t`Generated images`} wide>
        <Choice
          onChoose={(job, file) => {
            setOpen(false)
            onChoose(job, file)
          }}
        />
      </Dialog>
    </>
  )
}

const kinds = ['image'] as const

function Choice({ onChoose }: FormerImagesProps) {
  const { jobs, failure, more, older, busy } = useJobList(kinds)
  const images = (jobs ?? []).flatMap((job) =>
    job.files
      .filter(({ role, type }) => role === 'made' && /^image\/(?:png|jpeg|webp)$/.test(type))
      .map((file) => ({ job, file })),
  )
  if (failure) return <FailureNote failure={failure} />
  if (!jobs) return <Skeleton label={t`Loading…`} />
  if (images.length === 0) return <EmptyState compact title={t`No images yet`} />
  return (
    <>
      <ul className={styles.images}>
        {images.map(({ job, file }) => {
          const title = titleOf(job)
          return (
            <li key={`${job.id}/${String(file.index)}`}>
              <button
                type="button"
                className={styles.image}
                onClick={() => onChoose(job, file)}
                aria-label={t`Use “${title}”, ${file.name}`}
              >
                <JobMedia job={job} file={file} alt="" thumb />
              </button>
            </li>
          )
        })}
      </ul>
      {more && (
        <p className={styles.quiet}>
          <Button onClick={older} busy={busy && t`Loading more…`}>
            <Trans>Show older</Trans>
          </Button>
        </p>
      )}
    </>
  )
}
