import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useState } from 'react'
import type { Conversation } from '../../../../shared/conversation.ts'
import { isPrivateOnly } from '../../../../shared/conversation-tree.ts'
import type { JobAsk } from '../../../../shared/job-ask.ts'
import type { Job } from '../../../../shared/job.ts'
import { useJobModels } from '../../../data/listings.ts'
import { ServiceScope } from '../../../data/service-scope.tsx'
import { api, linkedBytes } from '../../../ui/api.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog, DialogActions } from '../../../ui/dialog.tsx'
import { FailureNote } from '../../../ui/failure-note.tsx'
import { AskLine } from '../../../ui/jobs/ask-line.tsx'
import { tasksOf } from '../../../ui/jobs/image-models.ts'
import { JobMedia } from '../../../ui/jobs/job-media.tsx'
import { JobProgress } from '../../../ui/jobs/job-progress.tsx'
import { hasEnded, stateWords } from '../../../ui/jobs/job-words.ts'
import { useFollowedJobs, useJobs } from '../../../ui/jobs/jobs-store.ts'
import { SelectField } from '../../../ui/select.tsx'
import { TextAreaField } from '../../../ui/text-area-field.tsx'
import { useAction } from '../../../ui/use-action.ts'
import { attachFiles } from '../attachments/attached-store.ts'
import { NEW, useChat } from '../chat-store.ts'
import styles from './image-dialog.module.css'

const MAX_PROMPT = 100_000

interface ImageDialogProps {
  conversation: Conversation | undefined
  close: () => void
}

/** Creates an image with the studio's price, consent and payment, and attaches it to the message that is being written. */
export function ImageDialog({ conversation, close }: ImageDialogProps) {
  const [jobId, setJobId] = useState<string>()
  return (
    <Dialog open onClose={close} title={t`Create image`} persistent>
      <ServiceScope>
        {jobId === undefined ? (
          <ImageRequest conversation={conversation} onStarted={({ id }) => setJobId(id)} />
        ) : (
          <CreatedImage
            jobId={jobId}
            draft={conversation?.id ?? NEW}
            close={close}
            again={() => setJobId(undefined)}
          />
        )}
      </ServiceScope>
    </Dialog>
  )
}

function ImageRequest({
  conversation,
  onStarted,
}: {
  conversation: Conversation | undefined
  onStarted: (job: Job) => void
}) {
  const draft = useChat(({ drafts }) => drafts[conversation?.id ?? NEW] ?? '')
  const messages = useChat(({ threads }) => threads[conversation?.id ?? NEW]?.messages)
  const { data: models = [], failure, refresh } = useJobModels('image')
  const [prompt, setPrompt] = useState(draft.slice(0, MAX_PROMPT))
  const [picked, setPicked] = useState<string>()
  const fitting = models.filter((each) => tasksOf(each).includes('generate'))
  const model = picked ?? fitting[0]?.id
  // Whatever the person writes in a private chat counts as content of that chat.
  const isPrivate = isPrivateOnly(conversation, messages ?? [])
  const ask: JobAsk | undefined =
    model === undefined || prompt.trim() === ''
      ? undefined
      : {
          kind: 'image',
          model,
          prompt: prompt.trim(),
          ...(conversation && isPrivate && { from: { conversationId: conversation.id } }),
        }
  return (
    <div className={styles.request}>
      <TextAreaField
        label={t`Prompt`}
        rows={3}
        maxLength={MAX_PROMPT}
        value={prompt}
        onChange={(event) => setPrompt(event.target.value)}
        spellCheck
        autoCapitalize="sentences"
      />
      {fitting.length > 0 && (
        <SelectField label={t`Model`} value={model} onChange={(event) => setPicked(event.target.value)}>
          {fitting.map(({ id, name }) => (
            <option key={id} value={id}>
              {name === id ? id : `${name} (${id})`}
            </option>
          ))}
        </SelectField>
      )}
      {failure && (
        <FailureNote failure={failure}>
          <Button onClick={refresh}>
            <Trans>Try again</Trans>
          </Button>
        </FailureNote>
      )}
      <AskLine
        ask={ask}
        missing={prompt.trim() === '' ? t`Enter a prompt to see the price.` : undefined}
        single={false}
        send={t`Generate`}
        onStarted={onStarted}
      />
    </div>
  )
}

interface CreatedImageProps {
  jobId: string
  /** The draft that the image is attached to. */
  draft: string
  close: () => void
  again: () => void
}

function CreatedImage({ jobId, draft, close, again }: CreatedImageProps) {
  useFollowedJobs()
  const job = useJobs()[jobId]
  const image = job?.files.find(({ role }) => role === 'made')
  const attaching = useAction(async () => {
    if (!image) return
    const { path } = await api.studio.link({ jobId, index: image.index })
    const bytes = await linkedBytes(path, AbortSignal.timeout(60_000))
    close()
    await attachFiles(draft, [new File([bytes], image.name, { type: image.type })])
  })
  if (!job) return null
  return (
    <div className={styles.request}>
      {image && <JobMedia job={job} file={image} />}
      {!image && !hasEnded(job.state) && <JobProgress job={job} />}
      {!image && hasEnded(job.state) && !job.failure && <p role="status">{stateWords[job.state].name}</p>}
      {job.failure && <FailureNote failure={job.failure} />}
      {attaching.failure && <FailureNote failure={attaching.failure} />}
      <p className={styles.note}>
        <Trans>You also find this image in Studio.</Trans>
      </p>
      <DialogActions>
        {hasEnded(job.state) && (
          <Button onClick={again}>
            <Trans>Create another</Trans>
          </Button>
        )}
        <Button
          kind="primary"
          onClick={() => void attaching.run()}
          waits={!image}
          busy={attaching.busy && t`Attaching…`}
        >
          <Trans>Attach to message</Trans>
        </Button>
      </DialogActions>
    </div>
  )
}
