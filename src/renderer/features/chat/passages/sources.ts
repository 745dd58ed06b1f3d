import { useMemo } from 'react'
import { create } from 'zustand'
import type { Message } from '../../../../shared/conversation.ts'
import { pathTo, treeOf } from '../../../../shared/conversation-tree.ts'
import type { Passage } from '../../../../shared/knowledge.ts'
import { useChat } from '../chat-store.ts'

const none: readonly Passage[] = []

/** The passage next to the chat, among those that were sent with it. Another chat closes it. */
interface ShownPassage {
  readonly passages: readonly Passage[]
  /** From 0. */
  readonly index: number
}

export const usePassagePanel = create<{ readonly open: ShownPassage | undefined }>()(() => ({
  open: undefined,
}))

/** Shows a passage next to the chat, or hides it. */
export function showPassage(open: ShownPassage | undefined): void {
  usePassagePanel.setState({ open })
}

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

/**
 * Shows the passage that a mark in a reply names. The mark is text of the model, so it may name none.
 *
 * @param element within the reply
 * @param number from 1
 */
export function showCited(element: Element, number: number): void {
  const messageId = element.closest('[data-message]')?.getAttribute('data-message') ?? ''
  const { threads } = useChat.getState()
  const { messages } =
    Object.values(threads).find((thread) => thread.messages?.some(({ id }) => id === messageId)) ?? {}
  const passages = sourcesOf(messages ?? [], messageId)
  if (passages[number - 1]) showPassage({ passages, index: number - 1 })
}
