import type { Found, SearchAnswer } from '../../../shared/library/search.ts'
import type { Store } from '../../storage/index.ts'
import type { ConversationIndex } from './conversation-index.ts'
import { excerptOf, markedText, occursIn } from './excerpt.ts'
import { fold } from '../../../shared/text-index/fold.ts'
import type { Hit } from './text-index.ts'
import { wantedOf, type Wanted } from '../../../shared/text-index/split-words.ts'

/** Further words of a query are ignored. */
const MAX_WANTED = 16
const EXCERPTS = 2

/** Finds the conversations that contain all words of the query, in the title or in any message. */
export function search(
  store: Pick<Store, 'conversations' | 'messages'>,
  conversations: ConversationIndex,
  question: string,
  limit: number,
): SearchAnswer {
  const { index, reading } = conversations.current()
  const wanted = wantedOf(fold(question)).slice(0, MAX_WANTED)
  const found: Found[] = []
  for (const hit of index.find(wanted)) {
    if (found.length === limit) return { found, more: true, reading }
    const shown = show(store, hit, wanted)
    if (shown) found.push(shown)
  }
  return { found, more: false, reading }
}

function show(
  store: Pick<Store, 'conversations' | 'messages'>,
  { conversationId, messageIds }: Hit,
  wanted: readonly Wanted[],
): Found | null {
  const conversation = store.conversations.get(conversationId)
  if (!conversation) return null
  const excerpts: Found['excerpts'] = []
  const texts = [conversation.title]
  for (const id of messageIds) {
    const message = store.messages.get(id)
    if (!message) continue
    texts.push(message.text)
    const excerpt = excerptOf(message.text, wanted)
    if (excerpt) excerpts.push({ messageId: id, role: message.role, excerpt })
    if (excerpts.length === EXCERPTS && occursIn(texts, wanted)) break
  }
  if (!occursIn(texts, wanted)) return null
  return {
    conversation,
    title: markedText(conversation.title, wanted),
    excerpts: excerpts.slice(0, EXCERPTS),
  }
}
