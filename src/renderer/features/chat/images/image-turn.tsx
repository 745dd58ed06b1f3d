import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Paperclip, RefreshCw, Save } from 'lucide-react'
import { useState } from 'react'
import { hasEnded } from '../../../../shared/job-state.ts'
import type { Job, JobFile } from '../../../../shared/job.ts'
import { useJobModels } from '../../../data/listings.ts'
import { ServiceScope } from '../../../data/service-scope.tsx'
import { useAnswer } from '../../../data/use-answer.ts'
import { announce } from '../../../ui/announcer.tsx'
import { api, linkedBytes } from '../../../ui/api.ts'
import { Button, IconButton } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { FailureNote } from '../../../ui/failure-note.tsx'
import { JobCompare } from '../../../ui/jobs/job-compare.tsx'
import { JobMedia } from '../../../ui/jobs/job-media.tsx'
import { JobProgress } from '../../../ui/jobs/job-progress.tsx'
import { stateWords, titleOf } from '../../../ui/jobs/job-words.ts'
import { showJob, useFollowedJobs, useJobs } from '../../../ui/jobs/jobs-store.ts'
import { costSentence } from '../../../ui/jobs/price-words.ts'
import { saveJobFile } from '../../../ui/jobs/save-job-file.ts'
import { useLanguage } from '../../../ui/language/language.ts'
import { Moment } from '../../../ui/moment.tsx'
import { addressOf } from '../../../ui/route.ts'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { useAction } from '../../../ui/use-action.ts'
import { attachFiles } from '../attachments/attached-store.ts'
import { BranchSwitch } from '../branch-switch.tsx'
import { useChat } from '../chat-store.ts'
import { createAgain } from '../conversation-dialogs.tsx'
import { AnswerPrivacy } from '../message-privacy.tsx'
import { Further, type RowProps } from '../message-row.tsx'
import rowStyles from '../message-row.module.css'
import styles from './image-turn.module.css'

/** An image that was created in the chat, in the place of a reply. Its job has the state, the cost and the file. */
export function ImageTurn(props: RowProps) {
  useLanguage()
  return (
    <ServiceScope>
      <NamedTurn {...props} />
    </ServiceScope>
  )
}

function NamedTurn(props: RowProps) {
  const { id, model, jobId = '' } = props.message
  const { data: models } = useJobModels('image')
  const name = models?.find((listed) => listed.id === model)?.name ?? model ?? t`Reply`
  return (
    <article className={rowStyles.answer} aria-label={t`Reply from ${name}`} data-message={id}>
      <ImageOfJob {...props} jobId={jobId} name={name} />
    </article>
  )
}

type TurnProps = RowProps & {
  jobId: string
  /** Of the model. */
  name: string
}

function ImageOfJob({ jobId, ...props }: TurnProps) {
  const followed = useJobs()[jobId]
  const { data, failure, refresh } = useAnswer({
    key: ['studio.get', jobId],
    ask: ({ signal }) => api.studio.get({ jobId }, { signal }),
  })
  // The later of the two, because an answer and the stream of changes can come in either order.
  const job = followed && data && data.changedAt > followed.changedAt ? data : (followed ?? data)
  if (failure?.code === 'studio/unknown')
    return (
      <>
        <div className={styles.deleted} role="note">
          <span>
            <Trans>This image was deleted.</Trans>
          </span>
          <Button onClick={() => retryPrompt(props.message)}>
            <Trans>Create another</Trans>
          </Button>
        </div>
        <Foot {...props} job={undefined} image={undefined} />
      </>
    )
  if (!job)
    return failure ? (
      <FailureNote failure={failure} isSaved onRetry={refresh} />
    ) : (
      <Skeleton label={t`Loading…`} />
    )
  const images = job.files.filter(({ role }) => role === 'made')
  return (
    <>
      {!hasEnded(job.state) && <Progress job={job} />}
      {images.length > 0 && (
        <ul className={styles.images}>
          {images.map((file) => (
            <li key={file.index}>
              <ShownImage job={job} file={file} />
            </li>
          ))}
        </ul>
      )}
      {hasEnded(job.state) && images.length === 0 && <NoImage job={job} />}
      <Foot {...props} job={job} image={images[0]} />
    </>
  )
}

function Progress({ job }: { job: Job }) {
  useFollowedJobs()
  const [waits, setWaits] = useState(true)
  const { id: jobId, may, state } = job
  const { means } = stateWords[state]
  const stop = useAction(async () => {
    await showJob(api.studio.stop({ jobId }))
    announce(t`Stopped`)
  })
  if (!waits)
    return (
      <p className={styles.note} role="status">
        <Trans>
          You stopped waiting. The service may still finish this image and charge for it. It then appears here
          and in <a href={addressOf({ view: 'studio', part: 'images' })}>Studio</a>.
        </Trans>
      </p>
    )
  return (
    <div className={styles.progress} role="status">
      <JobProgress job={job} />
      {means !== undefined && <p className={styles.note}>{means}</p>}
      {stop.failure && <FailureNote failure={stop.failure} />}
      {may.includes('stop') ? (
        <Button onClick={() => void stop.run()} busy={stop.busy && t`Stopping…`}>
          <Trans>Stop</Trans>
        </Button>
      ) : (
        // The service can't take back an image that was sent.
        <Button onClick={() => setWaits(false)}>
          <Trans>Stop waiting</Trans>
        </Button>
      )}
    </div>
  )
}

/** Why there is no image. It may have been charged. */
function NoImage({ job }: { job: Job }) {
  const { state, failure, may } = job
  const { name, means } = stateWords[state]
  return (
    <>
      {failure ? (
        <FailureNote failure={failure} isSaved />
      ) : (
        <p className={styles.note} role="note">
          {means ?? name}
        </p>
      )}
      {may.includes('compare') && <JobCompare jobId={job.id} />}
    </>
  )
}

function ShownImage({ job, file }: { job: Job; file: JobFile }) {
  const [viewed, setViewed] = useState(false)
  const name = titleOf(job)
  return (
    <>
      <button
        type="button"
        className={styles.view}
        onClick={() => setViewed(true)}
        aria-label={t`View ${name}`}
      >
        <JobMedia job={job} file={file} alt={name} />
      </button>
      <Dialog open={viewed} onClose={() => setViewed(false)} title={name} wide>
        <div className={styles.large}>
          <JobMedia job={job} file={file} alt={name} />
        </div>
      </Dialog>
    </>
  )
}

type FootProps = Omit<TurnProps, 'jobId'> & {
  /** Undefined if it was deleted. */
  job: Job | undefined
  image: JobFile | undefined
}

function Foot({ message, at, of, last, name, job, image }: FootProps) {
  const cost = job && costSentence(job)
  const { createdAt } = message
  return (
    <footer className={rowStyles.foot} data-quiet={!last}>
      {of > 1 && <BranchSwitch message={message} at={at} of={of} />}
      {job && image && <ImageActions job={job} image={image} draft={message.conversationId} />}
      {job && hasEnded(job.state) && (
        <IconButton label={t`Create another`} onClick={() => retryPrompt(message)}>
          <RefreshCw size={15} strokeWidth={1.75} aria-hidden />
        </IconButton>
      )}
      <Further message={message} />
      <span className={rowStyles.privacy} data-always="">
        <AnswerPrivacy
          message={job?.receiptId === undefined ? message : { ...message, receiptId: job.receiptId }}
        />
      </span>
      <span className={rowStyles.facts}>
        {name}, <Moment at={createdAt} />
        {cost !== undefined && <span data-testid="job-cost">, {cost}</span>}
      </span>
    </footer>
  )
}

function retryPrompt({ conversationId, parentId, model }: RowProps['message']): void {
  const question = useChat.getState().threads[conversationId]?.messages?.find(({ id }) => id === parentId)
  if (question) createAgain({ question, model })
}

function ImageActions({ job, image, draft }: { job: Job; image: JobFile; draft: string }) {
  const save = useAction(() => saveJobFile(job, image))
  const attach = useAction(async () => {
    const { path } = await api.studio.link({ jobId: job.id, index: image.index })
    const bytes = await linkedBytes(path, AbortSignal.timeout(60_000))
    await attachFiles(draft, [new File([bytes], image.name, { type: image.type })])
  })
  const failure = save.failure ?? attach.failure
  return (
    <>
      {failure && <FailureNote failure={failure} />}
      <IconButton label={t`Save file`} onClick={() => void save.run()} aria-busy={save.busy}>
        <Save size={15} strokeWidth={1.75} aria-hidden />
      </IconButton>
      <IconButton label={t`Attach to message`} onClick={() => void attach.run()} aria-busy={attach.busy}>
        <Paperclip size={15} strokeWidth={1.75} aria-hidden />
      </IconButton>
    </>
  )
}
