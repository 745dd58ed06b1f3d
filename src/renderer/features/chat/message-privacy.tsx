import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import type { Message } from '../../../shared/conversation.ts'
import type { Privacy } from '../../../shared/privacy.ts'
import { useLanguage } from '../../ui/language/language.ts'
import { PrivacyGlyph, PrivacyMark } from '../../ui/privacy-mark.tsx'
import { openReceipt } from '../../ui/receipt-store.ts'
import { useChat } from './chat-store.ts'
import styles from './message-privacy.module.css'
import { whoRead } from './who-read.ts'

const beside: Readonly<Record<Privacy, string>> = {
  get sealed() { return t`Private` },
  get relayed() { return t`Provider only` },
  get forwarded() { return t`Visible` },
  get refused() { return t`Blocked` },
}

/** Who could read a question by now, with the receipt that says so. */
export function QuestionPrivacy({ message: { id, conversationId } }: { message: Message }) {
  useLanguage()
  const read = useChat((state) => whoRead(state.threads[conversationId]?.messages, id))
  if (!read) return null
  const { privacy, receiptId } = read
  const said = <><PrivacyGlyph privacy={privacy} size={13} /><span>{beside[privacy]}</span></>
  if (receiptId === undefined) return <span className={styles.beside}>{said}</span>
  const words = beside[privacy]
  return <button type="button" className={styles.beside} aria-label={t`This message: ${words}. Open its receipt`} title={t`Open receipt`} onClick={() => openReceipt(receiptId)}>{said}</button>
}

/** What became of an answer, with its receipt; and whether the service could read it later. */
export function AnswerPrivacy({ message }: { message: Message }) {
  useLanguage()
  const later = useChat((state) => (message.privacy === 'sealed' ? whoRead(state.threads[message.conversationId]?.messages, message.id) : undefined))
  if (!message.privacy) return null
  const { receiptId } = message
  return (
    <>
      {receiptId === undefined
        ? <span className={styles.mark}><PrivacyMark privacy={message.privacy} />{message.state === 'interrupted' && <span className={styles.none}><Trans>No receipt: Sotto quit before writing one</Trans></span>}</span>
        : (
            <button type="button" className={styles.mark} onClick={() => openReceipt(receiptId)} title={t`Open receipt`}>
              <PrivacyMark privacy={message.privacy} />
              <span className={styles.receipt}><Trans>Receipt</Trans></span>
            </button>
          )}
      {later?.privacy === 'forwarded' && later.receiptId !== undefined && <SentOn receiptId={later.receiptId} />}
    </>
  )
}

function SentOn({ receiptId }: { receiptId: string }) {
  return (
    <button type="button" className={styles.beside} aria-label={t`Became visible later. Open that receipt`} onClick={() => openReceipt(receiptId)}>
      <PrivacyGlyph privacy="forwarded" size={13} />
      <span><Trans>Became visible later</Trans></span>
    </button>
  )
}

/** In the place of a message whose record does not open. */
export function DamagedMessage() {
  useLanguage()
  return (
    <article className={styles.damaged} aria-label={t`Damaged message`}>
      <p><Trans>This message can’t be read: its record on disk is damaged. It was left unchanged, and other messages aren’t affected. A backup may have it.</Trans></p>
      <p><code>store/damaged</code></p>
    </article>
  )
}
