import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import type { Message } from '../../../shared/conversation.ts'
import type { Privacy } from '../../../shared/privacy.ts'
import { useLanguage } from '../../ui/language/language.ts'
import { PrivacyGlyph, PrivacyMark, privacyWord } from '../../ui/privacy-mark.tsx'
import { showReceipt, useReceipts } from '../../ui/receipt-store.ts'
import { useChat } from './chat-store.ts'
import styles from './message-privacy.module.css'
import { whoRead } from './who-read.ts'

/** Who could read a question up to now, with the receipt that records it. */
export function QuestionPrivacy({ message: { id, conversationId } }: { message: Message }) {
  useLanguage()
  const read = useChat((state) => whoRead(state.threads[conversationId]?.messages, id))
  if (!read) return null
  const { privacy, receiptId } = read
  const content = (
    <>
      <PrivacyGlyph privacy={privacy} size={13} />
      <span>{privacyWord[privacy]}</span>
    </>
  )
  if (receiptId === undefined) return <span className={styles.beside}>{content}</span>
  const label = privacyWord[privacy]
  return (
    <button
      type="button"
      className={styles.beside}
      aria-label={t`This message: ${label}. Open its receipt`}
      title={t`Open receipt`}
      onClick={() => showReceipt(receiptId)}
    >
      {content}
    </button>
  )
}

/** The privacy of a reply with its receipt, and whether the service or a provider could read it later. */
export function AnswerPrivacy({ message }: { message: Message }) {
  useLanguage()
  const later = useChat((state) =>
    message.privacy === 'sealed' || message.privacy === 'relayed'
      ? whoRead(state.threads[message.conversationId]?.messages, message.id)
      : undefined,
  )
  const { receiptId } = message
  const routing = useReceipts(({ receipts }) =>
    receiptId === undefined || message.privacy !== 'relayed' ? undefined : receipts[receiptId]?.routing,
  )
  // An unsigned receipt is only the service's claim. The receipt's dialog states that; this line has no room for that.
  const provider = routing?.state === 'verified' ? routing.provider : undefined
  if (!message.privacy) return null
  return (
    <>
      {receiptId === undefined ? (
        <span className={styles.mark}>
          <PrivacyMark privacy={message.privacy} />
          {message.state === 'interrupted' && (
            <span className={styles.none}>
              <Trans>No receipt: Sotto quit before writing one</Trans>
            </span>
          )}
        </span>
      ) : (
        <ReceiptMark privacy={message.privacy} receiptId={receiptId}>
          {provider !== undefined && <span className={styles.none}>{provider}</span>}
        </ReceiptMark>
      )}
      {(later?.privacy === 'forwarded' || (later?.privacy === 'relayed' && message.privacy === 'sealed')) &&
        later.receiptId !== undefined && <SentOn privacy={later.privacy} receiptId={later.receiptId} />}
    </>
  )
}

interface ReceiptMarkProps {
  privacy: Privacy
  receiptId: string
  children?: ReactNode
}

/** The privacy of a reply, which opens its receipt. */
export function ReceiptMark({ privacy, receiptId, children }: ReceiptMarkProps) {
  return (
    <button
      type="button"
      className={styles.mark}
      title={t`Open receipt`}
      onClick={() => showReceipt(receiptId)}
    >
      <PrivacyMark privacy={privacy} />
      {children}
      <span className={styles.receipt}>
        <Trans>Receipt</Trans>
      </span>
    </button>
  )
}

function SentOn({ privacy, receiptId }: { privacy: 'relayed' | 'forwarded'; receiptId: string }) {
  return (
    <button
      type="button"
      className={styles.beside}
      aria-label={
        privacy === 'relayed'
          ? t`A provider could read it later. Open that receipt`
          : t`Became visible later. Open that receipt`
      }
      onClick={() => showReceipt(receiptId)}
    >
      <PrivacyGlyph privacy={privacy} size={13} />
      <span>{privacy === 'relayed' ? t`A provider could read it later` : t`Became visible later`}</span>
    </button>
  )
}

/** Shown in the place of a message whose record can't be decrypted. */
export function DamagedMessage() {
  useLanguage()
  return (
    <article className={styles.damaged} aria-label={t`Damaged message`}>
      <p>
        <Trans>
          This message can’t be read: its record on disk is damaged. It was left unchanged, and other messages
          aren’t affected. A backup may have it.
        </Trans>
      </p>
      <details>
        <summary>
          <Trans>Details</Trans>
        </summary>
        <code>store/damaged</code>
      </details>
    </article>
  )
}
