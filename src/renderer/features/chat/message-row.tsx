import { Pencil, RefreshCw, Split, Trash2, Volume2 } from 'lucide-react'
import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Fragment, memo, useEffect, useRef, type MouseEvent } from 'react'
import type { WebSearch } from '../../../shared/answer-parts.ts'
import type { Message } from '../../../shared/conversation.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { useLanguage } from '../../ui/language/language.ts'
import { lazyComponent } from '../../ui/lazy-component.tsx'
import { Moment } from '../../ui/moment.tsx'
import { fetchReceipt, useReceipts } from '../../ui/receipt-store.ts'
import { useDirect } from '../../ui/status-store.ts'
import { AnswerBody } from './answer-body.tsx'
import { answerFacts } from './answer-facts.ts'
import { BranchSwitch } from './branch-switch.tsx'
import { answerAgain, fork } from './branches.ts'
import { beginEdit, setEdit, setUnfolded, useChat, type Live } from './chat-store.ts'
import { Ending } from './ending.tsx'
import { AnswerPrivacy, DamagedMessage, QuestionPrivacy } from './message-privacy.tsx'
import styles from './message-row.module.css'
import { useFind } from './find/find-store.ts'
import { showCited } from './passages/sources.ts'
import { QuestionEditor } from './question-editor.tsx'
import { removeMessage } from './removal.ts'
import { hasLongWord } from './text-order.tsx'
import { splitThinking } from './thinking.ts'
import { UseInStudio } from './use-in-studio.tsx'
import { readAloud } from './voice/voice-store.ts'

/** For a question with files. */
const MessageFiles = lazyComponent(async () => (await import('./attachments/message-files.tsx')).MessageFiles)

/** For an image that was created in the chat. */
const ImageTurn = lazyComponent(async () => (await import('./images/image-turn.tsx')).ImageTurn)

/** For a question with passages of the project's files. */
const SentPassages = lazyComponent(async () => (await import('./attachments/message-files.tsx')).SentPassages)

export interface RowProps {
  message: Message
  /** The message's place among its siblings, from 0, and their number. */
  at: number
  of: number
  live: Live | undefined
  /** Whether it is the last message, whose actions are always shown. */
  last: boolean
}

export const MessageRow = memo(function MessageRow(props: RowProps) {
  useLanguage()
  if (props.message.damaged) return <DamagedMessage />
  if (props.message.jobId !== undefined && props.message.role === 'assistant') return <ImageTurn {...props} />
  return props.message.role === 'user' ? <Question {...props} /> : <Answer {...props} />
})

/** Opens the passage that a mark or a link of the message names. */
function showSource({ nativeEvent }: MouseEvent, { conversationId, id }: Message): void {
  showCited(nativeEvent, useChat.getState().threads[conversationId]?.messages ?? [], id)
}

/** Characters from which a question is shown folded: pasted logs and files would bury the answers. */
const LONG = 3000

function Question({ message, at, of, last }: RowProps) {
  const long = message.text.length > LONG
  const whole = useChat((state) => state.unfolded[message.id] === true)
  const found = useFind((state) => state.current?.messageId === message.id)
  const folded = long && !whole && !found
  const edited = useChat((state) => state.edits[message.id])
  const foot = useRef<HTMLElement>(null)
  const close = () => {
    setEdit(message.id, undefined)
    requestAnimationFrame(() => foot.current?.querySelector<HTMLElement>('[data-edit]')?.focus())
  }
  return (
    <article
      className={styles.question}
      aria-label={t`You`}
      data-message={message.id}
      onClick={(event) => showSource(event, message)}
    >
      {message.attachments && (
        <MessageFiles attachments={message.attachments} conversationId={message.conversationId} />
      )}
      {message.passages && <SentPassages passages={message.passages} />}
      {edited === undefined ? (
        message.text !== '' && (
          <p
            className={styles.asked}
            data-asked
            data-folded={folded}
            data-long-word={hasLongWord(message.text)}
            dir="auto"
          >
            {message.text}
          </p>
        )
      ) : (
        <QuestionEditor message={message} text={edited} onClose={close} />
      )}
      {long && edited === undefined && (
        <Button kind="link" aria-expanded={!folded} onClick={() => setUnfolded(message.id, folded)}>
          {folded ? t`Show more` : t`Show less`}
        </Button>
      )}
      {edited === undefined && (
        <footer className={styles.foot} ref={foot} data-quiet={!last}>
          <span>
            <Trans>
              You, <Moment at={message.createdAt} />
            </Trans>
          </span>
          <QuestionPrivacy message={message} />
          {message.webSearch && <span className={styles.searched}>{searchedWords(message.webSearch)}</span>}
          {of > 1 && <BranchSwitch message={message} at={at} of={of} />}
          <CopyButton label={t`Copy message`} text={() => message.text} />
          {message.jobId === undefined && (
            <IconButton label={t`Edit message`} data-edit onClick={() => beginEdit(message)}>
              <Pencil size={15} strokeWidth={1.75} aria-hidden />
            </IconButton>
          )}
          <Further message={message} />
        </footer>
      )}
    </article>
  )
}

function Answer({ message, at, of, live, last }: RowProps) {
  const name =
    useChat((state) => state.models?.find(({ id }) => id === message.model)?.name ?? message.model) ??
    t`Reply`
  return (
    <article
      className={styles.answer}
      aria-label={t`Reply from ${name}`}
      aria-busy={live !== undefined}
      data-message={message.id}
      onClick={(event) => showSource(event, message)}
    >
      <AnswerBody message={message} live={live?.answer} />
      {!live && <Ending message={message} last={last} />}
      {!live && <Foot message={message} at={at} of={of} name={name} last={last} />}
    </article>
  )
}

function searchedWords({ maxResults }: WebSearch): string {
  return plural(maxResults, { one: 'with web search, # result', other: 'with web search, # results' })
}

/** Further actions for a message, by name. */
export function Further({ message }: { message: Message }) {
  const asked = message.role === 'user'
  return (
    <>
      <IconButton
        label={asked ? t`Branch from this message` : t`Branch from this reply`}
        onClick={() => void fork(message.conversationId, message.id)}
      >
        <Split size={15} strokeWidth={1.75} aria-hidden />
      </IconButton>
      <IconButton
        label={asked ? t`Delete message` : t`Delete reply`}
        onClick={() => void removeMessage(message)}
      >
        <Trash2 size={15} strokeWidth={1.75} aria-hidden />
      </IconButton>
    </>
  )
}

/** The reply above as formatted text. */
async function richReply(foot: HTMLElement | null): Promise<string> {
  const { richText } = await import('./rich-copy.ts')
  const reply = foot?.closest('article')?.querySelector('[data-reply]')
  return reply ? richText(reply) : ''
}

function Foot({ message, at, of, name, last }: Omit<RowProps, 'live'> & { name: string }) {
  const { receiptId } = message
  // Speech and the studio need a service.
  const direct = useDirect()
  const foot = useRef<HTMLElement>(null)
  const receipt = useReceipts((state) => (receiptId === undefined ? undefined : state.receipts[receiptId]))
  useEffect(() => {
    if (receiptId !== undefined) void fetchReceipt(receiptId)
  }, [receiptId])
  const sealed = message.privacy === 'sealed'
  const readers = (
    <span className={styles.privacy} {...(!sealed && { 'data-always': '' })}>
      <AnswerPrivacy message={message} />
    </span>
  )
  return (
    <footer className={styles.foot} ref={foot} data-quiet={!last}>
      {/* Always shown, unless only the enclave could read the message. So they come before what appears on hover. */}
      {!sealed && readers}
      {of > 1 && <BranchSwitch message={message} at={at} of={of} />}
      {message.text !== '' && (
        <CopyButton
          label={t`Copy reply`}
          text={() => splitThinking(message.text).text}
          html={() => richReply(foot.current)}
        />
      )}
      {!direct && message.text !== '' && message.state !== 'streaming' && (
        <IconButton label={t`Read aloud`} data-read-aloud={message.id} onClick={() => readAloud(message)}>
          <Volume2 size={15} strokeWidth={1.75} aria-hidden />
        </IconButton>
      )}
      {!direct && message.text !== '' && message.state !== 'streaming' && <UseInStudio message={message} />}
      {message.state !== 'streaming' && (
        <>
          <IconButton label={t`Regenerate`} onClick={() => void answerAgain(message)}>
            <RefreshCw size={15} strokeWidth={1.75} aria-hidden />
          </IconButton>
          <Further message={message} />
        </>
      )}
      {sealed && readers}
      <span className={styles.facts}>
        <bdi>{name}</bdi>, <Moment at={message.createdAt} />
        {receipt &&
          message.privacy !== 'refused' &&
          answerFacts(receipt).map((fact) => (
            <Fragment key={fact}>
              , <bdi>{fact}</bdi>
            </Fragment>
          ))}
      </span>
    </footer>
  )
}
