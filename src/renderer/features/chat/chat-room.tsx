import { useEffect, type KeyboardEvent } from 'react'
import type { Message } from '../../../shared/conversation.ts'
import { Button } from '../../ui/button.tsx'
import { FailureNote } from '../../ui/failure-note.tsx'
import { useStatus } from '../../ui/status-store.ts'
import styles from './chat-room.module.css'
import { loadThread, useChat } from './chat-store.ts'
import { Composer } from './composer.tsx'
import { followElsewhere, stopAnswer } from './send.ts'
import { Thread } from './thread.tsx'

const none: readonly Message[] = []

export function ChatRoom({ conversationId }: { conversationId: string | undefined }) {
  const conversation = useChat((state) => (conversationId === undefined ? undefined : state.conversations?.find(({ id }) => id === conversationId)))
  const thread = useChat((state) => (conversationId === undefined ? undefined : state.threads[conversationId]))
  useMessages(conversationId)
  const pressed = (event: KeyboardEvent) => {
    if (event.key === 'Escape' && !event.defaultPrevented && conversationId !== undefined) stopAnswer(conversationId)
  }
  if (conversationId === undefined) {
    return (
      <div className={styles.room} onKeyDown={pressed}>
        <Beginning />
        <Composer conversation={undefined} messages={none} />
      </div>
    )
  }
  return (
    <div className={styles.room} onKeyDown={pressed}>
      <header className={styles.head}><h1>{conversation?.title ?? 'Conversation'}</h1></header>
      {thread?.messages && <Thread key={conversationId} conversationId={conversationId} messages={thread.messages} />}
      {!thread?.messages && !thread?.failure && <p className={styles.opening} role="status">Opening the conversation…</p>}
      {thread?.failure && (
        <div className={styles.failed}><FailureNote failure={thread.failure}><Button onClick={() => void loadThread(conversationId)}>Try again</Button></FailureNote></div>
      )}
      {conversation && <Composer conversation={conversation} messages={thread?.messages ?? none} />}
    </div>
  )
}

const ELSEWHERE_MS = 2000

/** Fetches the messages, and again while one of them is being written elsewhere. */
function useMessages(conversationId: string | undefined): void {
  const known = useChat((state) => conversationId !== undefined && state.threads[conversationId]?.messages !== undefined)
  const elsewhere = useChat(({ threads, live }) => conversationId !== undefined && !live[conversationId] && threads[conversationId]?.messages?.some(({ state }) => state === 'streaming') === true)
  useEffect(() => {
    if (conversationId !== undefined && !known) void loadThread(conversationId)
  }, [conversationId, known])
  useEffect(() => {
    if (conversationId === undefined || !elsewhere) return
    const timer = setInterval(() => void followElsewhere(conversationId), ELSEWHERE_MS)
    return () => clearInterval(timer)
  }, [conversationId, elsewhere])
}

function Beginning() {
  const sandbox = useStatus((state) => state.status?.service.kind === 'sandbox')
  return (
    <div className={styles.beginning}>
      <h1>New conversation</h1>
      <p>With a private model, what you write is sealed on this machine for an enclave that has first proven what it runs. If the proof fails, nothing is sent.</p>
      {sandbox && <p>This is the sandbox: its models are pretended and answer at once. To see a proof fail, turn on a fault in the fire drill of the Privacy room.</p>}
      <p className={styles.keys}><kbd>Enter</kbd> sends, <kbd>Shift</kbd> <kbd>Enter</kbd> begins a line, <kbd>Esc</kbd> stops an answer.</p>
    </div>
  )
}
