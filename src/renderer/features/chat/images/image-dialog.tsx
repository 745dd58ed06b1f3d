import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useState } from 'react'
import type { Failure } from '../../../../shared/contract/sotto-contract.ts'
import type { Conversation } from '../../../../shared/conversation.ts'
import { isPrivateOnly } from '../../../../shared/conversation-tree.ts'
import type { JobAsk } from '../../../../shared/job-ask.ts'
import type { Job } from '../../../../shared/job.ts'
import { useJobModels } from '../../../data/listings.ts'
import { ServiceScope } from '../../../data/service-scope.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { FailureNote } from '../../../ui/failure-note.tsx'
import { AskLine } from '../../../ui/jobs/ask-line.tsx'
import { tasksOf } from '../../../ui/jobs/image-models.ts'
import { SelectField } from '../../../ui/select.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { TextAreaField } from '../../../ui/text-area-field.tsx'
import { useAction } from '../../../ui/use-action.ts'
import { NEW, useChat } from '../chat-store.ts'
import type { ImagePrompt } from '../conversation-dialogs.tsx'
import { addImage } from './add-image.ts'
import styles from './image-dialog.module.css'

const MAX_PROMPT = 100_000

interface ImageDialogProps {
  conversation: Conversation | undefined
  /** The prompt that gets another image. Absent: the draft is the prompt. */
  again?: ImagePrompt | undefined
  close: () => void
}

/** Creates an image with the studio's price, consent and payment, and shows it in the chat. */
export function ImageDialog({ conversation, again, close }: ImageDialogProps) {
  const [job, setJob] = useState<Job>()
  const adding = useAction(async (started: Job) => {
    await addImage(started, conversation, again)
    close()
  })
  const add = (started: Job) => {
    setJob(started)
    void adding.run(started)
  }
  return (
    <Dialog open onClose={close} title={t`Create image`} persistent>
      <ServiceScope>
        {job === undefined ? (
          <ImageRequest conversation={conversation} again={again} onStarted={add} />
        ) : (
          <NotAdded busy={adding.busy} failure={adding.failure} retry={() => add(job)} />
        )}
      </ServiceScope>
    </Dialog>
  )
}

/** The image was sent, and its chat isn't saved yet. */
function NotAdded({
  busy,
  failure,
  retry,
}: {
  busy: boolean
  failure: Failure | undefined
  retry: () => void
}) {
  if (busy || !failure) return <Skeleton label={t`Sending…`} />
  return (
    <div className={styles.request}>
      <FailureNote failure={failure} onRetry={retry} />
      <p className={styles.note}>
        <Trans>You also find this image in Studio.</Trans>
      </p>
    </div>
  )
}

function ImageRequest({
  conversation,
  again,
  onStarted,
}: Omit<ImageDialogProps, 'close'> & { onStarted: (job: Job) => void }) {
  const draft = useChat(({ drafts }) => drafts[conversation?.id ?? NEW] ?? '')
  const messages = useChat(({ threads }) => threads[conversation?.id ?? NEW]?.messages)
  const { data: models = [], failure, refresh } = useJobModels('image')
  const [prompt, setPrompt] = useState(again?.question.text ?? draft.slice(0, MAX_PROMPT))
  const [picked, setPicked] = useState(again?.model)
  const fitting = models.filter((each) => tasksOf(each).includes('generate'))
  // The model of an earlier image may no longer be listed.
  const model = fitting.some(({ id }) => id === picked) ? picked : fitting[0]?.id
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
      {failure && <FailureNote failure={failure} onRetry={refresh} />}
      <AskLine
        ask={ask}
        missing={prompt.trim() === '' ? t`Enter a prompt to see the price.` : undefined}
        single={false}
        send={t`Generate`}
        onStarted={onStarted}
      />
      <p className={styles.note}>
        <Trans>The image appears in this chat and in Studio.</Trans>
      </p>
    </div>
  )
}
