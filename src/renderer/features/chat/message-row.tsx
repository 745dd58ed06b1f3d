import { memo, useEffect, useState } from 'react'
import type { Message } from '../../../shared/conversation.ts'
import { Button } from '../../ui/button.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { FailureNote } from '../../ui/failure-note.tsx'
import { codedFailure } from '../../ui/failure.ts'
import { formatUsd } from '../../ui/format/money.ts'
import { formatLatency } from '../../ui/format/time.ts'
import { Moment } from '../../ui/moment.tsx'
import { PrivacyMark } from '../../ui/privacy-mark.tsx'
import { fetchReceipt, openReceipt, useReceipts } from '../../ui/receipt-store.ts'
import { go } from '../../ui/route.ts'
import { AnswerBody } from './answer-body.tsx'
import { useChat, type Live } from './chat-store.ts'
import styles from './message-row.module.css'

interface RowProps {
  message: Message
  live: Live | undefined
  /** Asks again what this answer was to answer. */
  onRetry: (answerId: string) => void
}

export const MessageRow = memo(function MessageRow({ message, live, onRetry }: RowProps) {
  if (message.role === 'user') return <Question message={message} />
  return <Answer message={message} live={live} onRetry={onRetry} />
})

/** Characters from which a question is shown folded: pasted logs and files would bury the answers. */
const LONG = 3000

function Question({ message }: { message: Message }) {
  const long = message.text.length > LONG
  const [folded, setFolded] = useState(long)
  return (
    <article className={styles.question} aria-label="You">
      <p className={styles.asked} data-folded={folded}>{message.text}</p>
      {long && <Button kind="plain" className={styles.unfold} aria-expanded={!folded} onClick={() => setFolded(!folded)}>{folded ? 'Show all of it' : 'Show less'}</Button>}
      <footer className={styles.foot}>
        <span>You, <Moment at={message.createdAt} /></span>
        <CopyButton label="Copy message" text={() => message.text} />
      </footer>
    </article>
  )
}

function Answer({ message, live, onRetry }: RowProps) {
  const name = useChat((state) => state.models?.find(({ id }) => id === message.model)?.name ?? message.model ?? 'Answer')
  return (
    <article className={styles.answer} aria-label={`Answer of ${name}`} aria-busy={live !== undefined}>
      <header className={styles.head}>
        <span className={styles.model}>{name}</span>
        {message.privacy && !live && <MarkButton message={message} />}
      </header>
      <AnswerBody message={message} live={live?.answer} />
      {!live && <Ending message={message} onRetry={onRetry} />}
      {!live && <Foot message={message} />}
    </article>
  )
}

function MarkButton({ message }: { message: Message }) {
  if (!message.privacy) return null
  const { receiptId } = message
  if (receiptId === undefined) return <PrivacyMark privacy={message.privacy} />
  return (
    <button type="button" className={styles.mark} onClick={() => openReceipt(receiptId)} title="Open the receipt">
      <PrivacyMark privacy={message.privacy} />
      <span className={styles.receipt}>Receipt</span>
    </button>
  )
}

/** How an answer that is not complete ended, what to do, and a way to do it. */
function Ending({ message, onRetry }: { message: Message; onRetry: (answerId: string) => void }) {
  const known = useChat((state) => state.endings[message.id])
  const again = <Button onClick={() => onRetry(message.id)}>Send again</Button>
  switch (message.state) {
    case 'complete':
      return null
    case 'streaming':
      return <p className={styles.elsewhere} role="note">This answer is being written elsewhere.</p>
    case 'cancelled':
      return <div className={styles.stopped}><span>{message.text === '' ? 'Stopped before the first word.' : 'Stopped here.'}</span>{again}</div>
    case 'interrupted':
    case 'failed': {
      const failure = known ?? codedFailure(message.errorCode ?? 'service/interrupted')
      const refused = message.privacy === 'refused'
      return (
        <FailureNote failure={failure} refused={refused} kept>
          {again}
          {refused && <Button onClick={() => go({ room: 'privacy' })}>See the proof</Button>}
        </FailureNote>
      )
    }
  }
}

function Foot({ message }: { message: Message }) {
  const { receiptId } = message
  const receipt = useReceipts((state) => (receiptId === undefined ? undefined : state.receipts[receiptId]))
  useEffect(() => {
    if (receiptId !== undefined) void fetchReceipt(receiptId)
  }, [receiptId])
  return (
    <footer className={styles.foot}>
      <span>
        <Moment at={message.createdAt} />
        {receipt && message.privacy !== 'refused' && <>, {receipt.cost === undefined ? 'cost not reported' : formatUsd(receipt.cost)}</>}
        {receipt?.firstByteMs !== undefined && <>, first byte after {formatLatency(receipt.firstByteMs)}</>}
      </span>
      {message.text !== '' && <CopyButton label="Copy answer" text={() => message.text} />}
    </footer>
  )
}
