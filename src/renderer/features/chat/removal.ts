import { i18n, type MessageDescriptor } from '@lingui/core'
import { msg, plural, t } from '@lingui/core/macro'
import { create } from 'zustand'
import type { Removal } from '../../../shared/contract/sotto-contract.ts'
import type { Message } from '../../../shared/conversation.ts'
import { subtreeOf, treeOf } from '../../../shared/conversation-tree.ts'
import { announce } from '../../ui/announcer.tsx'
import { api } from '../../ui/api.ts'
import { currentRoute, go } from '../../ui/route.ts'
import { onServiceChange, sameService } from '../../ui/status-store.ts'
import { reportFailures } from './branches.ts'
import { dropConversation, LIST, NEW, putWhole, useChat } from './chat-store.ts'

interface Undoable {
  /** Names the deleted conversation, message or folder. */
  readonly message: MessageDescriptor
  /** Throws what its call throws. */
  readonly undo: () => Promise<void>
}

/** The latest deletion, as long as it can be undone. */
export const useRemoval = create<{ readonly last: Undoable | undefined }>()(() => ({ last: undefined }))

let timer: ReturnType<typeof setTimeout> | undefined

onServiceChange(forgetRemoval)

function forgetRemoval(): void {
  clearTimeout(timer)
  useRemoval.setState({ last: undefined })
}

/** Offers one undo at a time; a former offer ends. */
export function offerUndo(message: MessageDescriptor, undoMs: number, undo: () => Promise<void>): void {
  forgetRemoval()
  useRemoval.setState({ last: { message, undo } })
  const says = i18n._(message)
  const seconds = Math.round(undoMs / 1000)
  announce(
    plural(seconds, {
      one: `${says} You can undo this for # second.`,
      other: `${says} You can undo this for # seconds.`,
    }),
  )
  timer = setTimeout(forgetRemoval, undoMs)
}

/** Hides the conversation; the core deletes it when the time to undo has passed. */
export async function removeConversation(
  conversationId: string,
  title: string,
  place = conversationId,
): Promise<void> {
  const still = sameService()
  await reportFailures(place, async () => {
    for (const { stop } of useChat.getState().live[conversationId] ?? []) stop()
    const { removed, undoMs } = await api.conversations.remove({ conversationId })
    if (!still()) return
    dropConversation(conversationId)
    if (currentRoute().conversationId === conversationId) go({ view: 'chat' })
    if (removed) offerUndo(msg`“${title}” deleted.`, undoMs, () => takeBack({ conversationId }))
  })
}

/** Hides a message with all that follows it. */
export async function removeMessage({ id: messageId, conversationId, role }: Message): Promise<void> {
  const still = sameService()
  await reportFailures(conversationId, async () => {
    const removal = { conversationId, messageId }
    stopWithin(removal)
    const { removed, undoMs } = await api.conversations.remove(removal)
    if (!still()) return
    const { conversation, messages } = await api.conversations.get({ conversationId })
    if (!still()) return
    putWhole(conversation, messages)
    if (removed)
      offerUndo(
        role === 'user'
          ? msg`Message and everything after it deleted.`
          : msg`Reply and everything after it deleted.`,
        undoMs,
        () => takeBack(removal),
      )
  })
}

/** Stops replies that are arriving below a deleted message, so that they cost nothing more. */
function stopWithin({ conversationId, messageId }: { conversationId: string; messageId: string }): void {
  const { live, threads } = useChat.getState()
  const messages = threads[conversationId]?.messages
  if (!live[conversationId] || !messages) return
  const below = subtreeOf(treeOf(messages), messageId)
  for (const { answerId, stop } of live[conversationId]) if (below.has(answerId)) stop()
}

/** The deletion that is being undone. */
let undoing: Undoable | undefined

export async function undoRemoval(): Promise<void> {
  const { last } = useRemoval.getState()
  if (!last || last === undoing) return
  undoing = last
  const { view, conversationId = NEW } = currentRoute()
  await reportFailures(view === 'chat' ? conversationId : LIST, async () => {
    await last.undo()
    // Another item may have been deleted in the meantime; its undo stays available.
    if (useRemoval.getState().last === last) forgetRemoval()
    announce(t`Undone.`)
  })
  if (undoing === last) undoing = undefined
}

async function takeBack(removal: Removal): Promise<void> {
  const still = sameService()
  const { conversation, messages } = await api.conversations.restore(removal)
  if (!still()) return
  putWhole(conversation, messages)
  go({ view: 'chat', conversationId: conversation.id })
}
