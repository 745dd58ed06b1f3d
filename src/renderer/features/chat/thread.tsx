import { t } from '@lingui/core/macro'
import { ArrowDown } from 'lucide-react'
import { useEffect, useLayoutEffect, useRef } from 'react'
import { Virtualizer, type VirtualizerHandle } from 'virtua'
import type { ShownMessage } from '../../../shared/conversation-tree.ts'
import { useChat } from './chat-store.ts'
import { useJump } from './jump.ts'
import { MessageRow } from './message-row.tsx'
import styles from './thread.module.css'
import { useFollow } from './use-follow.ts'

/** Rows that are kept beyond what is in view, in pixels: enough for a few screens of search and marking. */
const BUFFER = 1200

/** The branch of a conversation that is shown; only the messages near the view are in the page. */
export function Thread({ conversationId, shown }: { conversationId: string; shown: readonly ShownMessage[] }) {
  const live = useChat((state) => state.live[conversationId])
  const { scroller, content, away, toEnd, stay } = useFollow()
  const list = useRef<VirtualizerHandle>(null)

  const jump = useJump((state) => state.to)
  const jumped = useRef(jump)
  useLayoutEffect(() => {
    const index = jump === undefined || jump === jumped.current ? -1 : shown.findIndex(({ message }) => message.id === jump.messageId)
    if (index < 0) return
    jumped.current = jump
    stay()
    list.current?.scrollToIndex(index, { align: 'nearest' })
  }, [jump, shown, stay])

  // Whoever sends wants to see the answer.
  const answerId = live?.at(-1)?.answerId
  useEffect(() => {
    if (answerId !== undefined) toEnd()
  }, [answerId, toEnd])

  return (
    <div className={styles.frame}>
      <div className={styles.scroller} ref={scroller} tabIndex={0} role="region" aria-label={t`Messages`}>
        <div className={styles.content} ref={content}>
          <Virtualizer ref={list} scrollRef={scroller} bufferSize={BUFFER} data={shown}>
            {({ message, at, of }) => <MessageRow key={message.id} message={message} at={at} of={of} live={live?.find(({ answerId: coming }) => coming === message.id)} />}
          </Virtualizer>
        </div>
      </div>
      {away && (
        <button type="button" className={styles.end} onClick={toEnd}>
          <ArrowDown size={15} strokeWidth={1.75} aria-hidden />
          {live ? t`Follow the answer` : t`To the end`}
        </button>
      )}
    </div>
  )
}
