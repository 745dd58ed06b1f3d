import type { Conversation } from '../../../shared/conversation.ts'
import { watch } from '../../data/watch.ts'
import { api } from '../../ui/api.ts'
import { onServiceChange, sameService } from '../../ui/status-store.ts'
import { dropConversation, loadConversations, loadThread, putConversation, useChat } from './chat-store.ts'

/** More conversations than this are loaded as a whole list. */
const MOST_LOADED_SINGLY = 100

/** Loads the chats, and keeps them in step with those of other tabs and commands until `signal` aborts. */
export function followConversations(signal: AbortSignal): Promise<void> {
  return watch(
    {
      open: (left) => api.conversations.watch(undefined, { signal: left }),
      // Changes that happened while no stream was connected are unknown.
      onEvent: (ids, first) => void applyChanges(first ? null : ids),
      onState({ failure }) {
        if (failure && !useChat.getState().conversations) void loadConversations()
      },
    },
    signal,
  )
}

let pending: Promise<void> = Promise.resolve()

/**
 * One after another, so that an earlier answer never replaces a later one.
 * @param changed IDs of conversations; `null` if any may have changed
 */
function applyChanges(changed: readonly string[] | null): Promise<void> {
  pending = pending.then(() => load(changed)).catch(() => undefined)
  return pending
}

onServiceChange(() => {
  pending = Promise.resolve()
})

async function load(changed: readonly string[] | null): Promise<void> {
  const before = useChat.getState().conversations ?? []
  if (changed === null || changed.length > MOST_LOADED_SINGLY) {
    await loadConversations()
    const { conversations = [], threads } = useChat.getState()
    for (const conversation of conversations)
      if (threads[conversation.id]) reloadChanged(before, conversation)
    return
  }
  const still = sameService()
  const listed = await api.conversations.list({ conversationIds: [...changed] })
  if (!still()) return
  for (const conversation of listed) {
    putConversation(conversation)
    reloadChanged(before, conversation)
  }
  const gone = changed.filter((id) => !listed.some((conversation) => conversation.id === id))
  for (const id of gone) if (before.some((conversation) => conversation.id === id)) dropConversation(id)
}

/**
 * Loads the messages of a chat that another tab changed, or that has a reply whose end is unknown here. This tab's
 * requests bring their own messages: what changes while one is in progress comes with its answer.
 */
function reloadChanged(before: readonly Conversation[], { id, leafId, updatedAt }: Conversation): void {
  const { threads, live, sending, cutOff } = useChat.getState()
  const known = before.find((conversation) => conversation.id === id)
  const same = known?.leafId === leafId && known?.updatedAt === updatedAt && !cutOff[id]
  if (!same && threads[id] && !live[id] && !sending[id]) void loadThread(id)
}
