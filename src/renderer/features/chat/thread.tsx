import { ArrowDown } from 'lucide-react'
import { useCallback, useEffect } from 'react'
import { Virtualizer } from 'virtua'
import type { Message } from '../../../shared/conversation.ts'
import { useChat } from './chat-store.ts'
import { MessageRow } from './message-row.tsx'
import { send } from './send.ts'
import styles from './thread.module.css'
import { useFollow } from './use-follow.ts'

/** Rows that are kept beyond what is in view, in pixels: enough for a few screens of search and marking. */
const BUFFER = 1200

/** The messages of one conversation; only those near the view are in the page. */
export function Thread({ conversationId, messages }: { conversationId: string; messages: readonly Message[] }) {
  const live = useChat((state) => state.live[conversationId])
  const { scroller, content, away, toEnd } = useFollow()

  // Whoever sends wants to see the answer.
  const answerId = live?.answerId
  useEffect(() => {
    if (answerId !== undefined) toEnd()
  }, [answerId, toEnd])

  const retry = useCallback((id: string) => {
    const thread = useChat.getState().threads[conversationId]?.messages ?? []
    const answer = thread.findIndex((message) => message.id === id)
    const question = thread.slice(0, answer).findLast(({ role }) => role === 'user')
    const model = useChat.getState().picked[conversationId] ?? thread[answer]?.model
    if (question && model !== undefined) void send({ conversationId, model, text: question.text })
  }, [conversationId])

  return (
    <div className={styles.frame}>
      <div className={styles.scroller} ref={scroller} tabIndex={0} role="region" aria-label="Messages">
        <div className={styles.content} ref={content}>
          <Virtualizer scrollRef={scroller} bufferSize={BUFFER} data={messages}>
            {(message) => <MessageRow key={message.id} message={message} live={live?.answerId === message.id ? live : undefined} onRetry={retry} />}
          </Virtualizer>
        </div>
      </div>
      {away && (
        <button type="button" className={styles.end} onClick={toEnd}>
          <ArrowDown size={15} strokeWidth={1.75} aria-hidden />
          {live ? 'Follow the answer' : 'To the end'}
        </button>
      )}
    </div>
  )
}
