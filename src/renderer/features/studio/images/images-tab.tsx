import { t } from '@lingui/core/macro'
import { Image } from 'lucide-react'
import { useEffect, useRef } from 'react'
import type { Failure } from '../../../../shared/contract/sotto-contract.ts'
import type { Job, JobFile, Upload } from '../../../../shared/job.ts'
import { MAX_PICTURE_BYTES } from '../../../../shared/attachment-limits.ts'
import { useJobModels } from '../../../data/listings.ts'
import { FailureNote } from '../../../ui/failure-note.tsx'
import { codedFailure } from '../../../ui/failure.ts'
import { clearJobInput, useJobInput } from '../../../ui/jobs/job-input.ts'
import { JobList } from '../../../ui/jobs/job-list.tsx'
import { useGivenFile, type AttachedPicture } from '../../../ui/jobs/use-given-file.ts'
import { useJobList } from '../../../ui/jobs/use-job-list.ts'
import { ImageCard } from './image-card.tsx'
import { draftOf, setDraft, useImageDraft } from './image-draft.ts'
import { ImageForm } from './image-form.tsx'
import styles from './images.module.css'
import { LookDialog } from './look-dialog.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'

const kinds = ['image'] as const
/** Specification, Limits. The core checks the bytes again. */
const MOST_SIDE = 16_384

/** All images in a grid, and the prompt bar below the grid, which stays in view. */
export function ImagesTab() {
  const { data: models, failure, refresh: again } = useJobModels('image')
  const fileInput = useGivenFile({ check: tooLarge, accept: fitting })
  const list = useJobList(kinds)
  const againBoth = () => {
    list.again()
    again()
  }
  const isOneFailure = failure !== undefined && failure.code === list.failure?.code
  const form = useRef<HTMLDivElement>(null)
  const toForm = () => {
    form.current?.scrollIntoView({ block: 'end' })
    form.current?.querySelector<HTMLElement>('textarea, select')?.focus()
  }
  const reuse = (job: Job) => {
    const draft = draftOf(job, models ?? [])
    if (!draft) return
    setDraft(draft)
    const source = job.files.find(({ role }) => role === 'given')
    if (source)
      fileInput.use({ jobId: job.id, index: source.index }, source.name, attachedTo(job, source.name))
    toForm()
  }
  const change = (job: Job, file: JobFile) => {
    const { task } = useImageDraft.getState()
    setDraft(task === 'generate' ? { task: 'edit' } : {})
    fileInput.use({ jobId: job.id, index: file.index }, file.name)
    toForm()
  }
  const handed = useJobInput('images')
  const { attach } = fileInput
  useEffect(() => {
    if (!handed) return
    const { text, picture, from } = handed
    clearJobInput(handed)
    if (text !== undefined) setDraft({ prompt: text, from })
    if (!picture) return
    if (useImageDraft.getState().task === 'generate') setDraft({ task: 'edit' })
    attach(picture)
  }, [handed, attach])
  return (
    <div className={styles.tab}>
      <div className={styles.gallery}>
        <JobList
          label={t`Images`}
          list={isOneFailure ? { ...list, again: againBoth } : list}
          nothing={{ icon: Image, title: t`No images yet` }}
          grid
        >
          {(job) => <ImageCard job={job} onReuse={reuse} onChange={change} />}
        </JobList>
      </div>
      <div className={styles.ask} ref={form}>
        {failure && !isOneFailure && <FailureNote failure={failure} onRetry={again} />}
        {!models && !failure && <Skeleton label={t`Loading models…`} />}
        {(models ?? failure) && (
          <ImageForm
            models={models ?? []}
            listed={models !== undefined}
            fileInput={fileInput}
            onStarted={fileInput.usedBy}
          />
        )}
      </div>
      <LookDialog />
    </div>
  )
}

/** The private picture that a job was created from stays private in a repeated request. */
function attachedTo({ ask }: Job, name: string): AttachedPicture | undefined {
  if (ask.kind !== 'image' || ask.from?.attachmentId === undefined) return undefined
  const { conversationId, attachmentId } = ask.from
  return { conversationId, attachmentId, name, privateOnly: true }
}

function tooLarge({ size }: File): Failure | undefined {
  return size > MAX_PICTURE_BYTES ? codedFailure('studio/file-too-large') : undefined
}

function fitting({ type, width, height }: Upload): Failure | undefined {
  if (!['image/jpeg', 'image/png', 'image/webp'].includes(type)) return codedFailure('studio/image-type')
  if (width === undefined || height === undefined) return codedFailure('studio/image-malformed')
  return Math.max(width, height) > MOST_SIDE ? codedFailure('studio/image-too-large') : undefined
}
