import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useState } from 'react'
import type { Job, JobFile } from '../../../../shared/job.ts'
import { api } from '../../../ui/api.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { FailureNote } from '../../../ui/failure-note.tsx'
import { Field, Form } from '../../../ui/field.tsx'
import { formatBytes } from '../../../ui/format/number.ts'
import { JobCard } from '../../../ui/jobs/job-card.tsx'
import { isShown, JobMedia } from '../../../ui/jobs/job-media.tsx'
import { kindNames, titleOf, wordsOf } from '../../../ui/jobs/job-words.ts'
import { showJob } from '../../../ui/jobs/jobs-store.ts'
import { saveJobFile } from '../../../ui/jobs/save-job-file.ts'
import { go } from '../../../ui/route.ts'
import { useAction } from '../../../ui/use-action.ts'
import styles from './library.module.css'

/** The Studio tab of each kind, which offers more actions than this dialog. */
const parts: Partial<Record<Job['kind'], string>> = {
  image: 'images',
  video: 'video',
  speech: 'speech',
  transcription: 'transcription',
}

/** One job with its files, its text, its cost and its receipt. */
export function JobDialog({ job, onClose }: { job: Job; onClose: () => void }) {
  const text = wordsOf(job)
  const part = parts[job.kind]
  const files = job.files.filter(({ role }) => role === 'made' || role === 'answer')
  const shown = files.filter((file) => file.role === 'made' && isShown(file))
  return (
    <Dialog open onClose={onClose} title={kindNames[job.kind]} wide>
      <JobCard
        job={job}
        actions={
          <Button onClick={() => go(part === undefined ? { view: 'data' } : { view: 'studio', part })}>
            {part === undefined ? t`Open in Data` : t`Open in Studio`}
          </Button>
        }
      >
        {shown.length > 0 && (
          <div className={shown.length > 1 ? styles.several : undefined}>
            {shown.map((file) => (
              <JobMedia key={file.index} job={job} file={file} />
            ))}
          </div>
        )}
        {text !== '' && text !== titleOf(job) && <p className={styles.words}>{text.slice(0, 5000)}</p>}
        {files.length > 0 && (
          <ul className={styles.files}>
            {files.map((file) => (
              <li key={file.index}>
                <FileLine job={job} file={file} />
              </li>
            ))}
          </ul>
        )}
        <Rename key={job.id} job={job} />
      </JobCard>
    </Dialog>
  )
}

function FileLine({ job, file }: { job: Job; file: JobFile }) {
  const save = useAction(() => saveJobFile(job, file))
  return (
    <div className={styles.file}>
      <span className={styles.fileName}>{file.role === 'answer' ? t`Service response` : file.name}</span>
      <span className={styles.quiet}>{formatBytes(file.bytes)}</span>
      <Button
        onClick={() => void save.run()}
        busy={save.busy && t`Saving…`}
        aria-label={t`Save ${file.name}`}
      >
        <Trans>Save…</Trans>
      </Button>
      {save.failure && <FailureNote failure={save.failure} />}
    </div>
  )
}

function Rename({ job }: { job: Job }) {
  const [title, setTitle] = useState(job.title ?? '')
  const rename = useAction(async () => {
    await showJob(api.studio.rename({ jobId: job.id, title }))
  })
  return (
    <Form className={styles.rename} onSubmit={() => void rename.run()}>
      <Field
        label={t`Title`}
        value={title}
        maxLength={200}
        onChange={(event) => setTitle(event.target.value)}
        placeholder={t`Defaults to the first words`}
      />
      <Button type="submit" busy={rename.busy && t`Saving…`} disabled={title.trim() === (job.title ?? '')}>
        <Trans>Save title</Trans>
      </Button>
      {rename.failure && <FailureNote failure={rename.failure} />}
    </Form>
  )
}
