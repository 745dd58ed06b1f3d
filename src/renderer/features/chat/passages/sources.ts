import { useMemo } from 'react'
import type { Message } from '../../../../shared/conversation.ts'
import { pathTo, treeOf } from '../../../../shared/conversation-tree.ts'
import type { Passage } from '../../../../shared/knowledge.ts'
import { useChat } from '../chat-store.ts'
import { showPassage } from './passage-store.ts'

const none: readonly Passage[] = []

/**
 * The passages that a reply may cite: those of its question, or else of the last question before it that took some along. A model
 * still reads earlier ones.
 */
export function sourcesOf(messages: readonly Message[], messageId: string): readonly Passage[] {
  if (!messages.some(({ passages }) => passages !== undefined)) return none
  return (
    pathTo(treeOf(messages), messageId).findLast(({ passages }) => passages !== undefined)?.passages ?? none
  )
}

/** The passages that a message of the open chat may cite. */
export function useSources({
  id,
  conversationId,
}: Pick<Message, 'id' | 'conversationId'>): readonly Passage[] {
  const messages = useChat((state) => state.threads[conversationId]?.messages)
  return useMemo(() => sourcesOf(messages ?? [], id), [messages, id])
}

/** Opens the passage that a mark within a reply names. The mark is text of the model, so it may name none. */
export function showCited({ target }: Pick<Event, 'target'>, messages: readonly Message[], id: string): void {
  const mark = target instanceof Element ? target.closest('[data-source]')?.getAttribute('data-source') : null
  if (mark === null || mark === undefined) return
  const [passages, index] = [sourcesOf(messages, id), Number(mark) - 1]
  if (passages[index]) showPassage({ passages, index })
}
